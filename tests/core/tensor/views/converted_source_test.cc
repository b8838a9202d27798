#include "tensor/views/converted_source.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "graphs.h"

namespace cryo {
namespace {

template <typename Number>
std::string bytes_of(const std::vector<Number>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number)};
}

template <typename To, typename From>
std::vector<To> read(const std::vector<From>& stored, const ElementConversion& conversion) {
  EXPECT_TRUE(is_convertible(conversion));
  const Slice slice = converted(Splice(fresh(bytes_of(stored))), conversion);
  std::vector<To> values(slice.size / sizeof(To));
  std::string bytes = *Splice(slice).read_all();
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

ElementConversion plain(DType from, DType to) { return {from, 1, 0, to, to}; }

TEST(ConvertedSource, Dequantizes) {
  const ElementConversion affine{DType::kUint8, 0.1, -1, DType::kFloat, DType::kFloat};
  EXPECT_EQ(read<float>(std::vector<uint8_t>{0, 10, 255}, affine),
            (std::vector<float>{-1, 0, static_cast<float>(255 * 0.1 - 1)}));
  const ElementConversion rounded{DType::kUint16, 0.5, 0, DType::kInt32, DType::kInt64};
  EXPECT_EQ(read<int64_t>(std::vector<uint16_t>{0, 1, 2, 65535}, rounded),
            (std::vector<int64_t>{0, 1, 1, 32768}));
}

TEST(ConvertedSource, RoundsToWhatTheReaderComputesWith) {
  const ElementConversion wide{DType::kUint8, 0.1, 0, DType::kFloat, DType::kDouble};
  EXPECT_EQ(read<double>(std::vector<uint8_t>{1}, wide)[0], static_cast<double>(0.1F));
}

TEST(ConvertedSource, KeepsEveryHalfOnItsWayThroughFloat) {
  std::vector<uint16_t> halves;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const bool nan = (bits & 0x7C00) == 0x7C00 && (bits & 0x3FF) != 0;
    if (!nan) halves.push_back(static_cast<uint16_t>(bits));
  }
  const auto floats = read<float>(halves, plain(DType::kHalf, DType::kFloat));
  EXPECT_EQ(read<uint16_t>(floats, plain(DType::kFloat, DType::kHalf)), halves);
  EXPECT_TRUE(std::isnan(
      read<float>(std::vector<uint16_t>{0x7E01}, plain(DType::kHalf, DType::kFloat))[0]));
}

TEST(ConvertedSource, RoundsHalvesToEven) {
  const std::vector<float> values = {1 + 1.0F / 2048, 1 + 3.0F / 2048, 65519, 65520, 1e-8F, -0.0F};
  EXPECT_EQ(read<uint16_t>(values, plain(DType::kFloat, DType::kHalf)),
            (std::vector<uint16_t>{0x3C00, 0x3C02, 0x7BFF, 0x7C00, 0, 0x8000}));
}

TEST(ConvertedSource, KeepsWholeNumbersInsideTheirType) {
  const std::vector<double> values = {1e300, -1e300, NAN, 2.5, -2.5};
  EXPECT_EQ(read<int32_t>(values, plain(DType::kDouble, DType::kInt32)),
            (std::vector<int32_t>{2147483647, -2147483647 - 1, 0, 3, -2}));
  EXPECT_EQ(read<uint8_t>(values, plain(DType::kDouble, DType::kUint8)),
            (std::vector<uint8_t>{255, 0, 0, 3, 0}));
  EXPECT_EQ(read<int64_t>(std::vector<int32_t>{-1, 7}, plain(DType::kInt32, DType::kInt64)),
            (std::vector<int64_t>{-1, 7}));
}

TEST(ConvertedSource, ReadsAnyPiece) {
  std::vector<int32_t> stored(5000);
  for (size_t i = 0; i < stored.size(); ++i) stored[i] = static_cast<int32_t>(i * 977) - 1000;
  std::vector<int64_t> wide(stored.begin(), stored.end());
  const std::string expected = bytes_of(wide);
  const Slice slice =
      converted(Splice(fresh(bytes_of(stored))), plain(DType::kInt32, DType::kInt64));
  ASSERT_EQ(slice.size, expected.size());
  for (uint64_t offset = 0; offset < expected.size(); offset += 3333) {
    std::string piece(std::min<size_t>(9001, expected.size() - offset), '?');
    ASSERT_TRUE(read_exactly(*slice.source, offset, piece).ok());
    EXPECT_TRUE(piece == expected.substr(offset, piece.size())) << offset;
  }
}

TEST(ConvertedSource, TellsWhetherAllValuesFit) {
  const auto exact = [](const std::string& bytes, DType from, DType to) {
    Splice pieces;  // an element cut in two
    pieces.append(fresh(bytes.substr(0, 3)));
    pieces.append(fresh(bytes.substr(3)));
    return *converts_exactly(pieces, plain(from, to));
  };
  EXPECT_TRUE(exact(bytes_of<int64_t>({1, -2147483648}), DType::kInt64, DType::kInt32));
  EXPECT_FALSE(exact(bytes_of<int64_t>({1, 2147483648}), DType::kInt64, DType::kInt32));
  EXPECT_FALSE(exact(bytes_of<int64_t>({std::numeric_limits<int64_t>::min()}), DType::kInt64,
                     DType::kInt32));
  EXPECT_TRUE(exact(bytes_of<double>({0.5, NAN, 1e300 * 1e10}), DType::kDouble, DType::kFloat));
  EXPECT_FALSE(exact(bytes_of<double>({0.1}), DType::kDouble, DType::kFloat));
  EXPECT_TRUE(exact(bytes_of<double>({0.5, 2}), DType::kComplex128, DType::kComplex64));
}

TEST(ConvertedSource, KnowsWhatCannotBeConverted) {
  EXPECT_FALSE(is_convertible(plain(DType::kString, DType::kFloat)));
  EXPECT_FALSE(is_convertible(plain(DType::kFloat, DType::kComplex64)));
  EXPECT_FALSE(is_convertible(plain(DType::kBool, DType::kInt32)));
  EXPECT_TRUE(is_convertible(plain(DType::kComplex64, DType::kComplex128)));
}

}  // namespace
}  // namespace cryo
