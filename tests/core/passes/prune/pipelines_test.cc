#include <gtest/gtest.h>

#include <algorithm>

#include "graphs.h"
#include "only_model.h"
#include "verbs/freeze.h"
#include "verbs/prune.h"

namespace cryo {
namespace {

const std::vector<std::string> kFed = {
    node("it", "IteratorV2"), node("next", "IteratorGetNext", {"it"}, {{"dtype", type_value(1)}}),
    node("y", "Relu", {"next"}), node("z", "Relu", {"next:1"})};

// The result of a verb with "auto" among the inputs.
struct RunByVerb {
  RunByVerb(std::string_view verb, const std::vector<std::string>& outputs,
            const std::vector<std::string>& inputs) {
    const Selection selection{.outputs = outputs, .inputs = inputs};
    result = verb == "prune"
                 ? only_model(prune(model_of(kFed), {.selection = selection}, nullptr, diagnostics))
                 : only_model(freeze(model_of(kFed), {.selection = selection}, {}, diagnostics));
  }

  Diagnostics diagnostics = {};
  Result<Model> result = failure("", "");
};

TEST(Prune, CutsWhereThePipelinesDataEnters) {
  const RunByVerb cut("prune", {"y"}, {"auto"});
  ASSERT_TRUE(cut.result);
  EXPECT_EQ(described(cut.result->graph), (Lines{"next = Placeholder()", "y = Relu(next)"}));
  EXPECT_EQ(codes(cut.diagnostics), Lines{});
  EXPECT_EQ(codes(RunByVerb("prune", {"it"}, {"auto"}).diagnostics), Lines{"no-pipeline"});
}

TEST(Freeze, SaysThatAPipelineStays) {
  const Lines stays = codes(RunByVerb("freeze", {"y"}, {}).diagnostics);
  EXPECT_EQ(std::count(stays.begin(), stays.end(), "pipeline-stays"), 1);
  const Lines cut = codes(RunByVerb("freeze", {"y"}, {"auto"}).diagnostics);
  EXPECT_EQ(std::count(cut.begin(), cut.end(), "pipeline-stays"), 0);
}

}  // namespace
}  // namespace cryo
