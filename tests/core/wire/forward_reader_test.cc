#include "wire/forward_reader.h"

#include <gtest/gtest.h>

#include <random>

#include "counting_source.h"

namespace cryo {
namespace {

std::string counting(size_t size) {
  std::string bytes(size, '\0');
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 7 + i / 251);
  return bytes;
}

TEST(ForwardReader, ShowsTheBytesOfItsSlice) {
  const std::string bytes = counting(3'000'000);
  const auto source = std::make_shared<CountingSource>(bytes, "");
  std::mt19937 random(3);
  ForwardReader window({source, 100, bytes.size() - 200});
  while (window.left() > 0) {
    const uint64_t want = random() % 40000;
    const std::string_view ahead = window.peek(want);
    const uint64_t sure = std::min(want, window.left());
    ASSERT_GE(ahead.size(), sure);
    ASSERT_EQ(ahead.substr(0, sure), std::string_view(bytes).substr(100 + window.position(), sure));
    window.skip(std::min<uint64_t>(window.left(), random() % 60000));
  }
  EXPECT_TRUE(window.peek(10).empty());
  EXPECT_TRUE(window.ok());
}

TEST(ForwardReader, ReadsASmallFileOnce) {
  const auto source = std::make_shared<CountingSource>(counting(9000), "");
  ForwardReader window(whole(source));
  for (; window.left() > 0; window.skip(1)) ASSERT_FALSE(window.peek(15).empty());
  EXPECT_EQ(source->bytes_read(), 9000U);
}

TEST(ForwardReader, DoesNotReadWhatItLeapsOver) {
  const auto source = std::make_shared<CountingSource>(counting(50'000'000), "");
  ForwardReader window(whole(source));
  for (int i = 0; i < 10; ++i) {
    window.peek(15);
    window.skip(4'900'000);
  }
  EXPECT_LE(source->bytes_read(), 10U * 16 * 1024);
}

TEST(ForwardReader, KeepsTheErrorOfAFailedRead) {
  const auto source = std::make_shared<MemorySource>("abc", "short");
  ForwardReader window({source, 0, 10});
  EXPECT_TRUE(window.peek(5).empty());
  EXPECT_TRUE(window.peek(1).empty());
  ASSERT_FALSE(window.ok());
  EXPECT_EQ(window.error().code, "truncated");
}

}  // namespace
}  // namespace cryo
