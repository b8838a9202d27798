#include "checkpoint/checkpoint_v1_writer.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/reference.h"
#include "bundle.h"
#include "bytes/coding.h"
#include "checkpoint/checkpoint_v1.h"
#include "counting_source.h"
#include "files.h"
#include "graphs.h"
#include "tensor/views/packed_source.h"
#include "tensor/views/repeated_source.h"
#include "tensor/views/varint_source.h"

namespace cryo {
namespace {

Checkpoint read_v1(const std::string& bytes) {
  Diagnostics diagnostics;
  const auto file = std::make_shared<MemorySource>(bytes, "model.ckpt");
  auto checkpoint = read_checkpoint_v1({file}, "model.ckpt", diagnostics);
  EXPECT_TRUE(checkpoint.ok()) << failure_of(checkpoint);
  EXPECT_TRUE(diagnostics.all().empty());
  return checkpoint ? *checkpoint : Checkpoint();
}

std::vector<const CheckpointEntry*> entries_of(const Checkpoint& checkpoint) {
  std::vector<const CheckpointEntry*> entries;
  for (const CheckpointEntry& entry : checkpoint.entries) entries.push_back(&entry);
  return entries;
}

Result<Splice> written(const Checkpoint& checkpoint) {
  TRY(tables, write_checkpoint_v1(entries_of(checkpoint)));
  EXPECT_EQ(tables.size(), 1U);
  return tables.at(0);
}

CheckpointEntry entry_of(const std::string& key, DType dtype, std::vector<int64_t> dims,
                         Slice content) {
  CheckpointEntry entry{key, dtype, Shape{false, std::move(dims)}, content.size, Splice(content)};
  return entry;
}

TEST(CheckpointV1Writer, WritesTensorFlowsFileAgainByteForByte) {
  for (const char* name : {"types_v1/model.ckpt", "v1_shards/model.ckpt-00000-of-00002"}) {
    const std::string theirs = file_bytes(fixture(name));
    const auto ours = written(read_v1(theirs));
    ASSERT_TRUE(ours.ok()) << failure_of(ours);
    EXPECT_TRUE(*ours->read_all() == theirs) << name;
  }
}

TEST(CheckpointV1Writer, WritesPartitionedTensorsWhole) {
  const Checkpoint sliced = read_v1(file_bytes(fixture("v1/model.ckpt")));
  const auto ours = written(sliced);
  ASSERT_TRUE(ours.ok()) << failure_of(ours);
  const Checkpoint again = read_v1(*ours->read_all());
  ASSERT_EQ(again.entries.size(), sliced.entries.size());
  for (size_t i = 0; i < again.entries.size(); ++i) {
    EXPECT_EQ(again.entries[i].key, sliced.entries[i].key);
    EXPECT_EQ(*again.entries[i].content.read_all(), *sliced.entries[i].content.read_all());
  }
}

// "ab c": the keys of each table; what they hold is that of the checkpoint.
std::string tables_of(const Checkpoint& checkpoint, uint64_t shard_size) {
  const auto tables = write_checkpoint_v1(entries_of(checkpoint), shard_size);
  EXPECT_TRUE(tables.ok()) << failure_of(tables);
  std::string keys;
  std::vector<SourcePtr> files;
  for (const Splice& table : *tables) {
    const std::string bytes = *table.read_all();
    if (!keys.empty()) keys += ' ';
    for (const CheckpointEntry& entry : read_v1(bytes).entries) keys += entry.key;
    files.push_back(std::make_shared<MemorySource>(bytes, "model.ckpt"));
  }
  Diagnostics diagnostics;
  const auto again = read_checkpoint_v1(files, "model.ckpt", diagnostics);
  EXPECT_TRUE(again.ok()) << failure_of(again);
  for (size_t i = 0; again && i < again->entries.size(); ++i) {
    EXPECT_EQ(*again->entries[i].content.read_all(), *checkpoint.entries[i].content.read_all());
  }
  return keys;
}

TEST(CheckpointV1Writer, FillsTablesInOrder) {
  Checkpoint checkpoint;
  const std::vector<std::pair<const char*, std::string>> sizes = {
      {"a", "123456"}, {"b", "1234"}, {"c", "123"}, {"d", std::string(20, '7')}, {"e", "1"}};
  for (const auto& [key, bytes] : sizes) {
    checkpoint.entries.push_back(
        entry_of(key, DType::kUint8, {static_cast<int64_t>(bytes.size())}, fresh(bytes)));
  }
  EXPECT_EQ(tables_of(checkpoint, 0), "abcde");
  EXPECT_EQ(tables_of(checkpoint, 10), "ab c d e");
  EXPECT_EQ(tables_of(checkpoint, 1), "a b c d e");
  EXPECT_EQ(tables_of(checkpoint, 1000), "abcde");
  EXPECT_EQ(tables_of(Checkpoint(), 10), "") << "one table that says that there is nothing";
}

TEST(CheckpointV1Writer, ComparesChecksums) {
  Bundle bundle;
  bundle.add("x", {1}, 0, 4, "abcd");
  bundle.add_shard("abcd");
  const auto good = written(*bundle.read());
  ASSERT_TRUE(good.ok()) << failure_of(good);
  EXPECT_EQ(*read_v1(*good->read_all()).entries[0].content.read_all(), "abcd");
  EXPECT_EQ(bundle.shards[0]->bytes_read(), 4U) << "to check and to copy";
  bundle.add_shard("abcx");
  EXPECT_EQ(written(*bundle.read())->read_all().error().code, "checksum");
}

TEST(CheckpointV1Writer, RefusesWhatTheFormatCannotHold) {
  const auto code = [](CheckpointEntry entry) {
    const auto file = write_checkpoint_v1({&entry});
    return file ? std::string("fine") : file.error().code;
  };
  const Slice two = fresh("ab");
  EXPECT_EQ(code(entry_of("x", DType::kHalf, {1}, two)), "fine");
  EXPECT_EQ(code(entry_of("x", DType::kBfloat16, {1}, two)), "unsupported-dtype");
  EXPECT_EQ(code(entry_of("x", DType::kHalf, {2}, two)), "bad-entry-size");
  EXPECT_EQ(code(entry_of("\xFF", DType::kHalf, {1}, two)), "bad-key");
}

// Refused by what it would be, before any of it is read.
TEST(CheckpointV1Writer, RefusesTensorsOver2GiB) {
  const uint64_t count = uint64_t{1} << 29;
  const auto zeros = std::make_shared<RepeatedSource>(fresh(std::string(4, '\0')), count);
  const CheckpointEntry entry =
      entry_of("x", DType::kFloat, {static_cast<int64_t>(count)}, whole(zeros));
  const auto file = write_checkpoint_v1({&entry});
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().code, "too-large");
  EXPECT_EQ(file.error().where.tensor, "x");
  EXPECT_EQ(in_command_words(file.error().fix), "write a V2 checkpoint: --as checkpoint");
}

template <typename Number>
void expect_packed(DType dtype, const std::vector<Number>& numbers) {
  std::string plain;
  std::string list;
  for (const Number number : numbers) {
    for (size_t i = 0; i < sizeof number; ++i) {
      plain += static_cast<char>(static_cast<uint64_t>(number) >> (8 * i));
    }
    put_varint(list, static_cast<uint64_t>(number));
  }
  const auto packed = packed_varints(Splice(fresh(plain)), dtype);
  ASSERT_TRUE(packed.ok());
  EXPECT_EQ(*Splice(*packed).read_all(), list) << dtype_name(dtype);
  const VarintSource back(*packed, numbers.size(), sizeof(Number), VarintSource::Element::kInteger);
  std::string again(plain.size(), '\0');
  ASSERT_TRUE(read_exactly(back, 0, again).ok());
  EXPECT_EQ(again, plain);
}

TEST(PackedSource, IsTheListOfTheNumbers) {
  expect_packed<int8_t>(DType::kInt8, {0, 1, -1, 127, -128});
  expect_packed<uint8_t>(DType::kUint8, {0, 1, 127, 128, 255});
  expect_packed<uint16_t>(DType::kHalf, {0, 0x3C00, 0xFFFF});
  expect_packed<int32_t>(DType::kQint32, {5, 300, -1, std::numeric_limits<int32_t>::min()});
  expect_packed<int64_t>(DType::kInt64, {0, -1, std::numeric_limits<int64_t>::min()});
  std::vector<int32_t> many;
  for (int32_t i = 0; i < 50'000; ++i) many.push_back(i * 40'009);
  expect_packed<int32_t>(DType::kInt32, many);
}

}  // namespace
}  // namespace cryo
