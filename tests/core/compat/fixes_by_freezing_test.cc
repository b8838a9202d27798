#include "compat/fixes_by_freezing.h"

#include <gtest/gtest.h>

#include "compat/node_faults.h"

namespace cryo {
namespace {

constexpr char kFixByEnds[] = "freeze with --inputs x";

Blocker refused(const std::string& op, const std::string& fix, const std::string& function = "") {
  return {.function = function, .node = "n", .op = op, .why = "no", .fix = fix, .count = 1};
}

TEST(FixesByFreezing, WhatTheFrozenGraphLacksHasTheFix) {
  TargetVerdict verdict{.blockers = {refused("Gone", "", "f"), refused("Stays", "")}};
  add_fixes(verdict, {.blockers = {refused("Stays", "")}}, kFixByForm);
  EXPECT_EQ(verdict.blockers[0].fix, kFixByForm);
  EXPECT_EQ(verdict.blockers[1].fix, "");
}

TEST(FixesByFreezing, APartThatNeedsOlderFormsHasBothFixes) {
  TargetVerdict verdict{
      .blockers = {refused("Gone", ""), refused("AddV2", "", "f"), refused("Conv2D", "", "f")}};
  add_fixes(verdict,
            {.blockers = {refused("AddV2", kFixByForm), refused("Conv2D", kFixByStripping)}},
            kFixByEnds);
  EXPECT_EQ(verdict.blockers[0].fix, kFixByEnds);
  EXPECT_EQ(verdict.blockers[1].fix, kFixByForm);
  EXPECT_EQ(verdict.blockers[2].fix, kFixByForm) << "it inlines the call, too";
}

TEST(FixesByFreezing, LoweringIsNoFixIfItAddsWhatTheTargetRefuses) {
  const auto fix = [](const std::string& of_added) {
    TargetVerdict verdict{.blockers = {refused("While", kFixByLowering), refused("Mul", "")}};
    add_fixes(verdict, {.blockers = {refused("IdentityN", of_added)}}, kFixByForm);
    EXPECT_EQ(verdict.blockers[1].fix, "") << "nothing is known of it";
    return verdict.blockers[0].fix;
  };
  EXPECT_EQ(fix(""), "");
  EXPECT_EQ(fix(kFixBySplicing), kFixByLowering);
}

TEST(FixesByFreezing, CallsAndControlFlowNeedTheFrozenGraph) {
  const auto needs = [](const std::string& op, const std::string& fix) {
    return needs_frozen({.blockers = {refused(op, fix)}});
  };
  EXPECT_TRUE(needs("Mul", ""));
  EXPECT_TRUE(needs("While", kFixByLowering));
  EXPECT_TRUE(needs("PartitionedCall", kFixByForm));
  EXPECT_FALSE(needs("AddV2", kFixByForm));
  EXPECT_FALSE(needs("Conv2D", kFixByStripping));
}

}  // namespace
}  // namespace cryo
