// Every read of a container is compared with the checksum that it states, whoever reads.
#include "bytes/checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "archive/zip.h"
#include "archive/zip_writer.h"
#include "bundle.h"
#include "bytes/coding.h"
#include "bytes/crc32.h"
#include "bytes/crc32c.h"
#include "checkpoint/checkpoint_v1.h"
#include "checkpoint/content_checksum.h"
#include "commands/verbs.h"
#include "files.h"
#include "formats/arrays/npz.h"
#include "formats/open.h"
#include "formats/write.h"

namespace cryo {
namespace {

std::string numbers(size_t size) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 131 + (i >> 8));
  return bytes;
}

uint32_t crc_of(CrcSum::Kind kind, std::string_view bytes) {
  return kind == CrcSum::kCrc32c ? crc32c(bytes) : crc32_extend(0, bytes);
}

TEST(CrcSumTest, GivesTheChecksumWhateverTheOrder) {
  const std::string bytes = numbers(5000);
  std::mt19937 random(7);
  for (const CrcSum::Kind kind : {CrcSum::kCrc32c, CrcSum::kCrc32}) {
    for (int round = 0; round < 50; ++round) {
      CrcSum sum(kind, bytes.size());
      for (int i = 0; i < 20; ++i) {
        const size_t at = random() % bytes.size();
        const size_t size = std::min<size_t>(random() % 900, bytes.size() - at);
        ASSERT_TRUE(sum.take(at, std::string_view(bytes).substr(at, size)).ok());
      }
      for (Sum::ByteRange left = sum.missing(); left.begin < left.end; left = sum.missing()) {
        const auto size = static_cast<size_t>(left.end - left.begin);
        const auto at = static_cast<size_t>(left.begin);
        ASSERT_TRUE(sum.take(left.begin, std::string_view(bytes).substr(at, size)).ok());
      }
      EXPECT_EQ(*sum.finish(), crc_of(kind, bytes));
    }
  }
}

TEST(CrcSumTest, ForgetsRatherThanGrowWithoutEnd) {
  const std::string byte = "x";
  const uint64_t size = 4 * CrcSum::kMaxStretches;
  CrcSum sum(CrcSum::kCrc32c, size);
  for (uint64_t at = 0; at < size; at += 2) ASSERT_TRUE(sum.take(at, byte).ok());
  ASSERT_TRUE(sum.take(0, std::string(static_cast<size_t>(size), 'x')).ok());
  EXPECT_EQ(*sum.finish(), crc32c(std::string(static_cast<size_t>(size), 'x')));
}

std::shared_ptr<const CheckedSlice> check_of(const SourcePtr& source, std::string_view right,
                                             Checks* list = nullptr) {
  return make_check(list, whole(source), crc32c(right),
                    std::make_unique<CrcSum>(CrcSum::kCrc32c, right.size()), "copy it again",
                    {"w"});
}

TEST(CheckedSliceTest, FailsWithTheLastByteAndReadsEachOnce) {
  const std::string right = numbers(300'000);
  std::string wrong = right;
  wrong[123'456] ^= 1;
  const auto source = std::make_shared<CountingSource>(wrong, "data");
  const auto check = check_of(source, right);
  std::string half(150'000, '\0');
  EXPECT_TRUE(read_exactly(*check, 150'000, half).ok());
  const Status status = read_exactly(*check, 0, half);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, "checksum");
  EXPECT_EQ(status.error().where.file, "data");
  EXPECT_EQ(status.error().where.tensor, "w");
  EXPECT_EQ(status.error().where.offset, 0U);
  EXPECT_EQ(source->bytes_read(), source->size());
  EXPECT_FALSE(check->finish().ok()) << "the verdict stays";
}

TEST(CheckedSliceTest, FinishReadsWhatIsMissing) {
  const std::string right = numbers(1000);
  const auto source = std::make_shared<CountingSource>(right, "data");
  Checks list;
  const auto check = check_of(source, right, &list);
  EXPECT_TRUE(list.finish().ok());
  EXPECT_EQ(source->bytes_read(), 0U) << "nobody needs it";
  std::string some(10, '\0');
  EXPECT_TRUE(read_exactly(*check, 500, some).ok());
  EXPECT_TRUE(list.finish().ok());
  EXPECT_EQ(source->bytes_read(), 1000U);
  const CheckCount count = count_checks({std::make_shared<Checks>(list)});
  EXPECT_EQ(count.tensors, 1U);
  EXPECT_EQ(count.bytes, 1000U);
}

TEST(CheckedSliceTest, TakesWhatAHostReadByItself) {
  const std::string right = numbers(1000);
  std::string wrong = right;
  wrong[999] ^= 4;
  const auto check = check_of(std::make_shared<CountingSource>(right, "data"), right);
  EXPECT_TRUE(check->take(0, std::string_view(wrong).substr(0, 500)).ok());
  EXPECT_FALSE(check->take(500, std::string_view(wrong).substr(500)).ok());
}

// Files by name, the only one with a byte changed at `at` from its end.
std::vector<SourcePtr> fixture_files(const std::vector<std::string>& names, const std::string& bad,
                                     size_t at) {
  std::vector<SourcePtr> files;
  for (const std::string& name : names) {
    std::string bytes = file_bytes(fixture(name));
    if (name == bad) bytes[at] ^= 0x10;
    files.push_back(std::make_shared<MemorySource>(bytes, name));
  }
  return files;
}

// The code of the error that a verb and writing end with; "" for none.
std::string outcome_of(const std::vector<SourcePtr>& files, const std::string& verb,
                       const std::string& as, const std::vector<std::string>& outputs,
                       bool no_checksum = false) {
  Diagnostics diagnostics;
  OpenOptions open_options;
  open_options.no_checksum = no_checksum;
  const auto model = open(files, open_options, diagnostics);
  if (!model) return model.error().code;
  Options options;
  options.prune.selection.outputs = outputs;
  options.freeze.selection.outputs = outputs;
  const Outcome outcome = run_verb(verb, *model, options, nullptr, diagnostics);
  if (!outcome.model) return outcome.report.diagnostics.all().back().code;
  const auto written = write(*outcome.model, {as, "out"}, diagnostics);
  if (!written) return written.error().code;
  for (const OutputFile& file : *written) {
    const auto bytes = file.content.read_all();
    if (!bytes) return bytes.error().code;
  }
  const Status finished = finish_checks(outcome.model->checks);
  return finished ? "" : finished.error().code;
}

const std::vector<std::string> kReference = {"ref/model.ckpt.meta", "ref/model.ckpt.index",
                                             "ref/model.ckpt.data-00000-of-00001"};

TEST(ChecksTest, EveryVerbRefusesADamagedWeightOfACheckpoint) {
  const auto files = fixture_files(kReference, kReference[2], 1);
  const auto good = fixture_files(kReference, "", 0);
  for (const auto& [verb, as] : {std::pair("freeze", "pb"),
                                 {"freeze", "tfjs"},
                                 {"convert", "checkpoint"},
                                 {"convert", "checkpoint-v1"},
                                 {"convert", "savedmodel"},
                                 {"weights", "npz"},
                                 {"weights", "safetensors"},
                                 {"weights", "checkpoint"}}) {
    EXPECT_EQ(outcome_of(files, verb, as, {}), "checksum") << verb << " " << as;
    EXPECT_EQ(outcome_of(good, verb, as, {}), "") << verb << " " << as;
    EXPECT_EQ(outcome_of(files, verb, as, {}, true), "") << verb << " " << as;
  }
}

TEST(ChecksTest, ASavedModelIsNotCopiedUnseen) {
  const std::vector<std::string> names = {
      "saved_models/counter/saved_model.pb", "saved_models/counter/variables/variables.index",
      "saved_models/counter/variables/variables.data-00000-of-00001"};
  EXPECT_EQ(outcome_of(fixture_files(names, "", 0), "convert", "savedmodel", {}), "");
  EXPECT_EQ(outcome_of(fixture_files(names, names[2], 0), "convert", "savedmodel", {}), "checksum");
}

TEST(ChecksTest, SlicesThatInterleaveAreReadOnceAndCompared) {
  Bundle bundle = sliced();
  const auto checkpoint = bundle.read();
  ASSERT_TRUE(checkpoint.ok());
  EXPECT_EQ(*checkpoint->find("x")->content.read_all(), "aaaabbbbeeeeccccddddffff");
  EXPECT_EQ(bundle.shards[0]->bytes_read(), 24U);
  for (size_t at = 0; at < 24; ++at) {
    std::string bytes = "eeeeffffaaaabbbbccccdddd";
    bytes[at] ^= 1;
    bundle.add_shard(bytes);
    const auto damaged = bundle.read();
    EXPECT_FALSE(damaged->find("x")->content.read_all().ok()) << at;
  }
}

TEST(ChecksTest, StringsAreComparedAsTheyAreRead) {
  std::string lengths;
  for (const uint32_t length : {2U, 0U, 3U}) put_fixed32(lengths, length);
  std::string content("\x02\x00\x03", 3);
  put_fixed32(content, mask_crc(crc32c(lengths)));
  content += "abxyz";
  ContentChecksum checksum(DType::kString, 3);
  ASSERT_TRUE(checksum.update(content).ok());
  for (size_t at = 0; at <= content.size(); ++at) {
    std::string bytes = content;
    if (at < content.size()) bytes[at] ^= 1;
    const auto check =
        make_check(nullptr, fresh(bytes), *checksum.finish(),
                   std::make_unique<ContentSum>(DType::kString, 3, false, content.size()), "");
    std::string read(bytes.size(), '\0');
    EXPECT_EQ(read_exactly(*check, 0, read).ok(), at == content.size()) << at;
  }
}

TEST(ChecksTest, BlocksOfAV1CheckpointAreComparedWhenTheirTensorsAreCopied) {
  const std::string bytes = file_bytes(fixture("v1/model.ckpt"));
  int refused = 0;
  for (size_t at = 0; at < bytes.size(); at += 7) {
    std::string damaged = bytes;
    damaged[at] ^= 0x20;
    const std::vector<SourcePtr> files = {std::make_shared<MemorySource>(damaged, "v1/model.ckpt")};
    const std::string code = outcome_of(files, "convert", "checkpoint", {});
    refused += code.empty() ? 0 : 1;
    const std::string unchecked = outcome_of(files, "convert", "checkpoint", {}, true);
    EXPECT_FALSE(code == "checksum" && unchecked == "checksum") << at;
  }
  EXPECT_EQ(outcome_of({std::make_shared<MemorySource>(bytes, "v1/model.ckpt")}, "convert",
                       "checkpoint", {}),
            "");
  EXPECT_GT(refused, static_cast<int>(bytes.size() / 7 * 3 / 4));
}

// The bytes with the one at `at` changed, as a zip file whose directory is right.
std::string damaged_zip(const std::string& name, const std::string& content, size_t at) {
  std::string zip = *write_zip({{name, Splice(fresh(content))}})->read_all();
  zip[zip.find(content) + at] ^= 1;
  return zip;
}

TEST(ChecksTest, AGraphInAZipIsComparedWhenItIsWritten) {
  const std::string graph = file_bytes(fixture("ref/frozen.pb"));
  for (const size_t at : {graph.size() / 2, graph.size() - 1}) {
    const std::vector<SourcePtr> files = {
        std::make_shared<MemorySource>(damaged_zip("frozen.pb", graph, at), "model.zip")};
    EXPECT_NE(outcome_of(files, "convert", "pb", {}), "") << at;
  }
  const std::string good = *write_zip({{"frozen.pb", Splice(fresh(graph))}})->read_all();
  EXPECT_EQ(outcome_of({std::make_shared<MemorySource>(good, "model.zip")}, "convert", "pb", {}),
            "");
}

TEST(ChecksTest, ArraysOfAnNpzAreComparedAndOnlyTheChosen) {
  std::string npz = file_bytes(fixture("archives/stored.npz"));
  Diagnostics diagnostics;
  Checks list;
  const auto source = std::make_shared<MemorySource>(npz, "a.npz");
  const auto checkpoint = read_npz(source, diagnostics, &list);
  ASSERT_TRUE(checkpoint.ok());
  for (const CheckpointEntry& entry : checkpoint->entries) {
    EXPECT_EQ(verify(entry).ok(), entry.fault == nullptr) << entry.key;
  }
  const CheckpointEntry& first = checkpoint->entries.front();
  ASSERT_EQ(first.checks.size(), 1U);
  EXPECT_EQ(first.checks[0]->tensors(), std::vector<std::string>{first.key});
}

}  // namespace
}  // namespace cryo
