#include "commands/text/merged_reports.h"

#include <gtest/gtest.h>

namespace cryo {
namespace {

std::string merged(const std::string& reports) {
  const auto tree = JsonTree::parse(reports, "");
  return merged_reports(tree->root());
}

TEST(MergedReports, HaveTheMembersOfAllAndTheFirstOfAName) {
  EXPECT_EQ(merged(R"([{"verb":"prune","diagnostics":[],"a":1},)"
                   R"({"verb":"write","diagnostics":[],"b":2}])"),
            R"({"verb":"prune","diagnostics":[],"a":1,"b":2})");
}

// Writing a model finds some of its faults a second time.
TEST(MergedReports, HaveEachDiagnosticOnce) {
  const std::string found = R"({"severity":"note","code":"c","where":{},"message":"m","fix":"f"})";
  const std::string other = R"({"severity":"note","code":"c","where":{},"message":"n","fix":"f"})";
  EXPECT_EQ(
      merged("[{\"diagnostics\":[" + found + "]},{\"diagnostics\":[" + found + "," + other + "]}]"),
      "{\"diagnostics\":[" + found + "," + other + "]}");
}

}  // namespace
}  // namespace cryo
