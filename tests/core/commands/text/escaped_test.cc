#include "commands/text/escaped.h"

#include <gtest/gtest.h>

#include "reports.h"

namespace cryo {
namespace {

TEST(Shown, LeavesPlainTextsAsTheyAre) {
  for (const char* text : {"a", "scope::b", "\xC3\xA9", ""}) EXPECT_EQ(shown_text(text), text);
}

TEST(Shown, EscapesControlCharactersOnce) {
  EXPECT_EQ(shown_text("a\n\x1b"), "a\\x0a\\x1b");
  EXPECT_EQ(shown_text(shown_text("a\n::error::")), shown_text("a\n::error::"));
}

// Every text of a report: keys, values, and those within lists.
TEST(Shown, IsEveryTextOfAReport) {
  const Json report = {
      {"model", "m\n"},
      {"kind", "k\x1b"},
      {"signatures",
       {{"s\n", {{"method", "t\r"}, {"inputs", Json::object()}, {"outputs", Json::object()}}}}},
      {"ops", {{"o\n", 1}}},
      {"lacks", {"l\x07"}}};
  for (const char c : report_text(report))
    EXPECT_TRUE(c == '\n' || c >= ' ') << report_text(report);
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
  const std::string text = diagnostics_text(report_of(Report{"inspect", "m", found}));
  EXPECT_EQ(text, "note: first\\x0a::error::second [n]\n  at node x\\x07\n");
}

}  // namespace
}  // namespace cryo
