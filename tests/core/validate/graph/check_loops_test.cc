#include "checked.h"

namespace cryo {
namespace {

// i = 0; while (i < limit) i = i + 1, as TensorFlow 1 writes it. `back`: what closes the loop.
std::vector<std::string> loop(const std::string& back = "NextIteration",
                              const std::string& frame = "L", const std::string& limit = "limit") {
  const Attrs enter = {{"T", type_value(1)}, {"frame_name", string_value(frame)}};
  return {constant("zero", {0}, {}),
          constant("ten", {10}, {}),
          node("enter", "Enter", {"zero"}, enter),
          node("limit", "Enter", {"ten"}, enter),
          node("merge", "Merge", {"enter", "back"}, {{"T", type_value(1)}, {"N", int_value(2)}}),
          node("less", "Less", {"merge", limit}, kFloats),
          node("cond", "LoopCond", {"less"}),
          node("switch", "Switch", {"merge", "cond"}, kFloats),
          node("body", "Neg", {"switch:1"}, kFloats),
          node("back", back, {"body"}, kFloats),
          node("exit", "Exit", {"switch"}, kFloats),
          node("out", "Identity", {"exit"}, kFloats)};
}

TEST(CheckCycles, ALoopIsNoCycle) {
  EXPECT_EQ(found(loop()), "");
  std::vector<std::string> reversed = loop();
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_EQ(found(reversed), "");
}

TEST(CheckCycles, TheWayBackIsANextIteration) {
  const Lines lines = findings(loop("Identity"));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("error cycle"), std::string::npos);
  EXPECT_NE(lines[0].find("8 nodes in a cycle"), std::string::npos) << lines[0];
  EXPECT_NE(lines[0].find("merge -> switch -> body -> back -> merge"), std::string::npos)
      << lines[0];
}

TEST(CheckCycles, NodesThatFeedThemselvesOrEachOther) {
  EXPECT_EQ(found({node("a", "Neg", {"a"}, kFloats)}), "error cycle");
  EXPECT_EQ(found({node("a", "NoOp", {"^b"}), node("b", "NoOp", {"^a"})}), "error cycle");
  EXPECT_EQ(found({node("a", "NoOp", {"^b"}), node("b", "NoOp")}), "");
  EXPECT_EQ(found({node("n", "NextIteration", {"n"}, kFloats)}), "error cycle");
}

TEST(CheckCycles, EveryCycleIsTold) {
  EXPECT_EQ(found({node("a", "Neg", {"a"}, kFloats), node("b", "Neg", {"b"}, kFloats)}),
            "error cycle, error cycle");
}

TEST(CheckCycles, AMergeOfALoopHasOneInputFromOutside) {
  const Attrs two = {{"T", type_value(1)}, {"N", int_value(2)}};
  const Attrs three = {{"T", type_value(1)}, {"N", int_value(3)}};
  EXPECT_EQ(
      found({node("m", "Merge", {"n", "n"}, two), node("n", "NextIteration", {"m"}, kFloats)}),
      "error cycle");
  const std::string next = node("n", "NextIteration", {"m"}, kFloats);
  EXPECT_NE(found({placeholder("x"), node("m", "Merge", {"x", "x", "n"}, three), next})
                .find("error merge-inputs"),
            std::string::npos);
  EXPECT_EQ(found({placeholder("x"), node("m", "Merge", {"x", "x"}, two)}), "");
}

TEST(CheckFrames, AnEnterNamesItsFrame) {
  EXPECT_EQ(found(loop("NextIteration", "")),
            "warning enter-without-name, warning enter-without-name");
}

TEST(CheckFrames, TensorsComeInByEnter) {
  EXPECT_EQ(found(loop("NextIteration", "L", "ten")), "warning mixed-frames");
}

TEST(CheckFrames, AndGoOutByExit) {
  std::vector<std::string> nodes = loop();
  nodes.push_back(node("sum", "AddV2", {"body", "ten"}, kFloats));
  EXPECT_EQ(found(nodes), "warning mixed-frames");
  EXPECT_EQ(found({placeholder("x"), node("e", "Exit", {"x"}, kFloats)}),
            "warning exit-without-frame");
}

TEST(CheckFrames, ControlEdgesMayComeFromAnywhere) {
  std::vector<std::string> nodes = loop();
  nodes.push_back(node("noted", "Identity", {"body", "^ten"}, kFloats));
  EXPECT_EQ(found(nodes), "");
}

}  // namespace
}  // namespace cryo
