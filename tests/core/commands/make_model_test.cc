#include "commands/make_model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "checked.h"

namespace cryo {
namespace {

// A verb that leaves the last node out, whatever needs it.
Result<Model> cut_short(const Model& model, const Options&, const OpRegistry*, PassLog&) {
  Model made = model;
  GraphBuilder builder(model.graph);
  for (size_t i = 0; i + 1 < model.graph.nodes().size(); ++i) builder.add(model.graph.nodes()[i]);
  made.graph = builder.finish();
  return made;
}

Model made_of(const std::vector<std::string>& nodes) {
  return Model{Kind::kGraphDef, "model.pb", {}, true, graph_of(nodes)};
}

Status checked(const std::vector<std::string>& nodes) {
  const ModelVerb verb{"cut-short", true, false, cut_short};
  PassLog log;
  const Model model = made_of(nodes);
  return check_made(verb.name, model, *verb.make(model, {}, nullptr, log), &ops());
}

TEST(MakeModel, AGraphThatAVerbBreaksIsToldWithTheVerbsName) {
  EXPECT_TRUE(checked(base_with()).ok()) << "nothing needs the last node";
  std::vector<std::string> backwards = base_with();
  std::reverse(backwards.begin(), backwards.end());
  const Status broken = checked(backwards);
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().code, "broken-graph");
  EXPECT_EQ(broken.error().message,
            "cut-short made a graph that TensorFlow refuses of one that it takes: Node "
            "'mm': Unknown input node 'x'");
  EXPECT_EQ(broken.error().where.node, "mm");
}

TEST(MakeModel, WhatWasBrokenBeforeIsNotTheVerbsFault) {
  std::vector<std::string> nodes = {node("u", "NoSuchOp")};
  EXPECT_TRUE(checked({nodes[0], node("n", "NoOp", {"^gone"}), nodes[0]}).ok());
}

// A verb that adds a payload for its result.
Result<Model> adding(const Model& model, const Options&, const OpRegistry*, PassLog&) {
  Model made = model;
  made.payloads->add({1, 0, {}});
  return made;
}

TEST(MakeModel, LeavesTheTableOfPayloadsOfItsModelAsItIs) {
  const Model model = made_of({node("n", "NoOp")});
  PassLog log;
  const Result<Model> made = make_model({"adding", true, false, adding}, model, {}, nullptr, log);
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(model.payloads->size(), 0U);
  EXPECT_EQ(made->payloads->size(), 1U);
  const Result<Model> same = make_model(*find_model_verb("convert"), model, {}, nullptr, log);
  ASSERT_TRUE(same.ok());
  EXPECT_EQ(same->payloads, model.payloads) << "a verb that adds nothing makes no table";
}

}  // namespace
}  // namespace cryo
