#include "base/pattern/glob.h"

#include <gtest/gtest.h>

#include <random>

#include "base/text.h"

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

// Finds what the stars take by trying every way, the shortest first.
bool naive(std::string_view glob, std::string_view name, std::vector<std::string_view> taken,
           std::vector<std::string_view>& found) {
  if (glob.empty() && name.empty()) found = taken;
  if (glob.empty()) return name.empty();
  const size_t star = glob.starts_with("**") ? 2 : glob[0] == '*' ? 1 : 0;
  if (star == 0) {
    const bool same = !name.empty() && name[0] == glob[0];
    return same && naive(glob.substr(1), name.substr(1), std::move(taken), found);
  }
  taken.emplace_back();
  for (size_t size = 0; size <= name.size(); ++size) {
    if (star == 1 && size > 0 && name[size - 1] == '/') return false;
    taken.back() = name.substr(0, size);
    if (naive(glob.substr(star), name.substr(size), taken, found)) return true;
  }
  return false;
}

TEST(Glob, StarsTakeAsLittleAsTheyCan) {
  std::mt19937 random(11);
  const auto word = [&](std::string_view letters, size_t most) {
    std::string text;
    for (auto left = random() % most; left > 0; --left) text += letters[random() % letters.size()];
    return text;
  };
  size_t found = 0;
  for (int i = 0; i < 100000; ++i) {
    const std::string glob = cat("**", word("ab/**", 8));
    const std::string name = word("ab/", 12);
    std::vector<std::string_view> wanted, taken;
    const bool matching = naive(glob, name, {}, wanted);
    ASSERT_EQ(matches(glob, name, taken), matching) << glob << "  " << name;
    if (!matching) continue;
    ASSERT_EQ(taken, wanted) << glob << "  " << name;
    ++found;
  }
  EXPECT_GT(found, 10000U);
}

// Took minutes while every try looked through the whole name again.
TEST(Glob, LooksAtEachCharacterOnceForEachStar) {
  const std::string name(200000, 'a');
  EXPECT_FALSE(matches("**a*b", name));
  EXPECT_FALSE(matches("**a*a*b", name + "/b"));
  EXPECT_TRUE(matches("**a*a*b", name + "b"));
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

TEST(Glob, OfTooManyCharactersIsRefused) {
  const std::string most(Glob::kMaxGlobBytes - 1, 'a');
  EXPECT_TRUE(Glob::parse(most + "*").ok());
  EXPECT_EQ(Glob::parse(most + "a*").error().code, "bad-option");
  EXPECT_TRUE(Glob::parse(most + most).ok());  // a name
}

}  // namespace
}  // namespace cryo
