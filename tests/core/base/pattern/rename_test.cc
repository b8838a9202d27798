#include "base/pattern/rename.h"

#include <gtest/gtest.h>

#include "base/pattern/glob.h"

namespace cryo {
namespace {

std::string renamed_by(const std::vector<std::string>& texts, std::string_view name) {
  const auto rules = parse_rename_rules(texts);
  if (!rules) return rules.error().code;
  return renamed(*rules, name).name;
}

TEST(Rename, CarriesOverWhatTheStarsTook) {
  EXPECT_EQ(renamed_by({"old/**=new/**"}, "old/conv/w"), "new/conv/w");
  EXPECT_EQ(renamed_by({"block*/*=b*_*"}, "block12/bias"), "b12_bias");
  EXPECT_EQ(renamed_by({"**/*/kernel=*=*"}, "a/b/c/kernel"), "a/b=c");
  EXPECT_EQ(renamed_by({"a/*/*=*"}, "a/b/c"), "b");
  EXPECT_EQ(renamed_by({"w=v"}, "w"), "v");
}

TEST(Rename, ReplacesWhatAnExpressionFinds) {
  EXPECT_EQ(renamed_by({"/block(\\d+)/=b\\1"}, "net/block12/bias"), "net/b12/bias");
  EXPECT_EQ(renamed_by({"/^(\\w+)\\/(.*)$/=\\2/\\1"}, "a/b/c"), "b/c/a");
  EXPECT_EQ(renamed_by({"/a/b/=x=\\0\\\\"}, "a/b/a/b"), "x=a/b\\/a/b");
  EXPECT_EQ(renamed_by({"/(x)?b/=[\\1]"}, "ab"), "a[]");
  EXPECT_EQ(renamed_by({"/z/=y", "/b/=c"}, "ab"), "ac");
  for (const char* rule : {"/a/=*", "/a/=\\1", "/a/=b\\", "/a(/=b", "/a/", "/a/=", "/a"}) {
    EXPECT_EQ(renamed_by({rule}, "a"), "bad-option") << rule;
  }
}

TEST(Rename, FollowsTheFirstRuleThatMatches) {
  const std::vector<std::string> rules = {"a/*=first/*", "a/**=second/**"};
  EXPECT_EQ(renamed_by(rules, "a/b"), "first/b");
  EXPECT_EQ(renamed_by(rules, "a/b/c"), "second/b/c");
  EXPECT_EQ(renamed_by(rules, "b"), "b");
  EXPECT_EQ(renamed_by({}, "b"), "b");
}

TEST(Rename, RefusesWhatIsNoRule) {
  for (const char* text : {"", "a", "=a", "a=", "a=*", "a*=**/*"}) {
    EXPECT_EQ(renamed_by({text}, "a"), "bad-option") << text;
  }
}

// Stars hand on what they took when a later part does not fit.
TEST(Rename, OfStarsThatStepBackIsWhatTheyTookAtLast) {
  const auto taken_by = [](std::string_view glob, std::string_view name) {
    std::vector<std::string_view> taken;
    std::string all = matches(glob, name, taken) ? "" : "no:";
    for (const std::string_view each : taken) all += "[" + std::string(each) + "]";
    return all;
  };
  EXPECT_EQ(taken_by("*b*c", "abbbc"), "[a][bb]");
  EXPECT_EQ(taken_by("**/w*/x", "a/w1/y/w2/x"), "[a/w1/y][2]");
  EXPECT_EQ(taken_by("*a**", "a"), "[][]");
}

}  // namespace
}  // namespace cryo
