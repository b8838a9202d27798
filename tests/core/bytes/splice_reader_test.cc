#include "bytes/splice_reader.h"

#include <gtest/gtest.h>

#include "counting_source.h"

namespace cryo {
namespace {

Splice pieces(const std::vector<std::string>& texts) {
  Splice splice;
  for (const std::string& text : texts) splice.append(fresh(text));
  return splice;
}

TEST(SpliceReader, ReadsAcrossPieces) {
  const Splice splice = pieces({"ab", "cde", "f"});
  SpliceReader reader(splice);
  std::string out(4, ' ');
  ASSERT_TRUE(reader.read(out).ok());
  EXPECT_EQ(out, "abcd");
  EXPECT_EQ(reader.left(), 2U);
  ASSERT_TRUE(reader.read(std::span(out).first(2)).ok());
  EXPECT_EQ(out.substr(0, 2), "ef");
}

TEST(PairedSteps, GoThroughBothSideBySide) {
  std::string long_run;
  for (int i = 0; i < 300000; ++i) long_run += static_cast<char>(i * 7);
  const Splice a = pieces({long_run.substr(0, 100000), long_run.substr(100000)});
  const Splice b = pieces({long_run});
  PairedSteps steps(a, b);
  std::string of_a;
  std::string of_b;
  while (!steps.done()) {
    ASSERT_TRUE(steps.next().ok());
    of_a += steps.a();
    of_b += steps.b();
  }
  EXPECT_EQ(of_a, long_run);
  EXPECT_EQ(of_b, long_run);
}

TEST(SameBytes, ReadsNothingOfOtherSizesAndNoMoreThanTheFirstDifference) {
  const auto source = std::make_shared<const CountingSource>(std::string(1 << 20, 'x'), "x");
  const Splice a{whole(source)};
  EXPECT_FALSE(*same_bytes(a, pieces({"x"})));
  EXPECT_EQ(source->bytes_read(), 0U);
  EXPECT_FALSE(*same_bytes(a, pieces({std::string(1 << 20, 'y')})));
  EXPECT_LT(source->bytes_read(), uint64_t{1} << 20);
  EXPECT_TRUE(*same_bytes(Splice(), Splice()));
}

TEST(SameBytes, ReadsNothingOfTheSamePieces) {
  const auto source = std::make_shared<const CountingSource>(std::string(1 << 20, 'x'), "x");
  const Splice a{whole(source)};
  EXPECT_TRUE(*same_bytes(a, Splice(a)));
  EXPECT_EQ(source->bytes_read(), 0U);
  EXPECT_TRUE(*same_bytes(a.sub(0, 10), a.sub(10, 10)));
  EXPECT_EQ(source->bytes_read(), 20U);
}

}  // namespace
}  // namespace cryo
