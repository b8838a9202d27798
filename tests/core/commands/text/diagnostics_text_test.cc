#include "commands/text/diagnostics_text.h"

#include <gtest/gtest.h>

#include "reports.h"

namespace cryo {
namespace {

Json found(const std::vector<Diagnostic>& all) {
  Diagnostics diagnostics;
  for (const Diagnostic& each : all) diagnostics.add(each);
  return report_of(Report{"validate", "m.pb", diagnostics});
}

const Diagnostic kWrong{Severity::kError, "cycle", "100% of a, b", {.node = "a"}, "break it"};
const Diagnostic kRemark{
    Severity::kNote, "remark", "two\nlines ::error::", {.file = "d/x,y:1.pb"}, ""};

TEST(DiagnosticsText, NamesTheModelAmongSeveral) {
  const Json report = found({kWrong, kRemark});
  EXPECT_EQ(diagnostics_text(report, {.quiet = true}),
            "error: 100% of a, b [cycle]\n  at node a\n  fix: break it\n");
  EXPECT_EQ(diagnostics_text(report, {.quiet = true}, "m.pb"),
            "error: 100% of a, b [cycle]\n  at m.pb, node a\n  fix: break it\n");
  EXPECT_NE(diagnostics_text(report, {}, "m.pb").find("  at d/x,y:1.pb\n"), std::string::npos);
}

// Separators of GitHub's commands are escaped, and so is what would begin another command.
TEST(DiagnosticsText, OfGitHubIsALineEach) {
  EXPECT_EQ(annotations_text(found({kWrong, kRemark}), {}, "models/m.pb"),
            "::error file=models/m.pb,title=cycle::100%25 of a, b%0Aat node a%0Afix: break it\n"
            "::notice file=d/x%2Cy%3A1.pb,title=remark::two\\x0alines ::error::%0Aat d/x,y:1.pb\n");
  EXPECT_EQ(annotations_text(found({kRemark}), {.quiet = true}, "m.pb"), "");
}

}  // namespace
}  // namespace cryo
