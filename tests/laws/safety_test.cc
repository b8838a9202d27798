// Law 7: whatever happened to a file, it ends in a diagnostic or in a result.

#include <algorithm>
#include <filesystem>
#include <random>

#include "base/text.h"
#include "bytes/crc32c.h"
#include "hostile.h"
#include "road.h"
#include "source_folder.h"
#include "sstable/table_reader.h"
#include "sstable/table_writer.h"

namespace cryo::laws {
namespace {

// How many places of a file are tried: natively all of a small one; where each takes longer, some.
#if defined(__has_feature)
#define CRYO_SANITIZED __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define CRYO_SANITIZED 1
#else
#define CRYO_SANITIZED 0
#endif
#if defined(__EMSCRIPTEN__) || CRYO_SANITIZED
constexpr size_t kMax = 16;
#else
constexpr size_t kMax = 2000;
#endif
constexpr size_t kMaxOfLarge = std::min<size_t>(kMax, 300);
constexpr size_t kSmall = 2000;

// Places in a file: all of them, or some.
std::vector<size_t> places(size_t size) {
  const size_t most = size <= kSmall ? kMax : kMaxOfLarge;
  std::mt19937 random(static_cast<uint32_t>(size));
  std::vector<size_t> all;
  for (size_t i = 0; i < std::min(size, most); ++i)
    all.push_back(size <= most ? i : random() % size);
  return all;
}

// The model of a fixture with one of its files changed.
struct Fixture {
  Fixture() = default;
  explicit Fixture(const std::string& path) : asked(path), changed(path), bytes(bytes_of(path)) {
    for (const std::string& each : files_below(std::string(folder_of(path)))) {
      if (each != path) others.emplace_back(each, bytes_of(each));
    }
  }
  Files with(std::string mutated) const {
    Files files;
    for (const auto& [name, other] : others) files.put(name, other);
    files.put(changed, std::move(mutated));
    return files;
  }

  std::string asked = {};  // the path that is opened
  std::string changed = {};
  std::string bytes = {};
  std::vector<std::pair<std::string, std::string>> others = {};
};

int survive_prefixes_and_flips(const Fixture& fixture) {
  int tried = 0;
  std::mt19937 random(7);
  for (const size_t place : places(fixture.bytes.size())) {
    SCOPED_TRACE(cat(fixture.changed, " at ", place));
    survive(fixture.with(fixture.bytes.substr(0, place)), fixture.asked);
    std::string flipped = fixture.bytes;
    flipped[place] = static_cast<char>(flipped[place] ^ static_cast<int>(1U << (random() % 8)));
    survive(fixture.with(std::move(flipped)), fixture.asked);
    tried += 2;
    if (testing::Test::HasFailure()) break;
  }
  return tried;
}

// Small fixtures of one kind, every `step`th of them.
std::vector<std::string> fixtures(const std::string& ending, size_t step) {
  std::vector<std::string> paths;
  size_t seen = 0;
  for (const std::string& path : files_below(cat(source_folder(), "/tests/data"))) {
    if (path.ends_with(ending) && std::filesystem::file_size(path) <= kSmall && seen++ % step == 0)
      paths.push_back(path);
  }
  return paths;
}

std::vector<std::string> fixtures_of_all_kinds() {
  std::vector<std::string> all;
  for (const auto& some : {fixtures(".pb", 1), fixtures(".index", 1),
                           fixtures(".data-00000-of-00001", 8), fixtures("checkpoint", 8)}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

class Safety : public testing::TestWithParam<std::string> {};

TEST_P(Safety, OfEveryPrefixAndEveryFlip) {
  EXPECT_GT(survive_prefixes_and_flips(Fixture(GetParam())), 0);
}

INSTANTIATE_TEST_SUITE_P(SmallFixtures, Safety, testing::ValuesIn(fixtures_of_all_kinds()),
                         [](const auto& each) { return test_name(Case{each.param}.name()); });

TEST(SafetyOfLargerFiles, OfSomePrefixesAndFlips) {
  int tried = 0;
  for (const char* name : {"while_trained", "call", "functional", "partitioned"}) {
    tried += survive_prefixes_and_flips(
        Fixture(cat(source_folder(), "/tests/data/", name, "/model.ckpt.meta")));
  }
  std::cout << tried << " mutations\n";
  EXPECT_GT(tried, 100);
}

TEST(SafetyOfTensorFlowLite, OfSomePrefixesAndFlips) {
  int tried = 0;
  for (const std::string& path : files_below(cat(source_folder(), "/tests/data/tflite"))) {
    Fixture fixture;
    fixture.asked = fixture.changed = path;
    fixture.bytes = bytes_of(path);
    tried += survive_prefixes_and_flips(fixture);
  }
  EXPECT_GT(tried, 100);
}

// A TensorFlow.js model of constants of many types, functions included.
TEST(SafetyOfTensorFlowJs, OfSomePrefixesAndFlips) {
  int tried = 0;
  for (const char* name : {"functional", "call"}) {
    const Opened opened({cat(source_folder(), "/tests/data/", name, "/frozen.pb")});
    ASSERT_TRUE(opened.model.ok());
    const Written files = written(*opened.model, "tfjs");
    ASSERT_EQ(files.size(), 2U);
    for (const auto& file : files) {
      Fixture fixture;
      fixture.asked = "out/model.json";
      fixture.changed = file.first;
      fixture.bytes = file.second;
      for (const auto& other : files) {
        if (other.first != file.first) fixture.others.push_back(other);
      }
      tried += survive_prefixes_and_flips(fixture);
    }
  }
  std::cout << tried << " mutations of TensorFlow.js models\n";
  EXPECT_GT(tried, 100);
}

// A flip in an index is found by its block's checksum; here the checksum is made right again.
TEST(SafetyOfIndexes, OfFlippedEntriesUnderRightChecksums) {
  int tried = 0;
  std::mt19937 random(9);
  for (const std::string& path : fixtures(".index", 1)) {
    const Fixture fixture(path);
    std::vector<std::pair<std::string, std::string>> entries;
    const Status read = for_each_entry(MemorySource(fixture.bytes),
                                       [&](std::string_view key, std::string_view value) -> Status {
                                         entries.emplace_back(key, value);
                                         return Unit{};
                                       });
    ASSERT_TRUE(read.ok()) << path;
    for (size_t i = 0; i < std::min<size_t>(kMax, 100) / 4; ++i) {
      auto mutated = entries;
      std::string& value = mutated[random() % mutated.size()].second;
      if (value.empty()) continue;
      value[random() % value.size()] = static_cast<char>(random());
      TableWriter table;
      for (const auto& entry : mutated) table.add(entry.first, entry.second);
      SCOPED_TRACE(cat(path, " mutation ", i));
      survive(fixture.with(*table.finish().read_all()), path);
      ++tried;
    }
  }
  std::cout << tried << " mutations\n";
  EXPECT_GT(tried, 100);
}

}  // namespace
}  // namespace cryo::laws
