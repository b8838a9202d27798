#include "releases/verdict.h"

#include <algorithm>

#include "functions.h"
#include "histories.h"
#include "releases/damage.h"
#include "releases/judge_releases.h"

namespace cryo {
namespace {

std::vector<TargetVerdict> verdicts_of(const Graph& graph) {
  const Payloads payloads;
  return judge_releases(graph, histories(), verdict_of(graph), {payloads});
}

TargetVerdict verdict_of_release(const Graph& graph, std::string_view release) {
  const std::vector<TargetVerdict> all = verdicts_of(graph);
  const auto found = std::find_if(all.begin(), all.end(), [&](const TargetVerdict& each) {
    return each.name == cat("tensorflow-", release);
  });
  EXPECT_NE(found, all.end()) << release;
  return found == all.end() ? TargetVerdict() : *found;
}

// "NODE OP ATTR: why; fix", one for each cause.
Lines causes(const Graph& graph, std::string_view release) {
  Lines lines;
  for (const Blocker& each : verdict_of_release(graph, release).blockers) {
    lines.push_back(cat(each.node, " ", each.op, " ", each.attr, ": ", each.why, "; ",
                        in_command_words(each.fix)));
  }
  return lines;
}

std::string add(std::string_view op, const Attrs& more = {}) {
  Attrs attrs = {{"T", type_value(kFloat32)}};
  attrs.insert(attrs.end(), more.begin(), more.end());
  return node("sum", op, {"x", "x"}, attrs);
}

TEST(Verdict, AnOpIsKnownFromTheReleaseThatAddedIt) {
  const Graph graph = graph_of(Parts{.nodes = {placeholder("x"), add("AddV2")}});
  EXPECT_EQ(causes(graph, "1.4"),
            Lines({"sum AddV2 : the op is not known; freeze with --for RELEASE"}));
  EXPECT_TRUE(verdict_of_release(graph, "1.15").runs());
  EXPECT_TRUE(verdict_of_release(graph, "2.21").runs());
  const Graph unknown = graph_of(Parts{.nodes = {node("n", "TheirOwn")}});
  for (const TargetVerdict& each : verdicts_of(unknown)) {
    EXPECT_FALSE(each.loads()) << each.name;
  }
}

TEST(Verdict, AnAttributeThatHoldsItsDefaultIsStripped) {
  const auto product = [](bool grad) {
    return graph_of(
        Parts{.nodes = {placeholder("x", {2, 2}), add("MatMul", {{"grad_a", bool_value(grad)}})}});
  };
  EXPECT_EQ(causes(product(false), "1.15"),
            Lines({"sum MatMul grad_a: the op has no attribute 'grad_a'; freeze with "
                   "--strip-defaults"}));
  EXPECT_EQ(causes(product(true), "1.15"),
            Lines({"sum MatMul grad_a: the op has no attribute 'grad_a'; "}))
      << "it cannot be stripped";
  EXPECT_TRUE(verdict_of_release(product(true), "2.21").loads());
}

TEST(Verdict, AnOlderFormIsNoFixOfAnotherFault) {
  std::string shape;
  put_bytes_field(shape, fields::AttrValue::kS, "text");
  const Graph graph = graph_of(
      Parts{.nodes = {placeholder("x", {2, 2}),
                      add("MatMul", {{"grad_a", bool_value(false)}, {"transpose_a", shape}})}});
  EXPECT_EQ(causes(graph, "1.15"),
            Lines({"sum MatMul grad_a: the op has no attribute 'grad_a'; freeze with "
                   "--strip-defaults",
                   "sum MatMul transpose_a: AttrValue had value with type 'string' when 'bool' "
                   "expected; "}));
}

TEST(Verdict, AFixIsThatOfAllNodesOfItsCause) {
  const auto graph = [](bool second) {
    const std::string type = type_value(kFloat32);
    return graph_of(
        Parts{.nodes = {placeholder("x", {2, 2}), add("MatMul", {{"grad_a", bool_value(false)}}),
                        node("other", "MatMul", {"x", "x"},
                             {{"T", type}, {"grad_a", bool_value(second)}})}});
  };
  const std::string why = "sum MatMul grad_a: the op has no attribute 'grad_a'; ";
  EXPECT_EQ(causes(graph(false), "1.15"), Lines({cat(why, "freeze with --strip-defaults")}));
  EXPECT_EQ(causes(graph(true), "1.15"), Lines({why}));
}

// The token of a Python function is registered in the process that made the graph.
TEST(Verdict, APythonFunctionRunsInNoRelease) {
  const Attrs about = {{"token", shape_value("")},
                       {"Tin", type_list_value({kFloat32})},
                       {"Tout", type_list_value({kFloat32})}};
  for (const std::string op : {"PyFunc", "PyFuncStateless", "EagerPyFunc"}) {
    Attrs attrs = about;
    std::string token;
    put_bytes_field(token, fields::AttrValue::kS, "pyfunc_0");
    attrs[0].second = token;
    const Graph graph = graph_of(Parts{.nodes = {placeholder("x"), node("y", op, {"x"}, attrs)}});
    for (const std::string release : {"2.5", "2.11", "2.21"}) {
      const TargetVerdict verdict = verdict_of_release(graph, release);
      EXPECT_TRUE(verdict.loads()) << op << " " << release;
      ASSERT_EQ(verdict.blockers.size(), 1U) << op << " " << release;
      EXPECT_EQ(verdict.blockers[0].why,
                "it calls a Python function that only the process which made the graph has");
    }
    const Graph called = graph_of(
        Parts{.nodes = {placeholder("x"), call_of("c", "f", {"x"}, {kFloat32}, {kFloat32})},
              .functions = {body("f", {{"a", kFloat32}}, {{"r", kFloat32, "n:output:0"}},
                                 {node("n", op, {"a"}, attrs)})}});
    EXPECT_FALSE(verdict_of_release(called, "2.21").runs()) << op;
    EXPECT_TRUE(verdict_of_release(called, "2.21").loads()) << op;
  }
}

TEST(Verdict, ATypeWithoutAKernelLoadsAndDoesNotRun) {
  const std::string uint32 = type_value(static_cast<int>(DType::kUint32));
  const Graph graph =
      graph_of(Parts{.nodes = {node("x", "Placeholder", {}, {{"dtype", uint32}}),
                               node("v", "VariableV2", {},
                                    {{"dtype", uint32}, {"shape", shape_value(shape_bytes({}))}}),
                               node("set", "Assign", {"v", "x"}, {{"T", uint32}})}});
  const TargetVerdict old = verdict_of_release(graph, "1.8");
  EXPECT_TRUE(old.loads());
  EXPECT_FALSE(old.runs());
  EXPECT_EQ(causes(graph, "1.8"), Lines({"set Assign : no kernel on the CPU takes its types; "}));
  EXPECT_TRUE(verdict_of_release(graph, "2.21").runs());
}

TEST(Verdict, ANodeOfAnotherDeviceThanTheCpuLoadsAndDoesNotRun) {
  const auto runs_on = [](std::string_view device) {
    const std::string sum = add("Add");
    const Graph graph = graph_of(Parts{
        .nodes = {placeholder("x"), NodeEditor(*scan_node(sum)).set_device(device).finish()}});
    EXPECT_TRUE(verdict_of_release(graph, "1.15").loads());
    return verdict_of_release(graph, "1.15").runs();
  };
  for (const std::string_view own : {"", "/", "/cpu:0", "/device:CPU:*", "/job:localhost/task:0"}) {
    EXPECT_TRUE(runs_on(own)) << own;
  }
  for (const std::string_view other : {"/gpu:0", "/device:CPU:1", "/job:worker", "/device:TPU:0"}) {
    EXPECT_FALSE(runs_on(other)) << other;
  }
}

TEST(Verdict, ABodyIsCheckedWhenItIsImportedOrWhenItRuns) {
  const auto with_body = [](const std::string& node_of_body) {
    Parts parts;
    parts.nodes = {placeholder("x"), call_of("c", "f", {"x"}, {kFloat32}, {kFloat32})};
    parts.functions = {body("f", {{"a", kFloat32}}, {{"r", kFloat32, "n:z:0"}}, {node_of_body})};
    return graph_of(parts);
  };
  const Graph unknown = with_body(typed("n", "TheirOwn", {"a"}));
  EXPECT_FALSE(verdict_of_release(unknown, "2.21").loads());
  EXPECT_TRUE(verdict_of_release(unknown, "1.12").loads());
  EXPECT_FALSE(verdict_of_release(unknown, "1.12").runs());
  const Attrs attrs = {{"T", type_value(kFloat32)}, {"their_own", bool_value(true)}};
  const Graph attr = with_body(node("n", "AddV2", {"a", "a"}, attrs));
  EXPECT_TRUE(verdict_of_release(attr, "1.15").loads());
  EXPECT_FALSE(verdict_of_release(attr, "1.15").runs());
}

TEST(Verdict, MfccOfTheFirstReleasesTakesAVectorOfRates) {
  const auto with_rate = [](const std::vector<int64_t>& dims) {
    return graph_of(Parts{.nodes = {placeholder("x", {1, 2, 3}), constant("rate", {16000}, dims),
                                    node("mfcc", "Mfcc", {"x", "rate"})}});
  };
  const auto stops = [&](const std::vector<int64_t>& dims, std::string_view release) {
    const Lines all = causes(with_rate(dims), release);
    return std::count(all.begin(), all.end(), "mfcc Mfcc : its sample rate is a scalar; ");
  };
  const Graph decoded =
      graph_of(Parts{.nodes = {placeholder("x", {1, 2, 3}), node("wav", "DecodeWav", {"x"}),
                               node("mfcc", "Mfcc", {"x", "wav:1"})}});
  EXPECT_FALSE(verdict_of_release(decoded, "1.2").loads());
  EXPECT_EQ(stops({}, "1.3"), 1);
  EXPECT_EQ(stops({1}, "1.3"), 0);
  EXPECT_EQ(stops({}, "1.4"), 0);
}

TEST(Verdict, BoundariesOfBucketsHadTwoAxes) {
  const auto stops = [&](const std::vector<int64_t>& dims, std::string_view release) {
    const Graph graph =
        graph_of(Parts{.nodes = {placeholder("x", {4}), constant("boundaries", {1, 2}, dims),
                                 node("y", "BoostedTreesBucketize", {"x", "boundaries"},
                                      {{"num_features", int_value(1)}})}});
    const Lines all = causes(graph, release);
    return std::count(all.begin(), all.end(),
                      "y BoostedTreesBucketize : its bucket boundaries have one axis; ");
  };
  EXPECT_EQ(stops({2}, "1.12"), 1);
  EXPECT_EQ(stops({1, 2}, "1.12"), 0);
  EXPECT_EQ(stops({2}, "1.13"), 0);
  EXPECT_EQ(stops({2}, "1.4"), 0) << "it does not have the op";
}

TEST(Verdict, CausesAreGroupedWithTheFirstNode) {
  const Graph graph =
      graph_of(Parts{.nodes = {placeholder("x"), add("AddV2"),
                               node("other", "AddV2", {"x", "x"}, {{"T", type_value(kFloat32)}})}});
  const TargetVerdict verdict = verdict_of_release(graph, "1.2");
  ASSERT_EQ(verdict.blockers.size(), 1U);
  EXPECT_EQ(verdict.blockers[0].node, "sum");
  EXPECT_EQ(verdict.blockers[0].count, 2U);
}

TEST(Verdict, TheGraphsVersionsCount) {
  std::string versions;
  put_tag(versions, 1, WireType::kVarint);
  put_varint(versions, 30);
  put_tag(versions, 2, WireType::kVarint);
  put_varint(versions, 25);
  const Graph graph = graph_of(Parts{.nodes = {placeholder("x")}, .versions = versions});
  EXPECT_EQ(causes(graph, "1.2"),
            Lines({"  : the graph needs graph version 25, the release has 22; "}));
  EXPECT_TRUE(verdict_of_release(graph, "1.15").runs());
}

TEST(Verdict, DamageStopsAllReleases) {
  const Graph graph = graph_of(Parts{
      .nodes = {placeholder("x"), node("y", "Relu", {"gone"}, {{"T", type_value(kFloat32)}})}});
  for (const TargetVerdict& each : verdicts_of(graph)) {
    ASSERT_EQ(each.blockers.size(), 1U) << each.name;
    EXPECT_EQ(each.blockers[0].op, "Relu");
    EXPECT_FALSE(each.loads());
  }
}

TEST(Verdict, ShapesThatContradictAreRefused) {
  const Graph graph =
      graph_of(Parts{.nodes = {placeholder("x", {2, 3}), placeholder("y", {4, 5}),
                               node("z", "MatMul", {"x", "y"}, {{"T", type_value(kFloat32)}})}});
  EXPECT_FALSE(verdict_of_release(graph, "1.2").loads());
  EXPECT_FALSE(verdict_of_release(graph, "2.21").loads());
}

TEST(Verdict, DamageInABodyStopsReleasesThatCheckBodies) {
  const Release old{.name = "1.8"};
  const Release later{.name = "1.15", .checks_bodies = true};
  const Damage inside{.code = "cycle", .blocker = {.function = "f", .node = "n"}};
  EXPECT_FALSE(is_refused(inside, old, false));
  EXPECT_TRUE(is_refused(inside, later, false));
  const Damage hint{.code = "output-shapes-wrong", .blocker = {.node = "n"}};
  EXPECT_FALSE(is_refused(hint, later, false));
  EXPECT_TRUE(is_refused(hint, later, true));
}

// A blocker is listed for each of 38 releases: a hostile graph has no more than a bounded number.
TEST(Verdict, CausesAreBounded) {
  const std::vector<Node> nodes;
  Blockers blockers(nodes);
  for (int i = 0; i < 1000; ++i) {
    blockers.add({.why = std::to_string(i), .stops_loading = false});
  }
  blockers.add({.why = "it stops"});
  blockers.add({.why = "it stops"});
  const std::vector<Blocker> all = blockers.take();
  EXPECT_EQ(all.size(), kMaxBlockers + 1);
  EXPECT_EQ(all.back().why, "it stops");
  EXPECT_EQ(all.back().count, 2U);
}

TEST(OpHistories, DamagedDataIsRefused) {
  EXPECT_EQ(OpHistories::parse("\xff\xff", ops()).error().code, "malformed-message");
  const std::string_view whole = embedded_histories();
  EXPECT_FALSE(OpHistories::parse(whole.substr(0, whole.size() - 1), ops()).ok());
}

TEST(OpHistories, AReleaseHasTheOpsOfItsTime) {
  const OpHistory* add = histories().find("AddV2");
  ASSERT_NE(add, nullptr);
  const std::vector<Release>& all = histories().releases();
  for (size_t i = 0; i < all.size(); ++i) {
    const bool before = i > 0 && add->at(i - 1) != nullptr;
    EXPECT_TRUE(!before || add->at(i) != nullptr) << all[i].name;
  }
  EXPECT_EQ(add->at(0), nullptr);
  EXPECT_EQ(add->at(all.size() - 1), ops().find("AddV2"));
  EXPECT_EQ(all.front().name, "1.2");
  EXPECT_EQ(all.back().name, "2.21");
  EXPECT_FALSE(all.front().knows(DType::kUint32));
  EXPECT_TRUE(all.back().knows(DType::kUint32));
  EXPECT_EQ(histories().find("TheirOwn"), nullptr);
}

}  // namespace
}  // namespace cryo
