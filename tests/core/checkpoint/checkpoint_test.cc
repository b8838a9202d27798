#include "checkpoint/checkpoint.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "bundle.h"

namespace cryo {
namespace {

void expect_refused(Bundle& bundle, std::string_view code) {
  const Result<Checkpoint> checkpoint = bundle.read();
  ASSERT_FALSE(checkpoint.ok());
  EXPECT_EQ(checkpoint.error().code, code) << checkpoint.error().message;
  EXPECT_EQ(checkpoint.error().where.file, "m.index");
}

Result<Checkpoint> read_files(const std::filesystem::path& prefix, Diagnostics& diagnostics) {
  const SourcePtr index = file_source(prefix.string() + ".index");
  if (index == nullptr) return failure("absent", prefix.string());
  return read_checkpoint(
      index,
      [&](int shard, int count) {
        return file_source(checkpoint_shard_name(prefix.string(), shard, count));
      },
      diagnostics);
}

TEST(Checkpoint, NamesWhatItHoldsWithoutReadingIt) {
  Bundle bundle;
  bundle.add("x", {}, 4, 4, unhex("0000003F"));
  bundle.add("w", {2, 3}, 8, 24, std::string(24, 'w'));
  bundle.add("empty", {0, 3}, 32, 0);
  bundle.add_shard("????" + unhex("0000003F") + std::string(24, 'w'));
  const Result<Checkpoint> checkpoint = bundle.read();
  ASSERT_TRUE(checkpoint.ok());
  EXPECT_TRUE(bundle.diagnostics.all().empty());
  EXPECT_EQ(checkpoint->prefix, "m");
  ASSERT_EQ(checkpoint->entries.size(), 3U);
  EXPECT_EQ(checkpoint->entries[0].key, "empty");
  EXPECT_EQ(checkpoint->find("nothing"), nullptr);
  const CheckpointEntry* w = checkpoint->find("w");
  ASSERT_NE(w, nullptr);
  EXPECT_EQ(w->dtype, DType::kFloat);
  EXPECT_EQ(w->shape.dims, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(w->bytes, 24U);
  ASSERT_EQ(w->content.pieces().size(), 1U);
  EXPECT_EQ(w->parts[0].bytes.offset, 8U);
  EXPECT_EQ(bundle.shards[0]->bytes_read(), 0U);
  for (const CheckpointEntry& entry : checkpoint->entries) EXPECT_TRUE(verify(entry).ok());
  EXPECT_EQ(bundle.shards[0]->bytes_read(), 28U);
}

TEST(Checkpoint, IsToldApartFromItsDataByAChecksum) {
  Bundle bundle;
  bundle.add("x", {}, 0, 4, unhex("0000003F"));
  bundle.add_shard(unhex("00000040"));
  const Result<Checkpoint> checkpoint = bundle.read();
  ASSERT_TRUE(checkpoint.ok());
  const Status status = verify(checkpoint->entries[0]);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("Checksum does not match: stored 647446098 vs. calculated"),
            std::string::npos)
      << status.error().message;
  EXPECT_EQ(status.error().where.file, "m.data-00000-of-00001");
  EXPECT_EQ(status.error().where.tensor, "x");
}

TEST(Checkpoint, NamesAMissingShardAndKeepsTheStructure) {
  Bundle bundle;
  bundle.header = unhex("08021A020801");
  bundle.add("here", {}, 0, 4, "abcd");
  bundle.add("x", {3}, 0, 12).set_shard_id(1);
  bundle.add_shard("abcd", 0, 2);
  expect_fault(bundle, "missing-shard");
  const Diagnostic& missing = bundle.diagnostics.all()[0];
  EXPECT_EQ(missing.message, "has 1 of 2 shards; missing m.data-00001-of-00002");
  EXPECT_EQ(missing.severity, Severity::kWarning);
  const Result<Checkpoint> checkpoint = bundle.read();
  EXPECT_EQ(checkpoint->missing_shards, (std::vector<std::string>{"m.data-00001-of-00002"}));
  EXPECT_EQ(checkpoint->find("x")->shape.dims, (std::vector<int64_t>{3}));
  EXPECT_EQ(checkpoint->find("x")->bytes, 12U);
  EXPECT_TRUE(verify(*checkpoint->find("here")).ok());
}

TEST(Checkpoint, AsksForAShardOnceAndOnlyWhereATensorNeedsIt) {
  Bundle bundle;
  bundle.header = unhex("08FFFFFFFF071A020801");
  bundle.add("x", {}, 0, 4);
  bundle.add("y", {}, 4, 4);
  std::map<int, int> asked;
  const Result<Checkpoint> checkpoint = read_checkpoint(
      std::make_shared<MemorySource>(bundle.index()),
      [&](int shard, int) -> SourcePtr {
        ++asked[shard];
        return nullptr;
      },
      bundle.diagnostics);
  ASSERT_TRUE(checkpoint.ok());
  EXPECT_EQ(asked, (std::map<int, int>{{0, 1}}));
}

TEST(Checkpoint, FindsTensorsThatLieOutsideTheirData) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  for (const int64_t offset : {int64_t{1}, int64_t{4}, int64_t{5}, most, most - 3}) {
    Bundle bundle;
    bundle.add("x", {}, offset, 4);
    bundle.add_shard("abcd");
    expect_fault(bundle, "outside-data");
  }
  for (const int64_t offset : {int64_t{-1}, std::numeric_limits<int64_t>::min()}) {
    Bundle bundle;
    bundle.add("x", {}, offset, 4);
    bundle.add_shard("abcd");
    expect_fault(bundle, "bad-entry-place");
  }
}

TEST(Checkpoint, FindsShardsThatItDoesNotHave) {
  for (const int shard :
       {-1, 1, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
    Bundle bundle;
    bundle.add("x", {}, 0, 4).set_shard_id(shard);
    bundle.add_shard("abcd");
    expect_fault(bundle, "bad-entry-place");
  }
}

TEST(Checkpoint, FindsSizesThatDoNotFitTypeAndShape) {
  for (const int64_t size : {0, 3, 5, 8}) {
    Bundle bundle;
    bundle.add("x", {}, 0, size);
    bundle.add_shard("abcdefgh");
    expect_fault(bundle, "bad-entry-size");
  }
  Bundle strings;
  strings.add("x", {1000}, 0, 8).set_dtype(tensorflow::DT_STRING);
  strings.add_shard("abcdefgh");
  expect_fault(strings, "bad-entry-size");
}

TEST(Checkpoint, FindsShapesThatNoTensorHas) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  const std::vector<std::vector<int64_t>> shapes = {
      {-1}, {most, 2}, {most, most, 0}, {most}, {-5, 2}, std::vector<int64_t>(255, 1)};
  for (const auto& shape : shapes) {
    Bundle bundle;
    bundle.add("x", shape, 0, 4);
    bundle.add_shard("abcd");
    expect_fault(bundle, "bad-entry-shape");
  }
}

TEST(Checkpoint, FindsTypesThatNoStoredTensorHas) {
  for (const int dtype : {0, 20, 77, 101, -1}) {
    Bundle bundle;
    bundle.add("x", {}, 0, 4).set_dtype(static_cast<tensorflow::DataType>(dtype));
    bundle.add_shard("abcd");
    expect_fault(bundle, "bad-entry-dtype");
  }
}

TEST(Checkpoint, WarnsOfTensorsThatShareBytes) {
  Bundle bundle;
  bundle.add("a", {}, 0, 4, "abcd");
  bundle.add("b", {}, 3, 4, "defg");
  bundle.add_shard("abcdefgh");
  const Result<Checkpoint> checkpoint = bundle.read();
  ASSERT_TRUE(checkpoint.ok());
  ASSERT_EQ(bundle.diagnostics.all().size(), 1U);
  EXPECT_EQ(bundle.diagnostics.all()[0].code, "shared-bytes");
  EXPECT_TRUE(verify(*checkpoint->find("b")).ok());
}

TEST(Checkpoint, IsRefusedWithoutAHeaderThatTensorFlowTakes) {
  const std::vector<std::pair<const char*, const char*>> headers = {
      {"", "bad-checkpoint-header"},                        // no shards
      {"08001A020801", "bad-checkpoint-header"},            // the same, said aloud
      {"08FFFFFFFFFFFFFFFFFF01", "bad-checkpoint-header"},  // -1 shards
      {"0A", "bad-checkpoint-header"},                      // cut short
      {"080110021A020801", "bad-checkpoint-header"},        // neither little- nor big-endian
      {"08011A0408011002", "checkpoint-version"},           // min_consumer 2
      {"08011A0508011A0101", "checkpoint-version"}};        // bad_consumers 1
  for (const auto& [header, code] : headers) {
    Bundle bundle;
    bundle.header = unhex(header);
    expect_refused(bundle, code);
  }
  TableWriter headless;
  headless.add("x", "y");
  Diagnostics diagnostics;
  const auto none = [](int, int) -> SourcePtr { return nullptr; };
  EXPECT_FALSE(read_checkpoint(std::make_shared<MemorySource>(*headless.finish().read_all()), none,
                               diagnostics)
                   .ok());
  EXPECT_FALSE(read_checkpoint(std::make_shared<MemorySource>(*TableWriter().finish().read_all()),
                               none, diagnostics)
                   .ok());
}

TEST(Checkpoint, IsRefusedWhereAnEntryCannotBeParsed) {
  TableWriter table;
  table.add("", unhex("08011A020801"));
  table.add("x", unhex("0A"));
  Diagnostics diagnostics;
  const Result<Checkpoint> checkpoint = read_checkpoint(
      std::make_shared<MemorySource>(*table.finish().read_all(), "m.index"),
      [](int, int) -> SourcePtr { return nullptr; }, diagnostics);
  ASSERT_FALSE(checkpoint.ok());
  EXPECT_EQ(checkpoint.error().message, "Entry for key x not parseable.");
}

TEST(Checkpoint, CutAtAnyLengthIsRefused) {
  const std::string index = sliced().index();
  for (size_t size = 0; size < index.size(); ++size) {
    Diagnostics diagnostics;
    EXPECT_FALSE(read_checkpoint(
                     std::make_shared<MemorySource>(index.substr(0, size)),
                     [](int, int) -> SourcePtr { return nullptr; }, diagnostics)
                     .ok())
        << size;
  }
}

TEST(Checkpoint, WithAnyByteChangedIsRefusedOrReadsTheSame) {
  Bundle bundle = sliced();
  const std::string index = bundle.index();
  for (size_t at = 0; at < index.size(); ++at) {
    for (const int flip : {1, 0x80, 0xFF}) {
      std::string changed = index;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      const Result<Checkpoint> checkpoint = read_checkpoint(
          std::make_shared<MemorySource>(changed), [&](int, int) { return bundle.shards[0]; },
          bundle.diagnostics);
      if (!checkpoint.ok()) continue;
      ASSERT_EQ(checkpoint->entries.size(), 1U) << at;
      EXPECT_TRUE(verify(checkpoint->entries[0]).ok()) << at;
    }
  }
}

// A CRC guards against chance, not against intent.
TEST(Checkpoint, OfDamagedRecordsUnderGoodChecksumsNeverCrashes) {
  Bundle bundle = sliced();
  bundle.add("s", {2}, 0, 8).set_dtype(tensorflow::DT_STRING);
  bundle.add("v", {2}, 0, 8).set_dtype(tensorflow::DT_VARIANT);
  for (const auto& [damaged_key, entry] : bundle.entries) {
    const std::string good = entry.SerializeAsString();
    for (size_t at = 0; at < good.size(); ++at) {
      for (int value = 0; value < 256; ++value) {
        TableWriter table;
        table.add("", bundle.header);
        for (const auto& [key, other] : bundle.entries) {
          std::string record = other.SerializeAsString();
          if (key == damaged_key) record[at] = static_cast<char>(value);
          table.add(key, record);
        }
        Diagnostics diagnostics;
        const Result<Checkpoint> checkpoint = read_checkpoint(
            std::make_shared<MemorySource>(*table.finish().read_all()),
            [&](int, int) { return bundle.shards[0]; }, diagnostics);
        if (!checkpoint.ok()) continue;
        for (const CheckpointEntry& each : checkpoint->entries) (void)verify(each).ok();
      }
    }
  }
}

TEST(Checkpoint, ShardsAreNamedWithFiveDigitsOrMore) {
  EXPECT_EQ(checkpoint_shard_name("a/m.ckpt", 0, 1), "a/m.ckpt.data-00000-of-00001");
  EXPECT_EQ(checkpoint_shard_name("", 12, 123456), ".data-00012-of-123456");
  EXPECT_EQ(checkpoint_prefix("a/m.ckpt.index"), "a/m.ckpt");
  EXPECT_EQ(checkpoint_prefix("table"), "table");
}

TEST(Fixtures, AllVerify) {
  for (const char* name : {"ref/model.ckpt", "partitioned/model.ckpt", "shards/model.ckpt",
                           "snappy/model.ckpt", "types/model.ckpt"}) {
    Diagnostics diagnostics;
    const Result<Checkpoint> checkpoint = read_files(fixture(name), diagnostics);
    ASSERT_TRUE(checkpoint.ok()) << name << ": " << checkpoint.error().message;
    EXPECT_TRUE(diagnostics.all().empty()) << name;
    EXPECT_FALSE(checkpoint->entries.empty());
    for (const CheckpointEntry& entry : checkpoint->entries) {
      const Status status = verify(entry);
      EXPECT_TRUE(status.ok()) << name << " " << to_text(status.error());
    }
  }
}

TEST(Fixtures, WithoutAShardNameIt) {
  Diagnostics diagnostics;
  const Result<Checkpoint> checkpoint =
      read_files(fixture("missing_shard/model.ckpt"), diagnostics);
  ASSERT_TRUE(checkpoint.ok());
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_EQ(diagnostics.all()[0].message,
            "has 1 of 2 shards; missing model.ckpt.data-00001-of-00002");
}

TEST(Corpus, CheckpointsVerifyWhereTheirDataIsThere) {
  if (!std::filesystem::is_directory(corpus())) GTEST_SKIP() << "no corpus at " << corpus();
  int checkpoints = 0;
  uint64_t verified = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(corpus())) {
    if (file.path().extension() != ".index") continue;
    Diagnostics diagnostics;
    const Result<Checkpoint> checkpoint =
        read_files(checkpoint_prefix(file.path().string()), diagnostics);
    ASSERT_TRUE(checkpoint.ok()) << to_text(checkpoint.error());
    ++checkpoints;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      EXPECT_EQ(diagnostic.code, "missing-shard") << to_text(diagnostic);
    }
    for (const CheckpointEntry& entry : checkpoint->entries) {
      if (entry.fault != nullptr) continue;
      const Status status = verify(entry);
      EXPECT_TRUE(status.ok()) << to_text(status.error());
      verified += entry.bytes;
    }
  }
  EXPECT_GT(checkpoints, 0);
  std::cout << checkpoints << " checkpoints, " << verified << " bytes verified\n";
}

}  // namespace
}  // namespace cryo
