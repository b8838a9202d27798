#include "bytes/splice.h"

#include <gtest/gtest.h>

#include <random>

#include "bytes/splice_cutter.h"
#include "counting_source.h"

namespace cryo {
namespace {

SourcePtr memory(std::string bytes) { return std::make_shared<MemorySource>(std::move(bytes)); }

// Fails when the bytes at `broken` are requested.
class BrokenSource final : public ByteSource {
 public:
  explicit BrokenSource(uint64_t broken) : broken_(broken) {}
  const std::string& name() const override { return name_; }
  uint64_t size() const override { return uint64_t{1} << 40; }
  Status read(uint64_t offset, std::span<char> out) const override {
    if (offset <= broken_ && broken_ < offset + out.size()) return failure("read-failed", "broken");
    return Unit{};
  }

 private:
  uint64_t broken_;
  std::string name_ = "broken";
};

TEST(Source, IsReadWithinItsBoundsOnly) {
  const MemorySource source("abcdef", "file");
  std::string out(2, '\0');
  EXPECT_TRUE(read_exactly(source, 4, out).ok());
  EXPECT_EQ(out, "ef");
  for (const uint64_t offset : {uint64_t{5}, uint64_t{7}, ~uint64_t{0}}) {
    const Status status = read_exactly(source, offset, out);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, "truncated");
    EXPECT_EQ(status.error().where.file, "file");
    EXPECT_EQ(*status.error().where.offset, offset);
  }
  EXPECT_TRUE(read_exactly(source, 6, {}).ok());
}

TEST(Splice, JoinsNeighboursOfOneSource) {
  const SourcePtr source = memory("abcdef");
  Splice splice;
  splice.append(Slice{source, 0, 2});
  splice.append(Slice{source, 2, 1});
  splice.append(Slice{source, 4, 0});
  splice.append(Slice{source, 4, 1});
  splice.append(fresh("!"));
  ASSERT_EQ(splice.pieces().size(), 3U);
  EXPECT_EQ(splice.pieces()[0].size, 3U);
  EXPECT_EQ(splice.size(), 5U);
  EXPECT_EQ(*splice.read_all(), "abce!");
}

TEST(Splice, IsTheStringItStandsFor) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    const std::string bytes = "the bytes of a file";
    const SourcePtr source = memory(bytes);
    Splice splice;
    std::string text;
    for (auto left = random() % 6; left > 0; --left) {
      const size_t offset = random() % bytes.size();
      const size_t size = random() % (bytes.size() - offset + 1);
      splice.append(Slice{source, offset, size});
      text += bytes.substr(offset, size);
    }
    ASSERT_EQ(*splice.read_all(), text);
    for (size_t offset = 0; offset <= text.size(); ++offset) {
      const size_t size = random() % (text.size() - offset + 1);
      ASSERT_EQ(*splice.sub(offset, size).read_all(), text.substr(offset, size));
    }
  }
}

TEST(Splice, IsHandedOnInBoundedStepsAndReadOnce) {
  const auto source = std::make_shared<CountingSource>(std::string(3 * Splice::kStep + 5, 'x'), "");
  Splice splice(whole(source));
  splice.append(fresh("end"));
  uint64_t handed = 0;
  const Status status = splice.for_each_chunk([&](std::string_view chunk) -> Status {
    EXPECT_LE(chunk.size(), Splice::kStep);
    handed += chunk.size();
    return Unit{};
  });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(handed, splice.size());
  EXPECT_EQ(source->bytes_read(), source->size());
}

TEST(Splice, EndsWithTheFirstErrorOfAReadOrOfTheSink) {
  const Splice splice(whole(std::make_shared<BrokenSource>(2 * Splice::kStep)));
  int chunks = 0;
  const auto count = [&](std::string_view) -> Status {
    ++chunks;
    return Unit{};
  };
  EXPECT_EQ(splice.for_each_chunk(count).error().code, "read-failed");
  EXPECT_EQ(chunks, 2);
  const auto refuse = [&](std::string_view) -> Status { return failure("full", "disk full"); };
  EXPECT_EQ(splice.for_each_chunk(refuse).error().code, "full");
}

TEST(SpliceCutter, GivesTheRunsThatSubGives) {
  Splice splice;
  for (const char* piece : {"a", "bcd", "efghijklm", "n"}) splice.append(fresh(piece));
  SpliceCutter cutter(splice);
  uint64_t position = 0;
  for (const uint64_t size : {0U, 2U, 2U, 0U, 9U, 1U}) {
    EXPECT_EQ(*cutter.take(size).read_all(), *splice.sub(position, size).read_all());
    position += size;
    EXPECT_EQ(cutter.position(), position);
    EXPECT_EQ(cutter.left(), splice.size() - position);
  }
}

}  // namespace
}  // namespace cryo
