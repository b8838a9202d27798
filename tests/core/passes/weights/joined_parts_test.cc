#include "passes/weights/joined_parts.h"

#include <gtest/gtest.h>

#include "graphs.h"

namespace cryo {
namespace {

NamedWeight part(const std::string& name, const std::vector<int64_t>& dims,
                 const std::vector<float>& values) {
  NamedWeight weight{name};
  weight.entry = checkpoint_of({{name, values}})->entries[0];
  weight.entry.shape = Shape{false, dims};
  return weight;
}

// "name shape: values" of each.
Lines joined(std::vector<NamedWeight> weights, const std::vector<int64_t>& whole) {
  join_parts(weights, {part("w", whole, {})});
  Lines lines;
  for (const NamedWeight& each : weights) {
    Lines numbers;
    const Tensor tensor{each.entry.dtype, each.entry.shape, 0, each.entry.content};
    for (const float value : floats(Result<Tensor>(tensor))) {
      numbers.push_back(std::to_string(static_cast<int>(value)));
    }
    lines.push_back(cat(each.name, " ", to_text(each.entry.shape), ": ", join(numbers, " ")));
  }
  return lines;
}

TEST(JoinParts, JoinsAlongWhicheverAxisFits) {
  EXPECT_EQ(
      joined({part("w/part_0", {1, 2}, {1, 2}), part("w/part_1", {2, 2}, {3, 4, 5, 6})}, {3, 2}),
      Lines{"w [3,2]: 1 2 3 4 5 6"});
  EXPECT_EQ(
      joined({part("w/part_0", {2, 1}, {1, 4}), part("w/part_1", {2, 2}, {2, 3, 5, 6})}, {2, 3}),
      Lines{"w [2,3]: 1 2 3 4 5 6"});
}

TEST(JoinParts, GoesByTheNumbersAndNotByTheAlphabet) {
  std::vector<NamedWeight> parts;
  std::string wanted = "w [11]:";
  for (int i = 10; i >= 0; --i) {
    parts.push_back(part(cat("w/part_", i), {1}, {static_cast<float>(i)}));
  }
  for (int i = 0; i < 11; ++i) wanted += cat(" ", i);
  EXPECT_EQ(joined(parts, {11}), Lines{wanted});
}

TEST(JoinParts, LeavesWhatDoesNotFitTogether) {
  EXPECT_EQ(joined({part("w/part_0", {1}, {1}), part("w/part_2", {1}, {3})}, {2}),
            (Lines{"w/part_0 [1]: 1", "w/part_2 [1]: 3"}));
  EXPECT_EQ(joined({part("w", {1}, {9}), part("w/part_0", {1}, {1})}, {1}),
            (Lines{"w [1]: 9", "w/part_0 [1]: 1"}));
  EXPECT_EQ(joined({part("v/part_0", {1}, {1})}, {1}), Lines{"v/part_0 [1]: 1"});
}

}  // namespace
}  // namespace cryo
