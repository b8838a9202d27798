#include "tensor/difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/text.h"
#include "tensor/strings.h"
#include "tensor_protos.h"

namespace cryo {
namespace {

std::string bytes_of(const std::vector<float>& values) {
  std::string bytes(values.size() * 4, '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Difference between(const std::vector<float>& a, const std::vector<float>& b) {
  DifferenceTaker taker(DType::kFloat);
  taker.take(bytes_of(a), bytes_of(b));
  return taker.difference();
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Difference, IsOfBits) {
  const Difference found = between({1, 2, -0.0F, kNan, 5}, {1, 2.5F, 0.0F, 4, 5.5F});
  EXPECT_EQ(found.count, 4U);
  EXPECT_EQ(found.first, 1U);
  EXPECT_EQ(found.largest, 0.5);
  EXPECT_EQ(found.relative, 0.2);
  EXPECT_EQ(found.nans, 1U);
}

TEST(Difference, OfTheSameIsNone) {
  const Difference found = between({1, kNan, kInfinity}, {1, kNan, kInfinity});
  EXPECT_EQ(found.count, 0U);
  EXPECT_EQ(found.nans, 0U);
}

TEST(Difference, IsInfiniteFromInfinity) {
  EXPECT_EQ(between({kInfinity}, {1}).largest, std::numeric_limits<double>::infinity());
  EXPECT_EQ(between({kInfinity}, {1}).relative, std::numeric_limits<double>::infinity());
}

TEST(Difference, FindsTheFirstPlaceAcrossStepsAndBlocks) {
  const std::vector<float> zeros(5000, 0);
  for (const size_t place : {size_t{0}, size_t{1023}, size_t{1024}, size_t{4999}}) {
    std::vector<float> other = zeros;
    other[place] = 1;
    EXPECT_EQ(between(zeros, other).first, place);
    EXPECT_EQ(between(zeros, other).count, 1U);
    DifferenceTaker taker(DType::kFloat);
    const std::string a = bytes_of(zeros);
    const std::string b = bytes_of(other);
    for (size_t at = 0; at < a.size(); at += 4000)
      taker.take(a.substr(at, 4000), b.substr(at, 4000));
    EXPECT_EQ(taker.difference().first, place);
  }
}

// Plain strings of a list.
Splice strings(const std::vector<std::string>& texts) {
  std::string lengths;
  std::string bytes;
  for (const std::string& text : texts) {
    put_varint(lengths, text.size());
    bytes += text;
  }
  return *strings_of_content(Splice(fresh(lengths + bytes)), texts.size());
}

std::string described(const Result<Difference>& found) {
  return found ? cat(found->count, " from ", found->first) : found.error().code;
}

TEST(DifferenceOfStrings, ComparesOneByOne) {
  const std::string far(200000, 'x');
  EXPECT_EQ(described(difference_of_strings(strings({"a", "", "c"}), strings({"a", "", "c"}), 3)),
            "0 from 0");
  EXPECT_EQ(
      described(difference_of_strings(strings({"a", "bb", "c"}), strings({"a", "b", "d"}), 3)),
      "2 from 1");
  EXPECT_EQ(described(difference_of_strings(strings({far, "b"}), strings({far + "y", "b"}), 2)),
            "1 from 0");
  EXPECT_EQ(
      described(difference_of_strings(strings({far + "1", "b"}), strings({far + "2", "b"}), 2)),
      "1 from 0");
  EXPECT_EQ(described(difference_of_strings(strings({}), strings({}), 0)), "0 from 0");
  EXPECT_EQ(described(difference_of_strings(strings({"a"}), Splice(fresh("x")), 1)), "bad-tensor");
}

}  // namespace
}  // namespace cryo
