#include "sstable/table_salvage.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "base/text.h"
#include "bytes/coding.h"
#include "bytes/crc32c.h"
#include "sstable/table_writer.h"

namespace cryo {
namespace {

using Entries = std::map<std::string, std::string>;

// A table of several blocks, their places, and their entries.
struct Table {
  std::string bytes;
  std::vector<BlockHandle> blocks;
  std::vector<Entries> entries;  // by block
};

Table several_blocks() {
  TableWriter writer;
  Entries all;
  std::mt19937 random(1);
  for (int i = 0; i < 4000; ++i) {
    std::string value(random() % 400, '\0');
    for (char& byte : value) byte = static_cast<char>(random() % 4);
    const std::string key = i == 0 ? "" : cat("layer/", 10000 + i, "/kernel");
    writer.add(key, value);
    all.emplace(key, std::move(value));
  }
  Table table{*writer.finish().read_all(), {}, {}};
  const MemorySource source(table.bytes);
  const std::string index = *read_block(source, read_footer(source)->index);
  EXPECT_TRUE(for_each_block_entry(index, {}, [&](std::string_view, std::string_view value) {
                BlockHandle handle;
                EXPECT_TRUE(take_handle(value, handle));
                table.blocks.push_back(handle);
                return Status(Unit{});
              }).ok());
  for (const BlockHandle handle : table.blocks) {
    Entries& entries = table.entries.emplace_back();
    const std::string block = *read_block(source, handle);
    EXPECT_TRUE(for_each_block_entry(block, {}, [&](std::string_view key, std::string_view value) {
                  entries.emplace(key, value);
                  return Status(Unit{});
                }).ok());
  }
  EXPECT_GE(table.blocks.size(), 3U);
  return table;
}

struct Outcome {
  bool ok = false;
  std::string code = {};
  Entries entries = {};
  DamagedParts losses = {};
};

Outcome salvage(const std::string& bytes) {
  Outcome outcome;
  const Status status = for_each_whole_entry(
      std::make_shared<MemorySource>(bytes, "t.index"),
      [&](std::string_view key, std::string_view value) -> Status {
        EXPECT_TRUE(outcome.entries.empty() || key > outcome.entries.rbegin()->first);
        outcome.entries.emplace(key, value);
        return Unit{};
      },
      outcome.losses);
  outcome.ok = status.ok();
  if (!status) outcome.code = status.error().code;
  return outcome;
}

// "block 262316 at 1000", of each.
std::vector<std::string> listed(const DamagedParts& losses) {
  std::vector<std::string> out;
  for (const DamagedPart& each : losses) {
    EXPECT_EQ(each.why.where.file, "t.index");
    out.push_back(cat(each.what, " ", each.bytes, " at ", each.why.where.offset.value_or(0)));
  }
  return out;
}

std::string lost_block(const BlockHandle& handle) {
  return cat("block ", handle.size + kBlockTrailerBytes, " at ", handle.offset);
}

Entries without(const Table& table, size_t block) {
  Entries left;
  for (size_t i = 0; i < table.entries.size(); ++i) {
    if (i != block) left.insert(table.entries[i].begin(), table.entries[i].end());
  }
  return left;
}

std::string flipped(std::string bytes, uint64_t at) {
  bytes[static_cast<size_t>(at)] ^= 4;
  return bytes;
}

TEST(TableSalvage, OfAWholeTableNothingIsLost) {
  const Table table = several_blocks();
  const Outcome outcome = salvage(table.bytes);
  EXPECT_TRUE(outcome.ok);
  EXPECT_EQ(outcome.entries, without(table, table.blocks.size()));
  EXPECT_EQ(listed(outcome.losses), std::vector<std::string>{});
}

TEST(TableSalvage, ADamagedBlockIsLostAndNamed) {
  const Table table = several_blocks();
  for (size_t i = 0; i < table.blocks.size(); ++i) {
    for (const uint64_t within : {uint64_t{0}, uint64_t{2}, table.blocks[i].size / 2,
                                  table.blocks[i].size + kBlockTrailerBytes - 1}) {
      const std::string damaged = flipped(table.bytes, table.blocks[i].offset + within);
      const Outcome outcome = salvage(damaged);
      EXPECT_TRUE(outcome.ok);
      EXPECT_EQ(outcome.entries, without(table, i));
      EXPECT_EQ(listed(outcome.losses), std::vector{lost_block(table.blocks[i])});
    }
  }
}

TEST(TableSalvage, WithoutItsIndexBlocksAreFoundByTheirForm) {
  const Table table = several_blocks();
  const std::string cut = table.bytes.substr(0, table.bytes.size() - 3);
  const Outcome whole = salvage(cut);
  EXPECT_EQ(whole.entries, without(table, table.blocks.size()));
  EXPECT_EQ(listed(whole.losses), std::vector{cat("directory 0 at ", cut.size() - 8)});
  for (size_t i = 0; i < table.blocks.size(); ++i) {
    for (const uint64_t within : {uint64_t{0}, uint64_t{2}, table.blocks[i].size / 2}) {
      const Outcome outcome = salvage(flipped(cut, table.blocks[i].offset + within));
      EXPECT_EQ(outcome.entries, without(table, i)) << i << " " << within;
      EXPECT_EQ(listed(outcome.losses).back(), lost_block(table.blocks[i]));
    }
  }
}

TEST(TableSalvage, OfATruncatedTableTheBlocksBeforeAreWhole) {
  const Table table = several_blocks();
  std::mt19937 random(2);
  for (int i = 0; i < 12; ++i) {
    const size_t size = random() % table.bytes.size();
    const Outcome outcome = salvage(table.bytes.substr(0, size));
    Entries expected;
    uint64_t end = 0;
    for (size_t block = 0; block < table.blocks.size(); ++block) {
      const BlockHandle& handle = table.blocks[block];
      if (handle.offset + handle.size + kBlockTrailerBytes > size) break;
      end = handle.offset + handle.size + kBlockTrailerBytes;
      expected.insert(table.entries[block].begin(), table.entries[block].end());
    }
    EXPECT_EQ(outcome.entries, expected) << size;
    EXPECT_EQ(outcome.ok, !expected.empty());
    if (!outcome.ok) {
      EXPECT_EQ(outcome.code, "not-a-table");
    }
    if (outcome.ok && end < size && end < table.blocks.back().offset) {
      EXPECT_EQ(listed(outcome.losses).back(), cat("block ", size - end, " at ", end));
    }
  }
}

// Between the last whole block and the end of the file there is no room for a footer.
TEST(TableSalvage, OfATableThatEndsWithABlockThatBlockIsWhole) {
  const Table table = several_blocks();
  Entries expected;
  for (size_t block = 0; block < table.blocks.size(); ++block) {
    const BlockHandle& handle = table.blocks[block];
    const uint64_t end = handle.offset + handle.size + kBlockTrailerBytes;
    expected.insert(table.entries[block].begin(), table.entries[block].end());
    EXPECT_EQ(salvage(table.bytes.substr(0, static_cast<size_t>(end))).entries, expected) << block;
  }
}

// The index has the form of a data block.
TEST(TableSalvage, TheIndexIsNotTakenForData) {
  const Table table = several_blocks();
  const uint64_t after_data = table.blocks.back().offset + table.blocks.back().size;
  std::string damaged = table.bytes.substr(0, table.bytes.size() - 3);
  damaged[static_cast<size_t>(after_data) + kBlockTrailerBytes + 9] ^= 1;  // of the metaindex
  damaged = flipped(damaged, table.blocks.back().offset);
  const Outcome outcome = salvage(damaged);
  EXPECT_EQ(outcome.entries, without(table, table.blocks.size() - 1));
}

// Keys that do not follow those before cannot be of this table.
TEST(TableSalvage, ABlockOutOfOrderIsLost) {
  const Table table = several_blocks();
  const BlockHandle& one = table.blocks[0];
  const auto size = static_cast<size_t>(one.size + kBlockTrailerBytes);
  const Outcome outcome = salvage(table.bytes.substr(0, size) + table.bytes.substr(0, size));
  EXPECT_EQ(outcome.entries, table.entries[0]);
  EXPECT_EQ(listed(outcome.losses).back(), cat("block ", size, " at ", size));
}

TEST(TableSalvage, WhereNothingIsWholeTheTablesOwnFaultIsTheError) {
  EXPECT_EQ(salvage(std::string(100'000, '\0')).code, "not-a-table");
  EXPECT_EQ(salvage("").code, "not-a-table");
  const Table table = several_blocks();
  std::string damaged = table.bytes;
  for (const BlockHandle& handle : table.blocks) damaged = flipped(damaged, handle.offset + 100);
  EXPECT_EQ(salvage(damaged).code, "bad-block");
}

// Each entry begins a block of the right form, whose checksum would be of all that follows.
TEST(TableSalvage, TimeIsInProportionToTheFile) {
  std::string bytes;
  for (uint32_t i = 0; bytes.size() < (size_t{8} << 20); ++i) {
    bytes += std::string("\0\x04\x01", 3);
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(i >> shift);
    bytes += 'v';
  }
  put_fixed32(bytes, 0);
  put_fixed32(bytes, 1);
  bytes += std::string(5, '\0');
  EXPECT_EQ(salvage(bytes).code, "not-a-table");
}

}  // namespace
}  // namespace cryo
