#include <gtest/gtest.h>
#include <snappy.h>
#include <sys/resource.h>

#include <map>
#include <random>
#include <string>

#include "bytes/coding.h"
#include "bytes/crc32c.h"
#include "files.h"
#include "sstable/table_reader.h"
#include "sstable/table_writer.h"

namespace cryo {
namespace {

using Model = std::map<std::string, std::string>;

std::string write_table(const Model& model) {
  TableWriter writer;
  for (const auto& [key, value] : model) writer.add(key, value);
  return *writer.finish().read_all();
}

Status read_table(const std::string& file, Model& model) {
  return for_each_entry(MemorySource(file, "t.index"),
                        [&](std::string_view key, std::string_view value) -> Status {
                          model.insert_or_assign(std::string(key), std::string(value));
                          return Unit{};
                        });
}

// A block as a table holds it, of any type, its checksum right.
BlockHandle put_typed_block(std::string& file, const std::string& contents, char type) {
  const BlockHandle handle = {file.size(), contents.size()};
  file += contents + type;
  put_fixed32(file, mask_crc(crc32c(contents + type)));
  return handle;
}

std::string bytes_of(BlockBuilder builder) { return *builder.finish().contents.read_all(); }

// A table of given data blocks, whatever they hold.
std::string table_of(const std::vector<std::string>& blocks, char type = 0,
                     const std::vector<std::string>& index_keys = {"\xFF", "\xFF\xFF"}) {
  std::string file;
  BlockBuilder index(1);
  for (size_t i = 0; i < blocks.size(); ++i) {
    std::string handle;
    put_handle(handle, put_typed_block(file, blocks[i], type));
    index.add(index_keys[i], handle);
  }
  Footer footer;
  footer.metaindex = put_typed_block(file, bytes_of(BlockBuilder(1)), 0);
  footer.index = put_typed_block(file, bytes_of(std::move(index)), 0);
  put_footer(file, footer);
  return file;
}

// An entry of a block, right or wrong, followed by its restarts.
std::string block_of(const std::string& entries, std::vector<uint32_t> restarts = {0}) {
  std::string block = entries;
  for (const uint32_t restart : restarts) put_fixed32(block, restart);
  put_fixed32(block, static_cast<uint32_t>(restarts.size()));
  return block;
}

void expect_refused(const std::string& file, std::string_view message) {
  Model model;
  const Status status = read_table(file, model);
  ASSERT_FALSE(status.ok()) << message;
  EXPECT_NE(status.error().message.find(message), std::string::npos) << status.error().message;
  EXPECT_EQ(status.error().where.file, "t.index");
}

TEST(Table, OfAScalarAndItsHeaderIsTensorFlowsFile) {
  const Model model = {{"", unhex("08011a020801")}, {"x", unhex("080112002804350638271f")}};
  EXPECT_EQ(write_table(model),
            unhex("00000608011a02080100010b78080112002804350638271f 0000000001000000 00 695c7853"
                  "0000000001000000 00 c0f2a1b0 000102790020 0000000001000000 00 c24c0642"
                  "2508 320e") +
                std::string(36, '\0') + unhex("57fb808b247547db"));
}

TEST(Table, OfAHeaderAloneIsTensorFlowsFile) {
  EXPECT_EQ(write_table({{"", unhex("08011a020801")}}),
            unhex("00000608011a020801 0000000001000000 00 629457f9 0000000001000000 00 c0f2a1b0"
                  "0000020011 0000000001000000 00 ccbf8b5d 1608 230d") +
                std::string(36, '\0') + unhex("57fb808b247547db"));
}

TEST(Table, ReadsBackWhatWasWritten) {
  std::mt19937 random(7);
  for (const size_t count : {0U, 1U, 2U, 15U, 16U, 17U, 33U, 1000U, 20'000U}) {
    for (const size_t most : {0U, 10U, 100U}) {
      Model model;
      for (size_t i = 0; i < count; ++i) {
        std::string key = i % 7 == 0 ? "model/layer_" : "";
        for (size_t n = random() % 12; n > 0; --n) key += static_cast<char>(random());
        model[key] = std::string(random() % (most + 1), static_cast<char>(i));
      }
      Model read;
      ASSERT_TRUE(read_table(write_table(model), read).ok()) << count;
      ASSERT_EQ(read, model);
    }
  }
}

TEST(Table, ReadsBackValuesAroundAndOverTheSizeOfABlock) {
  for (const size_t size : {262'000U, 262'144U, 524'280U, 524'288U, 1'000'000U}) {
    Model model;
    for (const char* key : {"", "a", "b", "c\xFF", "\xFF", "\xFF\xFF"})
      model[key] = std::string(size, 'v');
    model["bb"] = "small";
    Model read;
    ASSERT_TRUE(read_table(write_table(model), read).ok()) << size;
    ASSERT_EQ(read, model);
  }
}

TEST(Table, HoldsSeveralBlocksWhereItIsOver256KiB) {
  Model model;
  for (int i = 0; i < 40'000; ++i) model["variable_" + std::to_string(i)] = std::string(20, 'e');
  const std::string file = write_table(model);
  const MemorySource source(file);
  const Result<Footer> footer = read_footer(source);
  ASSERT_TRUE(footer.ok());
  const Result<std::string> index = read_block(source, footer->index);
  ASSERT_TRUE(index.ok());
  int blocks = 0;
  const Status status =
      for_each_block_entry(*index, {}, [&](std::string_view, std::string_view value) -> Status {
        BlockHandle handle;
        EXPECT_TRUE(take_handle(value, handle));
        EXPECT_LT(handle.size, kTableBlockBytes + 1000);
        ++blocks;
        return Unit{};
      });
  EXPECT_TRUE(status.ok());
  EXPECT_GT(blocks, 3);
}

TEST(Table, ReadsBlocksThatSnappyPacked) {
  BlockBuilder builder(16);
  for (int i = 0; i < 900; ++i) builder.add("key" + std::to_string(1000 + i), std::string(50, 'x'));
  std::string packed;
  const std::string block = bytes_of(std::move(builder));
  snappy::Compress(block.data(), block.size(), &packed);
  ASSERT_LT(packed.size(), block.size() / 4);
  Model model;
  const Status status = read_table(table_of({packed}, 1), model);
  ASSERT_TRUE(status.ok()) << to_text(status.error());
  EXPECT_EQ(model.size(), 900U);
  EXPECT_EQ(model["key1899"], std::string(50, 'x'));
}

TEST(Table, StopsAtTheFirstErrorOfItsVisitor) {
  int seen = 0;
  const Status status = for_each_entry(MemorySource(write_table({{"a", ""}, {"b", ""}, {"c", ""}})),
                                       [&](std::string_view, std::string_view) -> Status {
                                         if (++seen == 2) return failure("cancelled", "enough");
                                         return Unit{};
                                       });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, "cancelled");
  EXPECT_EQ(seen, 2);
}

TEST(Table, RefusesWhatIsNone) {
  expect_refused("", "file is too short to be an sstable: 0 bytes");
  expect_refused(std::string(47, 'x'), "file is too short to be an sstable");
  expect_refused("\x89PNG" + std::string(100, 'x'), "not an sstable (bad magic number)");
}

TEST(Table, RefusesHandlesThatLeaveTheFile) {
  for (const BlockHandle handle :
       {BlockHandle{0, ~uint64_t{0}}, BlockHandle{~uint64_t{0}, 1},
        BlockHandle{~uint64_t{0} - 4, 8}, BlockHandle{0, ~uint64_t{0} - 5}, BlockHandle{1, 48},
        BlockHandle{0, uint64_t{1} << 33}}) {
    std::string file(48, '\0');
    Footer footer;
    footer.index = handle;
    put_footer(file, footer);
    expect_refused(file, "truncated block read");
  }
  std::string file;
  put_varint(file, ~uint64_t{0});
  file += std::string(30, '\xFF');
  put_fixed64(file, kTableMagic);
  expect_refused(std::string(20, '\0') + file, "bad block handle");
}

TEST(Table, RefusesEntriesWhoseLengthsWrapIn32Bits) {
  for (const uint64_t length :
       {uint64_t{0xFFFFFFFF}, uint64_t{0xFFFFFFFD}, ~uint64_t{0}, uint64_t{1} << 32}) {
    for (int place = 0; place < 3; ++place) {
      std::string entry;
      for (int i = 0; i < 3; ++i) put_varint(entry, i == place ? length : 3);
      expect_refused(table_of({block_of(entry + "keyvalue")}), "bad entry in block");
    }
  }
}

TEST(Table, RefusesBlocksThatContradictThemselves) {
  const std::string a = unhex("00 01 00 61");
  const std::string b = unhex("00 01 00 62");
  expect_refused(table_of({""}), "bad block contents");
  expect_refused(table_of({unhex("ffffffff")}), "bad block contents");
  expect_refused(table_of({unhex("00000000 02000000")}), "bad block contents");
  expect_refused(table_of({block_of(a, {0, 2})}), "bad block contents");
  expect_refused(table_of({block_of(unhex("01 01 00 61"))}), "bad entry in block");
  expect_refused(table_of({block_of(a + unhex("01 01 00 62"), {0, 4})}), "bad entry in block");
  expect_refused(table_of({block_of(a + unhex("02 01 00 62"))}), "bad entry in block");
  expect_refused(table_of({block_of(a)}, 2), "bad block type");
  expect_refused(table_of({block_of(a)}, 1), "corrupted compressed block contents");
  expect_refused(table_of({block_of(a + a)}), "not strictly increasing");
  expect_refused(table_of({block_of(b), block_of(a)}), "not strictly increasing");
}

// The most memory this program has had, in MB.
int64_t peak_megabytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

TEST(Table, RefusesASnappyLengthThatItsBytesCannotHaveBeforeMakingRoom) {
  std::string packed;
  put_varint(packed, 0x7FFFFFFF);
  const auto before = peak_megabytes();  // of the tests that ran in this process so far
  expect_refused(table_of({packed + "abc"}, 1), "corrupted compressed block contents");
  EXPECT_LT(peak_megabytes(), before + 1000);
}

TEST(Table, RefusesAnIndexThatWouldHideKeysFromALookup) {
  const std::string a = block_of(unhex("00 01 00 61"));
  const std::string c = block_of(unhex("00 01 00 63"));
  expect_refused(table_of({a, c}, 0, {"A", "d"}), "not strictly increasing");
  expect_refused(table_of({a, c}, 0, {"c", "d"}), "not strictly increasing");
  Model model;
  EXPECT_TRUE(read_table(table_of({a, c}, 0, {"a", "c"}), model).ok());
}

TEST(Table, PutsAnEntryOfTwoBlocksSizeIntoOneOfItsOwn) {
  const auto blocks_with = [](size_t size) {
    const std::string file = write_table({{"a", "1"}, {"b", std::string(size, 'v')}});
    size_t blocks = 0;
    const MemorySource source(file);
    const Result<std::string> index = read_block(source, read_footer(source)->index);
    const Status status =
        for_each_block_entry(*index, {}, [&](std::string_view, std::string_view) -> Status {
          ++blocks;
          return Unit{};
        });
    EXPECT_TRUE(status.ok());
    return blocks;
  };
  EXPECT_EQ(blocks_with(2 * kTableBlockBytes - 2), 1U);
  EXPECT_EQ(blocks_with(2 * kTableBlockBytes - 1), 2U);
}

TEST(Table, RefusesABlockUsedTwice) {
  std::string file;
  std::string handle;
  put_handle(handle, put_typed_block(file, bytes_of(BlockBuilder(1)), 0));
  BlockBuilder index(1);
  index.add("a", handle);
  index.add("b", handle);
  Footer footer;
  footer.index = put_typed_block(file, bytes_of(std::move(index)), 0);
  put_footer(file, footer);
  expect_refused(file, "blocks overlap");
}

TEST(Table, RefusesKeysThatUnfoldBeyondAnyWriters) {
  std::string entries = unhex("00 E8 07 00") + std::string(1000, 'k');
  for (int i = 0; i < 4000; ++i) {
    put_varint(entries, static_cast<uint64_t>(1000 + i));
    entries += std::string("\x01\x00k", 3);
  }
  expect_refused(table_of({block_of(entries)}), "repeat more of each other");
}

TEST(Table, CutAtAnyLengthIsRefused) {
  const std::string file = write_table({{"", "header"}, {"a/b", "one"}, {"a/c", "two"}});
  for (size_t size = 0; size < file.size(); ++size) {
    Model model;
    EXPECT_FALSE(read_table(file.substr(0, size), model).ok()) << size;
  }
}

TEST(Table, WithAnyBitFlippedIsRefusedOrReadsTheSame) {
  const Model model = {{"", "header"}, {"a/b", "one"}, {"a/c", "two"}};
  const std::string file = write_table(model);
  for (size_t bit = 0; bit < 8 * file.size(); ++bit) {
    std::string flipped = file;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    Model read;
    if (read_table(flipped, read).ok()) {
      EXPECT_EQ(read, model) << "bit " << bit;
    }
  }
}

}  // namespace
}  // namespace cryo
