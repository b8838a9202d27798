#include "passes/diff/weight_difference.h"

#include <gtest/gtest.h>

#include "bundle.h"
#include "graphs.h"

namespace cryo {
namespace {

Bundle one(const std::string& bytes, const std::string& summed) {
  Bundle bundle;
  bundle.add("w", {2}, 0, 8, summed);
  bundle.add_shard(bytes);
  return bundle;
}

std::string described(const Result<Difference>& found) {
  return found ? std::to_string(found->count) : found.error().code;
}

TEST(DifferenceOf, ReadsEachOnceAndComparesChecksumsOnTheWay) {
  Bundle a = one("aaaabbbb", "aaaabbbb");
  Bundle b = one("aaaabbbc", "aaaabbbc");
  const auto in_a = *a.read();
  const auto in_b = *b.read();
  const uint64_t before = a.shards[0]->bytes_read();
  EXPECT_EQ(described(difference_of(in_a.entries[0], in_b.entries[0])), "1");
  EXPECT_EQ(a.shards[0]->bytes_read() - before, 8U);
  EXPECT_EQ(described(difference_of(in_a.entries[0], in_a.entries[0])), "0");
}

TEST(DifferenceOf, FindsADamagedWeightOnEitherSide) {
  Bundle good = one("aaaabbbb", "aaaabbbb");
  Bundle bad = one("aaaabbbx", "aaaabbbb");
  const auto in_good = *good.read();
  const auto in_bad = *bad.read();
  EXPECT_EQ(described(difference_of(in_good.entries[0], in_bad.entries[0])), "checksum");
  EXPECT_EQ(described(difference_of(in_bad.entries[0], in_good.entries[0])), "checksum");
}

TEST(DifferenceOf, NeedsContentsOfTheirSize) {
  const auto right = checkpoint_of({{"w", {1, 2}}});
  CheckpointEntry cut = right->entries[0];
  cut.content = cut.content.sub(0, 4);
  EXPECT_EQ(described(difference_of(right->entries[0], cut)), "bad-content");
  CheckpointEntry gone = right->entries[0];
  gone.fault = std::make_shared<const Diagnostic>(*failure("missing-shard", ""));
  EXPECT_EQ(described(difference_of(gone, right->entries[0])), "missing-shard");
}

}  // namespace
}  // namespace cryo
