#include "passes/unfreeze/unfreeze_entries.h"

#include "graphs.h"

namespace cryo {
namespace {

PlannedVariable part(const std::string& name, const std::string& key, const std::string& slice,
                     const std::vector<float>& values, const std::vector<int64_t>& dims) {
  PlannedVariable planned;
  planned.variable.name = name;
  planned.variable.key = key;
  planned.variable.slice = slice;
  const auto* bytes = reinterpret_cast<const char*>(values.data());
  planned.tensor = {DType::kFloat, Shape{false, dims}, values.size(),
                    Splice(fresh(std::string(bytes, values.size() * 4)))};
  return planned;
}

// "w [2,2]: 1 2 3 4"
Lines entries(std::vector<PlannedVariable> planned, const std::set<std::string>& taken = {}) {
  settle_keys(planned, taken);
  Lines lines;
  for (const CheckpointEntry& each : entries_of(planned)) {
    Lines numbers;
    EXPECT_EQ(each.bytes, each.content.size());
    const Tensor tensor{each.dtype, each.shape, each.bytes / 4, each.content};
    for (const float value : floats(tensor)) numbers.push_back(cat(static_cast<int>(value)));
    lines.push_back(cat(each.key, " ", to_text(each.shape), ": ", join(numbers, " ")));
  }
  return lines;
}

TEST(ThawedEntries, AreWholeWhereAllSlicesAreThere) {
  EXPECT_EQ(entries({part("w/part_0", "w", "2 2 0,2:0,1", {1, 3}, {2, 1}),
                     part("w/part_1", "w", "2 2 0,2:1,1", {2, 4}, {2, 1}),
                     part("b", "bias", "", {5}, {1})}),
            (Lines{"bias [1]: 5", "w [2,2]: 1 2 3 4"}));
}

TEST(ThawedEntries, GoByTheirOwnNamesWhereTheyMakeNoWhole) {
  const PlannedVariable second = part("w/part_1", "w", "2 2 0,2:1,1", {2, 4}, {2, 1});
  const Lines alone{"w/part_1 [2,1]: 2 4"};
  EXPECT_EQ(entries({second}), alone);
  EXPECT_EQ(entries({part("w/part_1", "w", "2 2 0,2:7,1", {2, 4}, {2, 1})}), alone);
  EXPECT_EQ(entries({part("w/part_1", "w", "nonsense", {2, 4}, {2, 1})}), alone);
  EXPECT_EQ(entries({part("w/part_1", "w", "1 2 0,1:0,2", {2, 4}, {2, 1})}), alone);
  EXPECT_EQ(entries({part("a", "k", "", {1}, {1}), part("b", "k", "", {2}, {1})}),
            (Lines{"a [1]: 1", "b [1]: 2"}));
  EXPECT_EQ(entries({part("a", "k", "", {1}, {1})}, {"k"}), Lines{"a [1]: 1"});
  EXPECT_EQ(entries({part("a", "a", "", {1}, {1}), part("b", "a_1", "", {2}, {1})}, {"a"}),
            (Lines{"a_1 [1]: 2", "a_2 [1]: 1"}));
}

// b falls back to its name, which is the key of a.
TEST(ThawedEntries, MakeRoomForNamesThatOthersFallBackTo) {
  EXPECT_EQ(entries({part("a", "b", "", {1}, {1}), part("b", "k", "2 0,1", {2}, {1})}),
            (Lines{"a [1]: 1", "b [1]: 2"}));
}

}  // namespace
}  // namespace cryo
