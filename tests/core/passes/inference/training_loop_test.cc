#include "passes/inference/training_loop.h"

#include "functions.h"

namespace cryo {
namespace {

// A loop of two variables, the count `i` and the weights `w`, whose body computes `y`.
Lines loop(std::string_view source) {
  const auto enter = [](std::string_view name, std::string_view of) {
    return node(name, "Enter", {std::string(of)},
                {{"T", type_value(kFloat32)}, {"frame_name", string_value("steps")}});
  };
  return {constant("zero", {0}, {}),
          constant("w", {1}, {}),
          enter("i/enter", "zero"),
          typed("i", "Merge", {"i/enter", "i/next"}),
          node("less", "Less", {"i", "n"}),
          enter("n", "w"),
          node("cond", "LoopCond", {"less"}),
          typed("i/switch", "Switch", {"i", "cond"}),
          typed("i/body", "Identity", {"i/switch:1"}),
          typed("i/next", "NextIteration", {"i/body"}),
          typed("i/exit", "Exit", {"i/switch"}),
          enter("w/enter", "w"),
          node("x", source, {"^i/body"}),
          typed("y", "Mul", {"x", "w/enter"})};
}

std::string line(const Lines& lines, std::string_view name) {
  for (const std::string& each : lines) {
    if (each.starts_with(cat(name, " = "))) return each;
  }
  return "";
}

Lines left(std::string_view source, const std::vector<std::string>& outputs) {
  GraphChanges changes;
  return described(without_training_loops(model_of(loop(source)), outputs, changes).graph);
}

TEST(TrainingLoop, GivesItsFirstStep) {
  const Lines lines = left("InfeedDequeue", {"y"});
  EXPECT_EQ(line(lines, "i"), "i = Identity(i/enter)");
  EXPECT_EQ(line(lines, "i/enter"), "i/enter = Identity(zero)");
  EXPECT_EQ(line(lines, "i/switch"), "i/switch = Identity(i)");
  EXPECT_EQ(line(lines, "i/body"), "i/body = Identity(i/switch)");
  EXPECT_EQ(line(lines, "w/enter"), "w/enter = Identity(w)");
  EXPECT_EQ(line(lines, "y"), "y = Mul(x, w/enter)");
}

// An Exit gives the value of all steps; a loop without a pipeline is one of the model.
TEST(TrainingLoop, StaysWhereTheOutputIsNotInIt) {
  EXPECT_EQ(line(left("InfeedDequeue", {"i/exit"}), "i"), "i = Merge(i/enter, i/next)");
  EXPECT_EQ(line(left("Const", {"y"}), "i"), "i = Merge(i/enter, i/next)");
}

}  // namespace
}  // namespace cryo
