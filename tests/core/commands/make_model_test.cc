#include "commands/make_model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "checked.h"
#include "passes/common/new_model.h"
#include "verbs/check_made.h"

namespace cryo {
namespace {

// A verb that leaves the last node out, whatever needs it.
Status cut_short(const Model& model, const Options&, const OpRegistry*, Diagnostics&,
                 MadeModel& made) {
  GraphBuilder builder(model.graph);
  for (size_t i = 0; i + 1 < model.graph.nodes().size(); ++i) builder.add(model.graph.nodes()[i]);
  made.model = model;
  made.model.graph = builder.finish();
  return Unit{};
}

Model made_of(const std::vector<std::string>& nodes) {
  return Model{Kind::kGraphDef, "model.pb", {}, true, graph_of(nodes)};
}

Status checked(const std::vector<std::string>& nodes) {
  const ModelVerb verb{"cut-short", true, false, cut_short};
  Diagnostics diagnostics;
  const Model model = made_of(nodes);
  MadeModel made;
  CHECK_OK(verb.make(model, {}, nullptr, diagnostics, made));
  return check_made(verb.name, model, made.model, &ops());
}

TEST(MakeModel, AGraphThatAVerbBreaksIsToldWithTheVerbsName) {
  EXPECT_TRUE(checked(base_with()).ok()) << "nothing needs the last node";
  std::vector<std::string> backwards = base_with();
  std::reverse(backwards.begin(), backwards.end());
  const Status broken = checked(backwards);
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().code, "broken-graph");
  EXPECT_EQ(broken.error().message,
            "cut-short made a graph that TensorFlow refuses, of one that it takes: Node "
            "'mm': Unknown input node 'x'");
  EXPECT_EQ(broken.error().where.node, "mm");
}

// The same, said to be what TensorFlow's own tool does.
Status cut_like_tensorflow(const Model& model, const Options& options, const OpRegistry* ops,
                           Diagnostics& diagnostics, MadeModel& made) {
  made.like_tensorflow = true;
  return cut_short(model, options, ops, diagnostics, made);
}

TEST(MakeModel, AFaultThatTensorFlowsOwnToolMakesIsAWarning) {
  std::vector<std::string> backwards = base_with();
  std::reverse(backwards.begin(), backwards.end());
  const ModelVerb verb{"cut-like", true, false, cut_like_tensorflow};
  Diagnostics diagnostics;
  MadeModel made;
  ASSERT_TRUE(make_model(verb, made_of(backwards), {}, &ops(), diagnostics, made).ok());
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_EQ(diagnostics.all()[0].severity, Severity::kWarning);
  EXPECT_EQ(diagnostics.all()[0].code, "broken-graph");
}

TEST(MakeModel, WhatWasBrokenBeforeIsNotTheVerbsFault) {
  std::vector<std::string> nodes = {node("u", "NoSuchOp")};
  EXPECT_TRUE(checked({nodes[0], node("n", "NoOp", {"^gone"}), nodes[0]}).ok());
}

// A verb that adds a payload for its result.
Status adding(const Model& model, const Options&, const OpRegistry*, Diagnostics&,
              MadeModel& made) {
  TRY(added, new_model(model, [](const Model& own) -> Result<Model> {
        own.payloads->add({1, 0, {}});
        return own;
      }));
  made.model = std::move(added);
  return Unit{};
}

TEST(MakeModel, LeavesTheTableOfPayloadsOfItsModelAsItIs) {
  const Model model = made_of({node("n", "NoOp")});
  Diagnostics diagnostics;
  const ModelVerb verb{"adding", true, false, adding};
  MadeModel made;
  ASSERT_TRUE(make_model(verb, model, {}, nullptr, diagnostics, made).ok());
  EXPECT_EQ(model.payloads->size(), 0U);
  EXPECT_EQ(made.model.payloads->size(), 1U);
  MadeModel same;
  const ModelVerb& convert = *find_model_verb("convert");
  ASSERT_TRUE(make_model(convert, model, {}, nullptr, diagnostics, same).ok());
  EXPECT_EQ(same.model.payloads, model.payloads) << "a verb that adds nothing makes no table";
}

}  // namespace
}  // namespace cryo
