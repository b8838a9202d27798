#include "checkpoint/checkpoint_writer.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "bytes/crc32c.h"
#include "checkpoint/checkpoint_index.h"
#include "files.h"
#include "sstable/table_reader.h"
#include "sstable/table_writer.h"

namespace cryo {
namespace {

Splice bytes_of(const std::string& bytes) { return Splice(fresh(bytes)); }

Result<Checkpoint> read_back(const CheckpointFiles& files, Diagnostics& diagnostics) {
  std::vector<SourcePtr> data;
  for (const Splice& shard : files.shards) {
    const Result<std::string> bytes = shard.read_all();
    if (!bytes) return bytes.error();
    data.push_back(std::make_shared<MemorySource>(*bytes, "out.data"));
  }
  return read_checkpoint(
      std::make_shared<MemorySource>(*files.index.read_all(), "out.index"),
      [&](int shard, int) { return data.at(static_cast<size_t>(shard)); }, diagnostics);
}

// The value of the only tensor "x" in an index.
std::string entry_bytes(const std::string& index) {
  std::string entry;
  EXPECT_TRUE(for_each_entry(MemorySource(index),
                             [&](std::string_view key, std::string_view value) -> Status {
                               if (key == "x") entry = value;
                               return Unit{};
                             })
                  .ok());
  return entry;
}

TEST(CheckpointWriter, WritesTensorFlowsIndexOfAScalar) {
  CheckpointWriter writer;
  ASSERT_TRUE(writer.add("x", DType::kFloat, Shape{}, bytes_of(unhex("0000003F"))).ok());
  const CheckpointFiles files = writer.finish();
  EXPECT_EQ(*files.index.read_all(),
            unhex("00000608011a02080100010b78080112002804350638271f 0000000001000000 00 695c7853"
                  "0000000001000000 00 c0f2a1b0 000102790020 0000000001000000 00 c24c0642"
                  "2508 320e") +
                std::string(36, '\0') + unhex("57fb808b247547db"));
  ASSERT_EQ(files.shards.size(), 1U);
  EXPECT_EQ(*files.shards[0].read_all(), unhex("0000003F"));
}

TEST(CheckpointWriter, WritesTensorFlowsIndexOfNothing) {
  const CheckpointFiles files = CheckpointWriter().finish();
  EXPECT_EQ(*files.index.read_all(),
            unhex("00000608011a020801 0000000001000000 00 629457f9 0000000001000000 00"
                  "c0f2a1b0 0000020011 0000000001000000 00 ccbf8b5d 1608 230d") +
                std::string(36, '\0') + unhex("57fb808b247547db"));
  ASSERT_EQ(files.shards.size(), 1U);
  EXPECT_EQ(files.shards[0].size(), 0U);
}

TEST(CheckpointWriter, WritesTensorFlowsEntries) {
  CheckpointWriter empty;
  ASSERT_TRUE(empty.add("x", DType::kFloat, Shape{false, {0, 3}}, Splice()).ok());
  EXPECT_EQ(entry_bytes(*empty.finish().index.read_all()), unhex("0801120612001202080335D8EA82A2"));
  CheckpointWriter strings;
  ASSERT_TRUE(
      strings.add("x", DType::kString, Shape{false, {2}}, bytes_of(unhex("020078270B346162")))
          .ok());
  EXPECT_EQ(entry_bytes(*strings.finish().index.read_all()),
            unhex("08071204120208022808359188B04D"));
}

TEST(CheckpointWriter, PutsDataInTheOrderOfAddingAndKeysInTheirs) {
  CheckpointWriter writer;
  const Slice w = fresh("wwwwwwww");
  ASSERT_TRUE(writer.add("w", DType::kInt32, Shape{false, {2}}, Splice(w)).ok());
  ASSERT_TRUE(writer.add("a", DType::kUint8, Shape{false, {3}}, bytes_of("aaa")).ok());
  ASSERT_TRUE(writer.add("\xFF", DType::kBool, Shape{}, bytes_of("\1")).ok());
  const CheckpointFiles files = writer.finish();
  ASSERT_EQ(files.shards.size(), 1U);
  ASSERT_EQ(files.shards[0].pieces().size(), 3U);
  EXPECT_EQ(files.shards[0].pieces()[0].source, w.source);
  Diagnostics diagnostics;
  const Result<Checkpoint> checkpoint = read_back(files, diagnostics);
  ASSERT_TRUE(checkpoint.ok());
  EXPECT_TRUE(diagnostics.all().empty());
  ASSERT_EQ(checkpoint->entries.size(), 3U);
  EXPECT_EQ(checkpoint->entries[0].key, "a");
  EXPECT_EQ(checkpoint->entries[0].parts[0].bytes.offset, 8U);
  for (const CheckpointEntry& entry : checkpoint->entries) EXPECT_TRUE(verify(entry).ok());
}

// "a6 b4|c3|d20|e1": the tensors of each data file.
std::string shards_of(uint64_t shard_size, const std::vector<uint64_t>& sizes) {
  CheckpointWriter writer(shard_size);
  char key = 'a';
  for (const uint64_t size : sizes) {
    const Shape shape{false, {static_cast<int64_t>(size)}};
    const auto content = bytes_of(std::string(static_cast<size_t>(size), key));
    EXPECT_TRUE(writer.add(std::string(1, key++), DType::kUint8, shape, content).ok());
  }
  const CheckpointFiles files = writer.finish();
  Diagnostics diagnostics;
  const Result<Checkpoint> checkpoint = read_back(files, diagnostics);
  EXPECT_TRUE(checkpoint.ok());
  if (!checkpoint) return "";
  EXPECT_EQ(checkpoint->num_shards, static_cast<int>(files.shards.size()));
  std::string reported;
  int last = 0;
  for (const CheckpointEntry& entry : checkpoint->entries) {
    EXPECT_TRUE(verify(entry).ok()) << entry.key;
    const bool same = entry.parts[0].shard == last;
    if (!reported.empty()) reported += same ? ' ' : '|';
    reported += cat(entry.key, entry.bytes);
    last = entry.parts[0].shard;
  }
  return reported;
}

TEST(CheckpointWriter, BeginsADataFileWhereATensorWouldMakeTheLastTooLarge) {
  EXPECT_EQ(shards_of(10, {6, 4, 3, 20, 1}), "a6 b4|c3|d20|e1");
  EXPECT_EQ(shards_of(0, {6, 4, 3, 20, 1}), "a6 b4 c3 d20 e1");
  EXPECT_EQ(shards_of(1, {0, 2, 0, 1}), "a0 b2 c0|d1");
  EXPECT_EQ(shards_of(10, {0, 10, 0}), "a0 b10 c0");
}

TEST(CheckpointWriter, RefusesWhatACheckpointCannotHold) {
  CheckpointWriter writer;
  const Splice four = bytes_of("abcd");
  ASSERT_TRUE(writer.add("x", DType::kFloat, Shape{}, four).ok());
  EXPECT_EQ(writer.add("x", DType::kFloat, Shape{}, four).error().message,
            "Adding duplicate key: x");
  EXPECT_FALSE(writer.add("", DType::kFloat, Shape{}, four).ok());
  EXPECT_FALSE(writer.add(std::string("\0a", 2), DType::kFloat, Shape{}, four).ok());
  EXPECT_FALSE(writer.add("y", DType::kFloat, Shape{false, {2}}, four).ok());
  EXPECT_FALSE(writer.add("y", DType::kFloat, Shape{false, {-1}}, four).ok());
  EXPECT_FALSE(writer.add("y", DType::kFloat, Shape{true, {}}, four).ok());
  EXPECT_FALSE(writer.add("y", DType::kResource, Shape{}, four).ok());
  EXPECT_FALSE(writer.add("y", make_ref(DType::kFloat), Shape{}, four).ok());
  EXPECT_FALSE(writer.add("y", DType::kString, Shape{}, four).ok());
  Diagnostics diagnostics;
  EXPECT_EQ(read_back(writer.finish(), diagnostics)->entries.size(), 1U);
}

// Every table of the folder, uncompressed as TensorFlow writes them, made again from its own
// entries.
void expect_same_tables(const std::filesystem::path& folder, int& same, int& packed) {
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    if (file.path().extension() != ".index") continue;
    const std::string bytes = file_bytes(file.path());
    TableWriter writer;
    const Status status = for_each_entry(
        MemorySource(bytes), [&](std::string_view key, std::string_view value) -> Status {
          writer.add(key, value);
          return Unit{};
        });
    ASSERT_TRUE(status.ok()) << file.path() << to_text(status.error());
    const std::string again = *writer.finish().read_all();
    // The type of the first block follows it: 1 is Snappy.
    const Result<Footer> footer = read_footer(MemorySource(bytes));
    ASSERT_TRUE(footer.ok());
    if (bytes[static_cast<size_t>(footer->metaindex.offset) - kBlockTrailerBytes] == 1) {
      ++packed;
      continue;
    }
    EXPECT_TRUE(again == bytes) << file.path();
    ++same;
  }
}

// Every whole checkpoint of the folder, written again in the order of its data.
void expect_same_checkpoints(const std::filesystem::path& folder, int& same) {
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    if (file.path().extension() != ".index") continue;
    const std::string prefix = checkpoint_prefix(file.path().string());
    Diagnostics diagnostics;
    const auto find = [&](int shard, int count) {
      return file_source(checkpoint_shard_name(prefix, shard, count));
    };
    const SourcePtr index = file_source(file.path());
    const Result<Checkpoint> checkpoint = read_checkpoint(index, find, diagnostics);
    ASSERT_TRUE(checkpoint.ok()) << file.path();
    if (!checkpoint->missing_shards.empty() || checkpoint->num_shards > 1) continue;
    std::vector<const CheckpointEntry*> entries;
    uint64_t end = 0;
    bool sliced = false;
    for (const CheckpointEntry& entry : checkpoint->entries) {
      entries.push_back(&entry);
      sliced = sliced || entry.parts.size() != 1;
      if (!sliced) end += entry.parts[0].bytes.size;
    }
    // Ours join slices, and have no gaps; what a table's type tells is the other test's.
    if (sliced || end != find(0, 1)->size()) continue;
    std::stable_sort(entries.begin(), entries.end(),
                     [](const CheckpointEntry* a, const CheckpointEntry* b) {
                       return a->parts[0].bytes.offset < b->parts[0].bytes.offset;
                     });
    CheckpointWriter known;
    CheckpointWriter computed;
    for (const CheckpointEntry* entry : entries) {
      ASSERT_TRUE(known.add(*entry).ok());
      ASSERT_TRUE(computed.add(entry->key, entry->dtype, entry->shape, entry->content).ok());
    }
    const CheckpointFiles files = known.finish();
    const std::string written = *files.index.read_all();
    EXPECT_TRUE(written == *computed.finish().index.read_all()) << file.path();
    EXPECT_GE(files.shards[0].pieces().size(), end > 0 ? 1U : 0U);
    const Result<CheckpointIndex> ours =
        read_checkpoint_index(std::make_shared<MemorySource>(written));
    const Result<CheckpointIndex> theirs = read_checkpoint_index(index);
    ASSERT_EQ(ours->records.size(), theirs->records.size());
    for (size_t i = 0; i < ours->records.size(); ++i) {
      EXPECT_EQ(ours->records[i].key, theirs->records[i].key);
      EXPECT_EQ(ours->records[i].entry.SerializeAsString(),
                theirs->records[i].entry.SerializeAsString())
          << file.path();
    }
    ++same;
  }
}

TEST(Fixtures, TablesAreMadeAgainByteForByte) {
  int same = 0;
  int packed = 0;
  expect_same_tables(fixture(""), same, packed);
  EXPECT_GT(same, 10);
  EXPECT_GT(packed, 0);
}

TEST(Fixtures, CheckpointsAreWrittenAgainWithTheSameEntries) {
  int same = 0;
  expect_same_checkpoints(fixture(""), same);
  EXPECT_GT(same, 10);
}

TEST(Corpus, TablesAreMadeAgainByteForByte) {
  if (!std::filesystem::is_directory(corpus())) GTEST_SKIP() << "no corpus at " << corpus();
  int same = 0;
  int packed = 0;
  expect_same_tables(corpus(), same, packed);
  EXPECT_GT(same, 0);
  std::cout << same << " tables the same, " << packed << " packed by Snappy\n";
}

TEST(Corpus, CheckpointsAreWrittenAgainWithTheSameEntries) {
  if (!std::filesystem::is_directory(corpus())) GTEST_SKIP() << "no corpus at " << corpus();
  int same = 0;
  expect_same_checkpoints(corpus(), same);
  EXPECT_GT(same, 0);
  std::cout << same << " checkpoints the same\n";
}

}  // namespace
}  // namespace cryo
