#include "commands/text/escaped.h"

#include <gtest/gtest.h>

#include "commands/text/diagnostics_text.h"

namespace cryo {
namespace {

TEST(Shown, LeavesPlainTextsAsTheyAre) {
  const Json report = {{"verb", "list"}, {"names", {"a", "scope::b", "\xC3\xA9"}}, {"n", 1}};
  EXPECT_TRUE(is_shown(report));
  EXPECT_EQ(shown(report), report);
}

TEST(Shown, EscapesTextsAndKeysOfEveryDepth) {
  const Json report = {{"a\n", {{{"b\x1b", "c\r"}}}}, {"d", nullptr}};
  EXPECT_FALSE(is_shown(report));
  EXPECT_EQ(to_string(shown(report)), R"({"a\\x0a":[{"b\\x1b":"c\\x0d"}],"d":null})");
  EXPECT_TRUE(is_shown(shown(report)));
}

TEST(Shown, BreaksUpCommandsOfALog) {
  EXPECT_EQ(shown_text("::error::x"), "\\x3a:error::x");
  EXPECT_EQ(shown_text("  \xC2\xA0::error::x"), "  \xC2\xA0\\x3a:error::x");
  EXPECT_EQ(shown_text("a ##[error]##[x]"), "a \\x23#[error]\\x23#[x]");
  EXPECT_EQ(shown_text("a::b"), "a::b");
}

TEST(Shown, IsWhatReportsAreMadeOf) {
  Diagnostics found;
  found.note("n", "first\n::error::second", {.node = "x\x07"});
  const std::string text = diagnostics_text(new_report("inspect", "m", found));
  EXPECT_EQ(text, "note: first\\x0a::error::second [n]\n  at node x\\x07\n");
}

}  // namespace
}  // namespace cryo
