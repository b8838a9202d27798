#include "model/object_restores.h"

#include <gtest/gtest.h>

#include "files.h"
#include "formats/open.h"
#include "formats/write.h"
#include "graphs.h"
#include "model/variables.h"

namespace cryo {
namespace {

// The fixture objects/no_saver, as a folder "m".
std::vector<SourcePtr> files() {
  std::vector<SourcePtr> all;
  for (const char* name :
       {"saved_model.pb", "variables/variables.index", "variables/variables.data-00000-of-00001"}) {
    all.push_back(std::make_shared<MemorySource>(
        file_bytes(fixture(cat("objects/no_saver/", name))), cat("m/", name)));
  }
  return all;
}

struct Opened {
  Diagnostics diagnostics = {};
  Result<Model> model = open(files(), {}, diagnostics);

  // "w_1 <- inner/w"
  Lines restored() const {
    Lines lines;
    for (const Variable& variable : variables_of(*model)) {
      const std::string key = variable.key;
      lines.push_back(cat(variable.name, " <- ", key.substr(0, key.find("/.ATTR"))));
      EXPECT_TRUE(value_of(*model, variable).ok()) << variable.name;
    }
    std::sort(lines.begin(), lines.end());
    return lines;
  }
};

// Names lie: the graph's "w" is the inner one.
TEST(ObjectRestores, FollowObjectsAndNotNames) {
  const Opened opened;
  ASSERT_TRUE(opened.model.ok()) << failure_of(opened.model);
  const Lines expected = {
      "b <- b",       "b/Momentum <- b/.OPTIMIZER_SLOT/optimizer/momentum", "spare <- spare/0",
      "w <- inner/w", "w/Momentum <- w/.OPTIMIZER_SLOT/optimizer/momentum", "w_1 <- w"};
  EXPECT_EQ(opened.restored(), expected);
  EXPECT_TRUE(opened.diagnostics.all().empty());
}

TEST(ObjectRestores, AreKeptInAMetaThatIsMadeOfTheModel) {
  const Opened opened;
  ASSERT_TRUE(opened.model.ok());
  Diagnostics diagnostics;
  const auto written = write(*opened.model, {"checkpoint", "n.ckpt"}, diagnostics);
  ASSERT_TRUE(written.ok()) << failure_of(written);
  std::vector<SourcePtr> all;
  for (const OutputFile& file : *written) {
    all.push_back(std::make_shared<MemorySource>(*file.content.read_all(), file.path));
  }
  Opened again;
  again.model = open(all, {}, again.diagnostics);
  ASSERT_TRUE(again.model.ok()) << failure_of(again.model);
  EXPECT_EQ(again.restored(), opened.restored());
}

TEST(ObjectRestores, OfACopyAreThoseOfTheOriginal) {
  Opened opened;
  ASSERT_TRUE(opened.model.ok());
  Model model = *opened.model;
  model.restores.edit().clear();
  GraphBuilder builder(model.graph);
  for (const Node& node : model.graph.nodes()) builder.add(node);
  builder.add(variable("Variable", {3}, "VarHandleOp"));
  builder.add(node("Variable/Initializer", "ReadVariableOp", {"b"}));
  builder.add(node("Variable/Assign", "AssignVariableOp", {"Variable", "Variable/Initializer"}));
  model.graph = builder.finish();
  restore_by_objects(model, opened.diagnostics);
  EXPECT_EQ(model.restores->at("Variable").key, "b/.ATTRIBUTES/VARIABLE_VALUE");
  EXPECT_EQ(codes(opened.diagnostics), Lines());
}

// Two variables without a function, of one name, type and shape: nothing tells which is which.
TEST(ObjectRestores, GuessNothing) {
  Opened opened;
  ASSERT_TRUE(opened.model.ok());
  Model model = *opened.model;
  model.restores.edit().clear();
  GraphBuilder builder(model.graph);
  for (const Node& node : model.graph.nodes()) {
    if (node.op != "StatefulPartitionedCall") builder.add(node);
  }
  model.graph = builder.finish();
  restore_by_objects(model, opened.diagnostics);
  EXPECT_TRUE(model.restores->contains("b"));
  EXPECT_FALSE(model.restores->contains("w"));
  EXPECT_FALSE(model.restores->contains("w_1"));
  EXPECT_EQ(codes(opened.diagnostics), Lines{"no-key-for-variable"});
}

}  // namespace
}  // namespace cryo
