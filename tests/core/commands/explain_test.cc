#include "commands/explain.h"

#include <gtest/gtest.h>

#include "base/codes/codes.h"
#include "base/text.h"
#include "reports.h"

namespace cryo {
namespace {

TEST(Explain, SaysWhatACodeMeans) {
  const Outcome outcome = explain("unknown-colocation");
  EXPECT_EQ(outcome.status, kDone);
  EXPECT_EQ(report_of(outcome)["verb"], "validate");
  EXPECT_EQ(report_of(outcome)["code"], "unknown-colocation");
  EXPECT_EQ(report_text(report_of(outcome)),
            R"(unknown-colocation

A node asks to live on the device of another (loc:@NODE) that is not in the
graph. Pruning that leaves such entries behind is the usual cause.

What to do: remove the entry from _class.

What validate --fix does: it removes the entry.
)");
}

TEST(Explain, KnowsEveryCode) {
  EXPECT_GT(all_codes().size(), 150U);
  for (const std::string_view code : all_codes()) {
    const Outcome outcome = explain(code);
    EXPECT_EQ(outcome.status, kDone) << code;
    const std::string text = report_text(report_of(outcome));
    EXPECT_TRUE(text.starts_with(cat(code, "\n\n"))) << text;
    for (const std::string_view line : split(text, '\n')) {
      EXPECT_TRUE(line.size() <= 80 || line.find(' ') == std::string_view::npos) << line;
    }
  }
}

TEST(Explain, OfNoCodeNamesThoseThatAreNear) {
  const Outcome outcome = explain("atr-missing");
  EXPECT_EQ(outcome.status, kBadCommandLine);
  EXPECT_EQ(report_of(outcome)["diagnostics"][0]["message"],
            "there is no code 'atr-missing' (did you mean attr-missing?)");
  EXPECT_EQ(explain("").status, kBadCommandLine);
}

}  // namespace
}  // namespace cryo
