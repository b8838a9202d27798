#include "base/diagnostic.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/result.h"

namespace cryo {
namespace {

TEST(Diagnostic, SaysPlaceMessageAndFix) {
  Location where{.file = "model.meta", .offset = 12, .function = "f", .node = "n"};
  where.input = 1;
  where.attr = "T";
  where.tensor = "w";
  EXPECT_EQ(to_text(*failure("code", "it is wrong", where, "put it right")),
            "error: model.meta, offset 12, function 'f', node 'n', input 1, attr 'T', tensor 'w': "
            "it is wrong\n  fix: put it right");
  EXPECT_EQ(to_text(*failure("code", "it is wrong")), "error: it is wrong");
}

TEST(Diagnostics, KeepTheirOrderAndCountBySeverity) {
  Diagnostics diagnostics;
  diagnostics.note("a", "first");
  diagnostics.warn("b", "second");
  diagnostics.add(*failure("c", "third"));
  diagnostics.note("d", "fourth");
  ASSERT_EQ(diagnostics.all().size(), 4U);
  EXPECT_EQ(to_text(diagnostics.all()[1]), "warning: second");
  EXPECT_EQ(to_text(diagnostics.all()[3]), "note: fourth");
  EXPECT_EQ(diagnostics.count(Severity::kNote), 2U);
  EXPECT_EQ(diagnostics.count(Severity::kWarning), 1U);
  EXPECT_EQ(diagnostics.count(Severity::kError), 1U);
}

// Another place or severity is another finding.
TEST(Diagnostics, KeepsTheFirstOfEqualOnes) {
  Diagnostics diagnostics;
  diagnostics.warn("a", "text", {.node = "x"}, "do this");
  diagnostics.warn("a", "text", {.node = "x"}, "do that");
  diagnostics.warn("a", "text", {.node = "y"});
  diagnostics.note("a", "text", {.node = "x"});
  diagnostics.warn("a", "text", {.node = "x", .input = 1});
  const Diagnostics copy = diagnostics;
  ASSERT_EQ(copy.all().size(), 4U);
  EXPECT_EQ(copy.all()[0].fix, "do this");
  EXPECT_EQ(copy.count(Severity::kWarning), 3U);
}

Result<std::unique_ptr<int>> make(bool good) {
  if (!good) return failure("bad", "no value");
  return std::make_unique<int>(7);
}

Result<int> twice(bool good) {
  TRY(value, make(good));
  return 2 * *value;
}

Status check(bool good) {
  CHECK_OK(twice(good));
  return Unit{};
}

TEST(Result, IsAValueOrTheReasonWhyNot) {
  EXPECT_EQ(*twice(true), 14);
  EXPECT_EQ(twice(false).error().code, "bad");
  EXPECT_TRUE(check(true).ok());
  EXPECT_EQ(check(false).error().message, "no value");
}

TEST(ResultDeathTest, LookedAtOnTheWrongSideIsOurBug) {
  EXPECT_DEATH(*twice(false), "ok");
  EXPECT_DEATH(twice(true).error(), "ok");
}

}  // namespace
}  // namespace cryo
