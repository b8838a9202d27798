#include "base/text.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace cryo {
namespace {

using Strings = std::vector<std::string>;

TEST(Text, JoinsPiecesAndWholeNumbers) {
  EXPECT_EQ(cat("has ", 1, " of ", uint64_t{18446744073709551615U}, '!', std::string("?")),
            "has 1 of 18446744073709551615!?");
}

TEST(Text, JoinsListsAndCountsWhatItLeavesOut) {
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(join({"a"}, ", "), "a");
  EXPECT_EQ(join({"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(join({"a", "b", "c"}, ", ", 3), "a, b, c");
  EXPECT_EQ(join({"a", "b", "c"}, ", ", 1), "a and 2 more");
}

TEST(Text, SplitsAtEverySeparator) {
  using Views = std::vector<std::string_view>;
  EXPECT_EQ(split("", ','), Views{""});
  EXPECT_EQ(split("a", ','), Views{"a"});
  EXPECT_EQ(split(",a,,b,", ','), (Views{"", "a", "", "b", ""}));
}

TEST(Text, CountsInEnglish) {
  EXPECT_EQ(plural(0, "node"), "0 nodes");
  EXPECT_EQ(plural(1, "node"), "1 node");
  EXPECT_EQ(plural(2, "node"), "2 nodes");
}

TEST(Text, WritesSizesInPowersOfAThousand) {
  EXPECT_EQ(human_bytes(0), "0 bytes");
  EXPECT_EQ(human_bytes(999), "999 bytes");
  EXPECT_EQ(human_bytes(1000), "1.0 kB");
  EXPECT_EQ(human_bytes(1050), "1.1 kB");
  EXPECT_EQ(human_bytes(1234567), "1.2 MB");
  EXPECT_EQ(human_bytes(3000000000), "3.0 GB");
  EXPECT_EQ(human_bytes(18446744073709551615U), "18.4 EB");
}

TEST(Text, PartsPathsAtTheLastSlash) {
  EXPECT_EQ(base_name("a/b/model.meta"), "model.meta");
  EXPECT_EQ(base_name("model.meta"), "model.meta");
  EXPECT_EQ(base_name("a/"), "");
  EXPECT_EQ(folder_of("a/b/model.meta"), "a/b/");
  EXPECT_EQ(folder_of("model.meta"), "");
  EXPECT_EQ(folder_of("/model.meta"), "/");
}

TEST(Utf8, IsWhatProtobufTakes) {
  for (const char* text : {"", "a", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF",
                           "\xEE\x80\x80", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(text)) << printable(text, 10);
  }
  for (const char* text :
       {"\x80", "\xC1\xBF", "\xC3", "\xC3(", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "a\xE2\x82"}) {
    EXPECT_FALSE(is_utf8(text)) << printable(text, 10);
  }
}

TEST(Utf8, PrintsWhatDoesNotPrintInHexadecimal) {
  EXPECT_EQ(printable(std::string_view("a\0\n\xFF\xC3\xA9\x7F", 7), 20),
            "a\\x00\\x0a\\xff\xC3\xA9\\x7f");
  EXPECT_EQ(printable("abcdef", 3), "abc...");
  EXPECT_EQ(printable("abc", 3), "abc");
  EXPECT_EQ(quoted("w/read"), "'w/read'");
}

TEST(Utf8, EscapesWhatSteersATerminal) {
  EXPECT_EQ(printable("c1\xC2\x9B"
                      "31m",
                      20),
            "c1\\u009b31m");
  EXPECT_EQ(printable("gp\xE2\x80\xAE"
                      "exe",
                      20),
            "gp\\u202eexe");
  EXPECT_EQ(printable("a\xE2\x80\xA8\xE2\x81\xA6\xD8\x9C", 20), "a\\u2028\\u2066\\u061c");
  EXPECT_EQ(printable("\xC2\xA0\xE6\x97\xA5\xF0\x9F\x98\x80", 20),
            "\xC2\xA0\xE6\x97\xA5\xF0\x9F\x98\x80");
  EXPECT_FALSE(needs_escape("conv/weights:0"));
}

}  // namespace
}  // namespace cryo
