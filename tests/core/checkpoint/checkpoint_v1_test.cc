#include "checkpoint/checkpoint_v1.h"

#include <gtest/gtest.h>

#include "files.h"
#include "graphs.h"
#include "sstable/table_reader.h"
#include "sstable/value_slices.h"

namespace cryo {
namespace {

Result<Checkpoint> read_v1(const std::vector<std::string>& names) {
  std::vector<SourcePtr> files;
  for (const std::string& name : names) files.push_back(file_source(fixture(name)));
  Diagnostics diagnostics;
  return read_checkpoint_v1(files, "model.ckpt", diagnostics);
}

Checkpoint v2(const std::string& prefix) {
  Diagnostics diagnostics;
  auto checkpoint = read_checkpoint(
      file_source(fixture(cat(prefix, ".index"))),
      [&](int shard, int count) {
        return file_source(fixture(checkpoint_shard_name(prefix, shard, count)));
      },
      diagnostics);
  EXPECT_TRUE(checkpoint.ok());
  return checkpoint ? *checkpoint : Checkpoint();
}

// The same variables, written in both formats.
TEST(CheckpointV1, HasTheBytesOfTheSecondFormat) {
  const Checkpoint second = v2("types/model.ckpt");
  const auto first = read_v1({"types_v1/model.ckpt"});
  ASSERT_TRUE(first.ok()) << failure_of(first);
  EXPECT_GT(first->entries.size(), 15U);
  for (const CheckpointEntry& entry : first->entries) {
    const CheckpointEntry* other = second.find(entry.key);
    ASSERT_NE(other, nullptr) << entry.key;
    ASSERT_EQ(entry.fault, nullptr) << entry.key << ": " << entry.fault->message;
    EXPECT_EQ(entry.dtype, other->dtype) << entry.key;
    EXPECT_EQ(entry.shape, other->shape) << entry.key;
    EXPECT_TRUE(*entry.content.read_all() == *other->content.read_all()) << entry.key;
  }
}

TEST(CheckpointV1, JoinsSlicesAndTables) {
  const auto sliced = read_v1({"v1/model.ckpt"});
  ASSERT_TRUE(sliced.ok()) << failure_of(sliced);
  const CheckpointEntry* w = sliced->find("w");
  ASSERT_NE(w, nullptr);
  EXPECT_EQ(w->shape, (Shape{false, {4, 7}}));
  EXPECT_EQ(w->content.size(), 4U * 4 * 7);
  const auto shards =
      read_v1({"v1_shards/model.ckpt-00000-of-00002", "v1_shards/model.ckpt-00001-of-00002"});
  ASSERT_TRUE(shards.ok()) << failure_of(shards);
  EXPECT_EQ(shards->entries.size(), 2U);
}

// The first shard describes what it holds; without the second, its tensors are not known at all.
TEST(CheckpointV1, OfOneTableOfTwoHasThatTablesTensors) {
  const auto shard = read_v1({"v1_shards/model.ckpt-00000-of-00002"});
  ASSERT_TRUE(shard.ok()) << failure_of(shard);
  EXPECT_EQ(shard->entries.size(), 1U);
}

TEST(CheckpointV1, IsNamedByItsPrefix) {
  EXPECT_EQ(prefix_of_v1("a/model.ckpt-10"), "a/model.ckpt-10");
  EXPECT_EQ(prefix_of_v1("a/model.ckpt-10-00001-of-00002"), "a/model.ckpt-10");
  EXPECT_EQ(prefix_of_v1("model.ckpt-????"
                         "?-of-00002"),
            "model.ckpt");
  EXPECT_EQ(prefix_of_v1("model-of-00002"), "model-of-00002");
  EXPECT_EQ(v1_shard_name("m", 1, 2), "m-00001-of-00002");
}

// Reads all blocks.
Status verify_blocks(const std::string& bytes) {
  Checks checks;
  const auto skip = [](std::string_view, const StoredValue&) -> Status { return Unit{}; };
  CHECK_OK(for_each_value(std::make_shared<MemorySource>(bytes), skip, &checks));
  for (const auto& check : checks.all()) CHECK_OK(check->finish());
  return Unit{};
}

TEST(ValueSlices, OfDamagedBlocksAreFound) {
  for (const char* name : {"snappy/model.ckpt.index", "v1/model.ckpt", "types_v1/model.ckpt"}) {
    std::string bytes = file_bytes(fixture(name));
    EXPECT_TRUE(verify_blocks(bytes).ok()) << name;
    bytes[60] ^= 1;
    const Status damaged = verify_blocks(bytes);
    EXPECT_FALSE(damaged.ok()) << name;
  }
}

// Two readers of one format, one of them without looking at the values.
TEST(ValueSlices, AreTheEntriesOfTheTable) {
  for (const char* name : {"ref/model.ckpt.index", "snappy/model.ckpt.index", "v1/model.ckpt",
                           "types_v1/model.ckpt"}) {
    const SourcePtr file = file_source(fixture(name));
    std::vector<std::string> whole;
    ASSERT_TRUE(for_each_entry(*file, [&](std::string_view key, std::string_view value) -> Status {
                  whole.push_back(cat(key, "=", value));
                  return Unit{};
                }).ok());
    std::vector<std::string> slices;
    ASSERT_TRUE(for_each_value(file, [&](std::string_view key, const StoredValue& value) -> Status {
                  slices.push_back(cat(key, "=", *Splice(value.checked(value.bytes)).read_all()));
                  return Unit{};
                }).ok());
    EXPECT_TRUE(whole == slices) << name;
    EXPECT_FALSE(whole.empty());
  }
}

}  // namespace
}  // namespace cryo
