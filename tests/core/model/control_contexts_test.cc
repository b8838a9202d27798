#include "model/control_contexts.h"

#include <gtest/gtest.h>

#include "graph/added_nodes.h"
#include "graphs.h"
#include "model/context_defs.h"
#include "wire/cursor.h"

namespace cryo {
namespace {

const Attrs kFloats = {{"T", type_value(kFloat32)}};

std::string enter(std::string_view name, const std::string& input, bool constant = false) {
  return node(name, "Enter", {input},
              {{"T", type_value(kFloat32)},
               {"frame_name", string_value("L")},
               {"is_constant", bool_value(constant)},
               {"parallel_iterations", int_value(7)}});
}

// while (i < ten) i = f(i), w a constant of it.
Lines loop(const Lines& body = {node("body", "Mul", {"id", "w_in"}, kFloats)}) {
  Lines nodes = {placeholder("x"),
                 constant("w", {2}, {}),
                 enter("enter", "x"),
                 enter("w_in", "w", true),
                 node("merge", "Merge", {"enter", "back"}, kFloats),
                 node("less", "Less", {"merge", "w_in"}, kFloats),
                 node("cond", "LoopCond", {"less"}),
                 node("switch", "Switch", {"merge", "cond"}, kFloats),
                 node("id", "Identity", {"switch:1"}, kFloats)};
  nodes.insert(nodes.end(), body.begin(), body.end());
  nodes.push_back(node("back", "NextIteration", {"body"}, kFloats));
  nodes.push_back(node("exit", "Exit", {"switch"}, kFloats));
  return nodes;
}

// A conditional on `less` between `id` and `id` * `w`, whose Merge takes these.
Lines conditional(const Lines& merged) {
  return {node("pick", "Switch", {"id", "less"}, kFloats),
          node("one", "Identity", {"pick:1"}, kFloats),
          node("pick_w", "Switch", {"w_in", "less"}, kFloats),
          node("other", "Neg", {"pick:0"}, kFloats),
          node("more", "Mul", {"other", "pick_w"}, kFloats),
          node("body", "Merge", merged, kFloats)};
}

struct Made {
  explicit Made(const Lines& nodes, const tensorflow::MetaGraphDef& meta = {}) {
    Model before = model_of(nodes);
    set_meta(before, meta);
    model = with_control_contexts(before, diagnostics);
  }

  // The contexts of a collection.
  Lines contexts(std::string_view collection) const {
    const tensorflow::MetaGraphDef& meta = parse_meta(model);
    for (const auto& entry : meta.collection_def()) {
      if (entry.key() != collection) continue;
      const auto& values = entry.value().bytes_list().value();
      return {values.begin(), values.end()};
    }
    return {};
  }

  Lines added() const {
    Lines lines;
    for (const Node& each : model.graph.nodes()) {
      if (find_attr(each, kAddedAttr)) lines.push_back(described(each));
    }
    return lines;
  }

  Model model;
  Diagnostics diagnostics;
};

// The texts of a field.
Lines texts(std::string_view message, uint32_t number) {
  Lines found;
  for (WireCursor cursor(message); cursor.next();) {
    if (cursor.field().number == number) found.emplace_back(cursor.field().bytes);
  }
  return found;
}

TEST(ControlContexts, ALoopIsMadeFromItsFrame) {
  const Made made(loop());
  ASSERT_EQ(made.contexts(kWhileCollection).size(), 1U);
  const std::string context = made.contexts(kWhileCollection)[0];
  EXPECT_EQ(texts(context, 1), Lines{"L"});
  EXPECT_EQ(texts(context, 5), Lines{"cond:0"});
  EXPECT_EQ(texts(context, 6), Lines{"merge:0"});
  EXPECT_EQ(texts(context, 7), Lines{"id:0"});
  EXPECT_EQ(texts(context, 8), Lines{"exit:0"});
  EXPECT_EQ(texts(context, 10), Lines{"enter:0"});
  const std::string values = texts(context, 9)[0];
  EXPECT_EQ(texts(values, 1),
            (Lines{"back:0", "body:0", "cond:0", "enter:0", "exit:0", "id:0", "less:0", "merge:0",
                   "switch:0", "switch:1", "w:0", "w_in:0"}));
  ASSERT_EQ(texts(values, 2).size(), 1U);
  EXPECT_EQ(texts(texts(values, 2)[0], 1), Lines{"w:0"});
  EXPECT_EQ(texts(texts(values, 2)[0], 2), Lines{"w_in:0"});
  EXPECT_EQ(made.added(), Lines{});
  EXPECT_EQ(codes(made.diagnostics), Lines{});
}

TEST(ControlContexts, WhatGoesRoundAndDoesNotLeaveGetsAnExit) {
  Lines nodes = loop();
  nodes.pop_back();
  nodes.push_back(node("out", "Exit", {"less"}, kFloats));
  const Made made(nodes);
  EXPECT_EQ(made.added(), Lines{"L/Exit = Exit(switch)"});
  EXPECT_EQ(texts(made.contexts(kWhileCollection)[0], 8), Lines{"L/Exit:0"});
}

TEST(ControlContexts, AConditionalInALoopIsNested) {
  const Made made(loop(conditional({"more", "one"})));
  EXPECT_EQ(made.contexts(kCondCollection), Lines{});
  const Lines nested = texts(made.contexts(kWhileCollection)[0], 12);
  ASSERT_EQ(nested.size(), 2U);
  const std::string holds = texts(nested[1], 1)[0];
  EXPECT_EQ(texts(holds, 2), Lines{"less:0"});
  EXPECT_EQ(texts(holds, 3), Lines{"one:0"});
  EXPECT_EQ(texts(texts(holds, 5)[0], 1), (Lines{"less:0", "one:0"}));
  const std::string fails = texts(nested[0], 1)[0];
  EXPECT_EQ(texts(texts(fails, 5)[0], 1), (Lines{"id:0", "less:0", "more:0", "other:0", "pick:0",
                                                 "pick:1", "pick_w:0", "w_in:0"}));
  EXPECT_EQ(made.added(), Lines{});
}

TEST(ControlContexts, AMergeOfTrueAndFalseGetsTheNegatedCondition) {
  const Made made(loop(conditional({"one", "more"})));
  EXPECT_EQ(made.added(), Lines{"less/not = LogicalNot(less:0)"});
  const Lines nested = texts(made.contexts(kWhileCollection)[0], 12);
  ASSERT_EQ(nested.size(), 2U);
  EXPECT_EQ(texts(texts(nested[0], 1)[0], 2), Lines{"less/not:0"});
}

TEST(ControlContexts, ALoopOfAnotherFormIsReported) {
  const Made made(loop(conditional({"more", "id"})));
  EXPECT_EQ(made.contexts(kWhileCollection), Lines{});
  EXPECT_EQ(codes(made.diagnostics), Lines{"loop-not-differentiable"});
}

TEST(ControlContexts, OfAConditionThatIsMissingAreNotMade) {
  const Made made({placeholder("x"), node("lost", "Identity", {"gone"}, kFloats),
                   node("pick", "Switch", {"x", "lost"}, kFloats),
                   node("both", "Merge", {"pick", "pick:1"}, kFloats)});
  EXPECT_EQ(made.contexts(kCondCollection), Lines{});
}

TEST(ControlContexts, WhatTheGraphDoesNotSayStays) {
  Model with = Made(loop()).model;
  tensorflow::MetaGraphDef meta = parse_meta(with);
  std::string& context =
      *meta.mutable_collection_def(0)->mutable_value()->mutable_bytes_list()->mutable_value(0);
  put_varint_field(context, 3, 0);  // back_prop
  put_bytes_field(context, 8, "gone:0");
  const Made made(loop(), meta);
  uint64_t back_prop = 1;
  const Lines contexts = made.contexts(kWhileCollection);
  for (WireCursor cursor(contexts[0]); cursor.next();) {
    if (cursor.field().number == 3) back_prop = cursor.field().value;
  }
  EXPECT_EQ(back_prop, 0U);
  EXPECT_EQ(texts(contexts[0], 8), Lines{"exit:0"});
}

TEST(ControlContexts, WhatIsCurrentStaysAsItIs) {
  const Made once(loop(conditional({"more", "one"})));
  Diagnostics diagnostics;
  EXPECT_EQ(with_control_contexts(once.model, diagnostics).meta.bytes(), once.model.meta.bytes());
}

}  // namespace
}  // namespace cryo
