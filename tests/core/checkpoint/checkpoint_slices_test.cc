#include "checkpoint/checkpoint_slices.h"

#include <gtest/gtest.h>

#include <limits>

#include "bundle.h"

namespace cryo {
namespace {

using tensorflow::BundleEntryProto;

TEST(PartitionedTensor, IsJoinedWholeAndEachSliceVerifiedOnce) {
  Bundle bundle = sliced();
  const Result<Checkpoint> checkpoint = bundle.read();
  ASSERT_TRUE(checkpoint.ok());
  EXPECT_TRUE(bundle.diagnostics.all().empty());
  ASSERT_EQ(checkpoint->entries.size(), 1U);
  const CheckpointEntry& entry = checkpoint->entries[0];
  ASSERT_EQ(entry.fault, nullptr);
  EXPECT_EQ(entry.bytes, 24U);
  EXPECT_EQ(entry.parts.size(), 2U);
  EXPECT_EQ(bundle.shards[0]->bytes_read(), 0U);
  EXPECT_TRUE(verify(entry).ok());
  EXPECT_EQ(bundle.shards[0]->bytes_read(), 24U);
  const Result<std::string> content = entry.content.read_all();
  ASSERT_TRUE(content.ok());
  EXPECT_EQ(*content, "aaaabbbbeeeeccccddddffff");
  EXPECT_EQ(known_checksum(entry), std::nullopt);
}

TEST(PartitionedTensor, InRowsKeepsItsKnownChecksum) {
  Bundle bundle;
  BundleEntryProto& whole = bundle.add("x", {3}, 0, 0);
  for (const auto& [start, length] : {std::pair(1, 2), std::pair(0, 1)}) {
    tensorflow::TensorSliceProto* slice = whole.add_slices();
    slice->add_extent()->set_start(start);
    slice->mutable_extent(0)->set_length(length);
  }
  bundle.add(slice_key("x", std::vector<Extent>{{1, 2}}), {2}, 0, 8, "bbbbcccc");
  bundle.add(slice_key("x", std::vector<Extent>{{0, 1}}), {1}, 8, 4, "aaaa");
  bundle.add_shard("bbbbccccaaaa");
  const Result<Checkpoint> checkpoint = bundle.read();
  ASSERT_TRUE(checkpoint.ok());
  const CheckpointEntry& entry = checkpoint->entries[0];
  EXPECT_EQ(*entry.content.read_all(), "aaaabbbbcccc");
  EXPECT_EQ(known_checksum(entry), mask_crc(crc32c("aaaabbbbcccc")));
}

TEST(PartitionedTensor, WithSlicesThatDoNotMakeItIsAFault) {
  const std::string first = slice_key("x", std::vector<Extent>{{}, {0, 2}});
  Bundle lost = sliced();
  lost.entries.erase(first);
  expect_fault(lost, "bad-slices");
  Bundle other_type = sliced();
  other_type.entries[first].set_dtype(tensorflow::DT_INT32);
  expect_fault(other_type, "bad-slices");
  Bundle other_shape = sliced();
  other_shape.entries[first].mutable_shape()->mutable_dim(0)->set_size(4);
  expect_fault(other_shape, "bad-slices");
  Bundle outside = sliced();
  outside.entries[first].set_offset(9);
  expect_fault(outside, "outside-data");
  Bundle twice = sliced();
  *twice.entries["x"].mutable_slices(1) = twice.entries["x"].slices(0);
  expect_fault(twice, "bad-slices");
  Bundle part = sliced();
  part.entries["x"].mutable_slices()->RemoveLast();
  expect_fault(part, "bad-slices");
  Bundle leaves = sliced();
  leaves.entries["x"].mutable_slices(1)->mutable_extent(1)->set_start(
      std::numeric_limits<int64_t>::max());
  expect_fault(leaves, "bad-slices");
  Bundle scalar = sliced();
  scalar.entries["x"].clear_shape();
  expect_fault(scalar, "bad-slices");
  Bundle strings = sliced();
  strings.entries["x"].set_dtype(tensorflow::DT_STRING);
  expect_fault(strings, "bad-slices");
}

}  // namespace
}  // namespace cryo
