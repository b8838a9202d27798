#include "base/pattern/glob.h"

#include <gtest/gtest.h>

#include <random>

namespace cryo {
namespace {

// The definition itself, by trying every way.
bool naive(std::string_view glob, std::string_view name) {
  if (glob.empty()) return name.empty();
  const bool wide = glob.substr(0, 2) == "**";
  if (!wide && glob[0] != '*') {
    return !name.empty() && name[0] == glob[0] && naive(glob.substr(1), name.substr(1));
  }
  for (size_t taken = 0; taken <= name.size(); ++taken) {
    if (!wide && taken > 0 && name[taken - 1] == '/') return false;
    if (naive(glob.substr(wide ? 2 : 1), name.substr(taken))) return true;
  }
  return false;
}

TEST(Glob, StarStaysWithinAScopeAndTwoStarsCrossScopes) {
  EXPECT_TRUE(matches("conv*/weights", "conv1/weights"));
  EXPECT_FALSE(matches("conv*/weights", "conv1/a/weights"));
  EXPECT_TRUE(matches("conv**/weights", "conv1/a/weights"));
  EXPECT_TRUE(matches("logits/**", "logits/a/b"));
  EXPECT_FALSE(matches("logits/**", "logits"));
  EXPECT_TRUE(matches("**", ""));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("*", "a/b"));
  EXPECT_FALSE(matches("", "a"));
}

TEST(Glob, EverythingElseIsItself) {
  EXPECT_TRUE(matches("a.b[c]?+", "a.b[c]?+"));
  EXPECT_FALSE(matches("a.b", "aXb"));
}

TEST(Glob, AgreesWithItsDefinition) {
  std::mt19937 random(7);
  const auto word = [&](std::string_view letters) {
    std::string text;
    for (auto left = random() % 8; left > 0; --left) text += letters[random() % letters.size()];
    return text;
  };
  for (int i = 0; i < 20000; ++i) {
    const std::string glob = word("ab/***");
    const std::string name = word("ab/");
    ASSERT_EQ(matches(glob, name), naive(glob == "*" ? "**" : glob, name)) << glob << "  " << name;
  }
}

TEST(Glob, OfManyStarsEndsSoon) {
  std::string glob;
  for (int i = 0; i < 100; ++i) glob += "*a**a";
  EXPECT_FALSE(matches(glob + "b", std::string(10000, 'a')));
}

TEST(Glob, BetweenSlashesIsARegularExpression) {
  const auto found = [](std::string_view text, std::string_view name) {
    const auto glob = Glob::parse(text);
    return glob ? std::string(glob->matches(name) ? "yes" : "no") : glob.error().code;
  };
  EXPECT_EQ(found("/conv\\d+/", "a/conv12/w"), "yes");
  EXPECT_EQ(found("/^conv/", "a/conv12/w"), "no");
  EXPECT_EQ(found("/a/b$/", "x/a/b"), "yes");
  EXPECT_EQ(found("/a(/", "a"), "bad-option");
  EXPECT_EQ(found("a.c", "abc"), "no");
  EXPECT_EQ(found("/", "/"), "yes");
  EXPECT_EQ(found("//", "a"), "yes");
}

TEST(Glob, AnyOfSeveralIsEnough) {
  EXPECT_TRUE(matches_any({"x", "a*"}, "ab"));
  EXPECT_FALSE(matches_any({"x", "y"}, "ab"));
  EXPECT_FALSE(matches_any({}, "ab"));
}

}  // namespace
}  // namespace cryo
