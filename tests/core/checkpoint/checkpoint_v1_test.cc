#include "checkpoint/checkpoint_v1.h"

#include <gtest/gtest.h>

#include "checkpoint/checkpoint_v1_writer.h"
#include "files.h"
#include "graphs.h"
#include "sstable/block.h"
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

// Twelve tensors in three blocks or more, the description first.
std::string table_of_blocks() {
  std::vector<CheckpointEntry> entries;
  for (int i = 0; i < 12; ++i) {
    const std::string bytes(100'000, static_cast<char>('a' + i));
    CheckpointEntry entry;
    entry.key = cat("w", 10 + i);
    entry.dtype = DType::kUint8;
    entry.shape = Shape{false, {100'000}};
    entry.bytes = bytes.size();
    entry.content = Splice(whole(std::make_shared<MemorySource>(bytes)));
    entries.push_back(std::move(entry));
  }
  std::vector<const CheckpointEntry*> all;
  for (const CheckpointEntry& entry : entries) all.push_back(&entry);
  return *write_checkpoint_v1(all)->at(0).read_all();
}

struct Salvaged {
  std::string code = {};                // of the error
  std::vector<std::string> whole = {};  // the names of tensors with all of their values
  std::vector<std::string> losses = {};
};

Salvaged salvage(const std::string& bytes) {
  Diagnostics diagnostics;
  Checks checks;
  DamagedParts losses;
  const auto file = std::make_shared<MemorySource>(bytes, "model.ckpt");
  const auto checkpoint = read_checkpoint_v1({file}, "model.ckpt", diagnostics, &checks, &losses);
  Salvaged salvaged;
  for (const DamagedPart& each : losses) salvaged.losses.emplace_back(each.what);
  if (!checkpoint) {
    salvaged.code = checkpoint.error().code;
    return salvaged;
  }
  for (const CheckpointEntry& entry : checkpoint->entries) {
    const auto content = entry.content.read_all();
    if (entry.fault != nullptr || !content) continue;
    const int i = 10 * (entry.key[1] - '1') + entry.key[2] - '0';
    EXPECT_TRUE(*content == std::string(100'000, static_cast<char>('a' + i))) << entry.key;
    salvaged.whole.push_back(entry.key);
  }
  return salvaged;
}

std::vector<BlockHandle> blocks_of(const std::string& table) {
  const MemorySource source(table);
  const std::string index = *read_block(source, read_footer(source)->index);
  std::vector<BlockHandle> blocks;
  EXPECT_TRUE(for_each_block_entry(index, {}, [&](std::string_view, std::string_view value) {
                EXPECT_TRUE(take_handle(value, blocks.emplace_back()));
                return Status(Unit{});
              }).ok());
  return blocks;
}

using Strings = std::vector<std::string>;

TEST(CheckpointV1Salvage, OfATruncatedTableTheTensorsOfWholeBlocksAreLeft) {
  const std::string table = table_of_blocks();
  const std::vector<BlockHandle> blocks = blocks_of(table);
  ASSERT_GE(blocks.size(), 3U);
  EXPECT_EQ(salvage(table).whole.size(), 12U);
  EXPECT_EQ(salvage(table).losses, Strings{});
  size_t last = 0;
  for (const BlockHandle& block : blocks) {
    const size_t end = static_cast<size_t>(block.offset + block.size + kBlockTrailerBytes);
    const size_t before = salvage(table.substr(0, end - 1)).whole.size();
    const Salvaged at_end = salvage(table.substr(0, end));
    EXPECT_EQ(before, last);
    EXPECT_GT(at_end.whole.size(), last);
    EXPECT_EQ(at_end.losses, Strings{"directory"});
    last = at_end.whole.size();
  }
  EXPECT_EQ(last, 12U);
  EXPECT_EQ(salvage(table.substr(0, table.size() - 1)).whole.size(), 12U);
}

TEST(CheckpointV1Salvage, ABlockOfBadFormIsLost) {
  std::string table = table_of_blocks();
  const std::vector<BlockHandle> blocks = blocks_of(table);
  const auto header = static_cast<size_t>(blocks[1].offset);
  table[header] = '\x7F';  // shares bytes with no key
  const Salvaged with_index = salvage(table);
  EXPECT_EQ(with_index.losses, Strings{"block"});
  const Salvaged without = salvage(table.substr(0, table.size() - 1));
  EXPECT_EQ(without.losses, (Strings{"directory", "block"}));
  EXPECT_EQ(without.whole, with_index.whole);
  EXPECT_LT(without.whole.size(), 12U);
  EXPECT_GT(without.whole.size(), 5U);
}

TEST(CheckpointV1Salvage, NeedsTheDescription) {
  std::string table = table_of_blocks();
  table[0] = '\x7F';
  EXPECT_EQ(salvage(table).code, "bad-v1-checkpoint");
  EXPECT_EQ(salvage(table.substr(0, 50'000)).code, "not-a-table");
}

// A block's checksum covers the description, too.
TEST(CheckpointV1Salvage, ADescriptionWithAWrongChecksumIsReported) {
  std::string table = table_of_blocks();
  const auto end = static_cast<size_t>(blocks_of(table)[0].size);
  table[end / 2] ^= 1;  // a value of the first block
  const Salvaged salvaged = salvage(table);
  EXPECT_EQ(salvaged.losses, Strings{"header"});
  EXPECT_LT(salvaged.whole.size(), 12U);
  EXPECT_GT(salvaged.whole.size(), 5U);
}

}  // namespace
}  // namespace cryo
