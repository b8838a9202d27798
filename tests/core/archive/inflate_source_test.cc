#include "archive/inflate_source.h"

#include "bytes/crc32.h"
#include "counting_source.h"
#include "deflate.h"

namespace cryo {
namespace {

struct Packed {
  explicit Packed(const std::string& plain, int level = Z_DEFAULT_COMPRESSION)
      : source(std::make_shared<CountingSource>(deflated(plain, level), "packed")),
        cache(std::make_shared<InflaterCache>()) {}

  InflateSource claiming(uint64_t size, std::optional<uint32_t> crc = {}) const {
    return {whole(source), {size, crc}, "plain", cache};
  }

  std::shared_ptr<CountingSource> source;
  std::shared_ptr<InflaterCache> cache;
};

TEST(Crc32, IsThatOfTheRfc) {
  EXPECT_EQ(crc32_extend(0, "123456789"), 0xCBF43926U);
  EXPECT_EQ(crc32_extend(crc32_extend(0, "1234"), "56789"), 0xCBF43926U);
  EXPECT_EQ(crc32_extend(0, ""), 0U);
}

TEST(InflateSource, ReadsAnyPieceInAnyOrder) {
  const std::string plain = compressible(9'000'000);
  const Packed packed(plain);
  const InflateSource source = packed.claiming(plain.size(), crc32_extend(0, plain));
  std::mt19937 random(7);
  for (int i = 0; i < 30; ++i) {
    const size_t offset = random() % plain.size();
    const size_t size = random() % std::min<size_t>(plain.size() - offset + 1, 3'000'000);
    ASSERT_EQ(read(source, offset, size), plain.substr(offset, size)) << offset << " " << size;
  }
  EXPECT_EQ(read_all(source), plain);
}

// The news of the stream's end may come after its last byte.
TEST(InflateSource, ReadsFilesOfAnySizeInHalves) {
  for (size_t size = 1; size < 1100; size += 3) {
    const std::string plain = compressible(size);
    const Packed packed(plain);
    const InflateSource source = packed.claiming(size, crc32_extend(0, plain));
    ASSERT_EQ(read(source, 0, size / 2), plain.substr(0, size / 2)) << size;
    ASSERT_EQ(read(source, size / 2, size - size / 2), plain.substr(size / 2)) << size;
  }
}

TEST(InflateSource, HeadAndTailAreNotDecodedTwice) {
  const std::string plain = compressible(20'000'000);
  const Packed packed(plain, 1);
  const InflateSource source = packed.claiming(plain.size());
  const uint64_t all = packed.source->size();
  EXPECT_EQ(read(source, plain.size() - 100, 100), plain.substr(plain.size() - 100));
  EXPECT_EQ(packed.source->bytes_read(), all);
  EXPECT_EQ(read(source, plain.size() - 5'000'000, 100),
            plain.substr(plain.size() - 5'000'000, 100));
  EXPECT_EQ(read(source, 0, 100), plain.substr(0, 100));
  // A place is at most 4 MB back; and decoding begins with small reads.
  EXPECT_LT(packed.source->bytes_read(), all + all / 3);
}

TEST(InflateSource, ReadingOnDecodesNothingTwice) {
  const std::string plain = compressible(1'000'000);
  const Packed packed(plain);
  const InflateSource source = packed.claiming(plain.size());
  for (size_t at = 0; at < plain.size(); at += 1000) {
    ASSERT_EQ(read(source, at, 1000), plain.substr(at, 1000)) << at;
  }
  EXPECT_EQ(packed.source->bytes_read(), packed.source->size());
}

TEST(InflateSource, DecodersOfManySourcesAreFew) {
  const std::string plain = compressible(100'000);
  const Packed packed(plain);
  std::vector<std::unique_ptr<InflateSource>> sources;
  for (int i = 0; i < 20; ++i) {
    sources.push_back(std::make_unique<InflateSource>(
        whole(packed.source), InflateSource::Claim{plain.size(), {}}, "plain", packed.cache));
  }
  for (size_t at = 0; at < plain.size(); at += 10'000) {
    for (const auto& source : sources) {
      ASSERT_EQ(read(*source, at, 10'000), plain.substr(at, 10'000)) << at;
    }
  }
}

TEST(InflateSource, NothingIsAllocatedByAClaim) {
  const Packed packed("abc");
  const InflateSource source = packed.claiming(uint64_t{1} << 60);
  EXPECT_EQ(read(source, 1, 1), "b");
  EXPECT_EQ(read(source, uint64_t{1} << 50, 1), "bad-deflate");
}

TEST(InflateSource, AWrongSizeIsFoundAtTheEnd) {
  const std::string plain = compressible(1000);
  const Packed packed(plain);
  const InflateSource longer = packed.claiming(1001);
  EXPECT_EQ(read(longer, 0, 1000), plain);
  EXPECT_EQ(read(longer, 0, 1001), "bad-deflate");
  const InflateSource shorter = packed.claiming(999);
  EXPECT_EQ(read(shorter, 0, 998), plain.substr(0, 998));
  EXPECT_EQ(read(shorter, 0, 999), "bad-deflate");
  EXPECT_EQ(read(shorter, 0, 1), "bad-deflate");
}

TEST(InflateSource, AWrongChecksumIsFoundAtTheEnd) {
  const std::string plain = compressible(1000);
  const Packed packed(plain);
  EXPECT_EQ(read_all(packed.claiming(1000, crc32_extend(0, plain))), plain);
  EXPECT_EQ(read_all(packed.claiming(1000, 7)), "checksum");
}

TEST(InflateSource, DamageIsToldWithItsOffset) {
  const std::string plain = compressible(100'000);
  const std::string bytes = deflated(plain);
  for (const std::string& damaged : {bytes.substr(0, bytes.size() / 2),
                                     patched(bytes, bytes.size() / 2, std::string(50, '\xFF')),
                                     std::string("\x07garbage"), std::string()}) {
    const auto cache = std::make_shared<InflaterCache>();
    const auto packed = std::make_shared<MemorySource>(damaged + std::string(1000, '\0'), "packed");
    const InflateSource source({packed, 0, damaged.size()}, {plain.size(), {}}, "plain", cache);
    std::string out(plain.size(), '\0');
    const Status status = source.read(0, {out.data(), out.size()});
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, "bad-deflate");
    EXPECT_EQ(status.error().where.file, "packed");
  }
}

TEST(InflateSource, LearnsASizeThatNobodyTells) {
  const std::string plain = compressible(9'000'000);
  const std::string bytes = deflated(plain);
  const auto packed = std::make_shared<MemorySource>(bytes + "behind", "packed");
  const auto learnt =
      InflateSource::learn(whole(packed), "plain", std::make_shared<InflaterCache>());
  ASSERT_TRUE(learnt.ok());
  EXPECT_EQ(learnt->consumed, bytes.size());
  EXPECT_EQ(learnt->crc, crc32_extend(0, plain));
  EXPECT_EQ(learnt->source->size(), plain.size());
  EXPECT_EQ(read(*learnt->source, 8'500'000, 100), plain.substr(8'500'000, 100));
  EXPECT_EQ(read_all(*learnt->source), plain);
}

}  // namespace
}  // namespace cryo
