#include "model/name_pairing.h"

#include <gtest/gtest.h>

#include "files.h"
#include "formats/open.h"
#include "graphs.h"
#include "model/variables.h"

namespace cryo {
namespace {

// The findings of pairing a structure-only graph with a checkpoint.
Lines described(Model model) {
  model.kind = Kind::kGraphDef;
  Diagnostics diagnostics;
  pair_by_names(model, diagnostics);
  Lines lines;
  for (const Diagnostic& each : diagnostics.all()) {
    lines.push_back(cat(each.code, ": ", each.message));
  }
  return lines;
}

TEST(NamePairing, IsSilentWhereAllMatches) {
  EXPECT_EQ(described(model_of({variable("w", {2})}, checkpoint_of({{"w", {1, 2}}}))), Lines());
}

TEST(NamePairing, ListsWhatDoesNotMatchOnBothSides) {
  const Lines lines = described(model_of(
      {variable("tower/conv/w", {2}), variable("b", {1}), variable("wide", {3})},
      checkpoint_of({{"b", {1}}, {"conv/w", {1, 2}}, {"other/w", {1, 2}}, {"wide", {1}}})));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0],
            "unmatched-variables: the checkpoint  has no value for 2 of 3 variables: tower/conv/w "
            "(near conv/w), wide (there it is float32 [1], here float32 [3]); 2 tensors of the "
            "checkpoint go to no variable: conv/w, other/w");
}

TEST(NamePairing, TellsOfWeightsThatNoVariableTakes) {
  EXPECT_EQ(described(model_of({variable("w", {1})}, checkpoint_of({{"w", {1}}, {"w/Adam", {1}}}))),
            Lines{"unused-weights: 1 tensor of the checkpoint goes to no variable: w/Adam"});
}

// A saver need not save every variable.
TEST(NamePairing, LeavesWhatASaverDoesNotRestore) {
  Model model = model_of({variable("w", {1}), variable("local", {1})}, checkpoint_of({{"w", {1}}}));
  model.restores.edit()["w"] = {"w", ""};
  EXPECT_EQ(described(model), Lines());
}

// A structure-only graph and a checkpoint of objects, opened together, as files are dropped.
TEST(NamePairing, FindsObjectsByTheNameTheyHad) {
  std::vector<SourcePtr> files;
  for (const char* name :
       {"structure.pb", "checkpoint", "model.ckpt-1.index", "model.ckpt-1.data-00000-of-00001"}) {
    files.push_back(std::make_shared<MemorySource>(
        file_bytes(fixture(cat("objects/checkpoint/", name))), name));
  }
  for (const OpenOptions& options :
       {OpenOptions{}, OpenOptions{"structure.pb", "model.ckpt-1"}, OpenOptions{"structure.pb"}}) {
    Diagnostics diagnostics;
    const auto model = open(files, options, diagnostics);
    ASSERT_TRUE(model.ok()) << failure_of(model);
    Lines lines;
    for (const Variable& variable : variables_of(*model)) {
      lines.push_back(cat(variable.name, " <- ", variable.key));
    }
    const Lines expected = {"b <- model/b/.ATTRIBUTES/VARIABLE_VALUE",
                            "spare <- model/spare/0/.ATTRIBUTES/VARIABLE_VALUE",
                            "scope/inner/w <- scope/inner/w"};
    EXPECT_EQ(lines, expected);
    const std::string message = diagnostics.all().back().message;
    EXPECT_NE(message.find("scope/inner/w (near model/inner/w/.ATTRIBUTES/VARIABLE_VALUE)"),
              std::string::npos)
        << message;
  }
}

}  // namespace
}  // namespace cryo
