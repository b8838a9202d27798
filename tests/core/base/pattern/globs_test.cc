#include "base/pattern/globs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/text.h"

namespace cryo {
namespace {

TEST(Globs, AnyOfSeveralIsEnough) {
  EXPECT_TRUE(Globs({"x", "a*"}).any_names("ab"));
  EXPECT_FALSE(Globs({"x", "y"}).any_names("ab"));
  EXPECT_FALSE(Globs().any_names("ab"));
}

TEST(Globs, NameWhatEachOfThemNames) {
  std::mt19937 random(3);
  const auto word = [&](const std::vector<std::string>& parts) {
    std::string text;
    for (auto left = 1 + random() % 4; left > 0; --left) text += parts[random() % parts.size()];
    return text;
  };
  size_t named = 0;
  for (int i = 0; i < 20000; ++i) {
    Globs globs;
    for (auto left = random() % 4; left > 0; --left) {
      const std::string text = word({"a", "b", "/", "*", "**", "/read", ":0"});
      const auto glob =
          Glob::parse(random() % 5 == 0 ? cat("/", word({"a", "b", "."}), "/") : text);
      if (glob) globs.push_back(*glob);
    }
    const std::string weight = word({"a", "b", "/", "/read", ":0"});
    const bool one = std::any_of(globs.begin(), globs.end(),
                                 [&](const Glob& glob) { return names_weight(glob, weight); });
    ASSERT_EQ(globs.any_names(weight), one) << weight;
    named += one ? 1 : 0;
  }
  EXPECT_GT(named, 1000U);
}

TEST(Globs, CompareANameWithThoseThatBeginLikeIt) {
  Globs globs;
  for (int i = 0; i < 20000; ++i) {
    globs.push_back(cat("scope_", i, "/*"));
    globs.push_back(cat("scope_", i, "/w"));
  }
  size_t compared = 0;
  globs.any_candidate("scope_17/w", [&](uint32_t) {
    ++compared;
    return false;
  });
  EXPECT_EQ(compared, 2U);
}

}  // namespace
}  // namespace cryo
