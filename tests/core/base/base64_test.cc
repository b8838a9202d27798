#include "base/base64.h"

#include <gtest/gtest.h>

namespace cryo {
namespace {

std::string encoded(std::string_view bytes) {
  std::string out;
  append_base64(out, bytes);
  return out;
}

std::string decoded(std::string_view text) {
  std::string bytes;
  return decode_base64(text, bytes) ? bytes : "none";
}

TEST(Base64, IsThatOfTheRfc) {
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
  EXPECT_EQ(encoded("NHWC"), "TkhXQw==");
}

TEST(Base64, ReadsBackEqual) {
  std::string all;
  for (int i = 0; i < 256; ++i) {
    all += static_cast<char>(i);
    EXPECT_EQ(decoded(encoded(all)), all);
  }
}

TEST(Base64, TakesBothAlphabetsAndNoPadding) {
  EXPECT_EQ(decoded("+/8="), "\xFB\xFF");
  EXPECT_EQ(decoded("-_8"), "\xFB\xFF");
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* text : {"A", "Zg=g", "Z\n==", "AAAAA", "\xC3\xA9=="}) {
    EXPECT_EQ(decoded(text), "none") << text;
  }
}

}  // namespace
}  // namespace cryo
