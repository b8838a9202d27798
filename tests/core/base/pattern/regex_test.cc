#include "base/pattern/regex.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "base/text.h"

namespace cryo {
namespace {

// Returns the match and the matches of its groups, "[bc][c]"; "no" without a match; or the error of
// an invalid expression.
std::string taken(std::string_view pattern, std::string_view text) {
  const auto regex = Regex::parse(pattern);
  if (!regex) return regex.error().message;
  std::vector<std::string_view> all;
  if (!regex->finds(text, all)) return "no";
  std::string reported;
  for (const std::string_view each : all) reported += cat("[", each, "]");
  return reported;
}

TEST(Regex, IsFoundAnywhereUnlessItIsAnchored) {
  EXPECT_EQ(taken("b", "abc"), "[b]");
  EXPECT_EQ(taken("^b", "abc"), "no");
  EXPECT_EQ(taken("^a", "abc"), "[a]");
  EXPECT_EQ(taken("c$", "abc"), "[c]");
  EXPECT_EQ(taken("^abc$", "abc"), "[abc]");
  EXPECT_EQ(taken("^$", ""), "[]");
  EXPECT_EQ(taken("", "abc"), "[]");
  EXPECT_EQ(taken("x|^b|c", "abc"), "[c]");
}

TEST(Regex, HasClassesOfCharacters) {
  EXPECT_EQ(taken("[b-d]+", "abcde"), "[bcd]");
  EXPECT_EQ(taken("[^b-d/]+", "bcda/a"), "[a]");
  EXPECT_EQ(taken("[]a]+", "b]a]"), "[]a]]");
  EXPECT_EQ(taken("[a-]+", "b-a"), "[-a]");
  EXPECT_EQ(taken("[\\d\\-x]+", "ab1-x2"), "[1-x2]");
  EXPECT_EQ(taken("\\d+\\D", "conv12/w"), "[12/]");
  EXPECT_EQ(taken("\\w+", "/a_B9/"), "[a_B9]");
  EXPECT_EQ(taken("\\W\\S\\s", "a/b "), "[/b ]");
  EXPECT_EQ(taken("a.c", "a\nc\xFF"), "[a\nc]");
  EXPECT_EQ(taken(".$", "\xFF"), "[\xFF]");
  EXPECT_EQ(taken("\\.\\*\\/", "a.*/"), "[.*/]");
}

TEST(Regex, RepeatsAsOftenAsCanBeOrAsSeldom) {
  EXPECT_EQ(taken("a*", "aaab"), "[aaa]");
  EXPECT_EQ(taken("a+?", "aaab"), "[a]");
  EXPECT_EQ(taken("a{2}", "aaab"), "[aa]");
  EXPECT_EQ(taken("a{2,}", "aaab"), "[aaa]");
  EXPECT_EQ(taken("a{1,2}b", "aaab"), "[aab]");
  EXPECT_EQ(taken("a{0}b", "ab"), "[b]");
  EXPECT_EQ(taken("^a{2,3}$", "aaaa"), "no");
  EXPECT_EQ(taken("x?y", "y"), "[y]");
  EXPECT_EQ(taken("(a*)*b", "aab"), "[aab][aa]");
  // Same as RE2: a repetition that takes nothing is not tried again.
  EXPECT_EQ(taken("(?:a{0,1}?)*", "aa"), "[]");
  EXPECT_EQ(taken("(?:(a){0,1}?)+", "aa"), "[][]");
  EXPECT_EQ(taken("^b(?:a{0,1}?){2,}.", "baa"), "[ba]");
  EXPECT_EQ(taken("(?:a{0,1}?b?)*c", "aabc"), "[aabc]");
}

TEST(Regex, TellsWhatGroupsTook) {
  EXPECT_EQ(taken("(\\w+)/(\\w+)", "conv1/weights"), "[conv1/weights][conv1][weights]");
  EXPECT_EQ(taken("(a)|(b)", "b"), "[b][][b]");
  EXPECT_EQ(taken("(?:a)(b)", "ab"), "[ab][b]");
  EXPECT_EQ(taken("(a|ab)(c|bcd)", "abcd"), "[abcd][a][bcd]");
  EXPECT_EQ(taken("(.*?)/(.*)", "a/b/c"), "[a/b/c][a][b/c]");
}

TEST(Regex, SaysWhereTheFaultIs) {
  const auto place = [](std::string_view pattern) {
    const std::string said = taken(pattern, "");
    const size_t at = said.rfind(' ');
    return said.find("at character") == std::string::npos ? said : said.substr(at + 1);
  };
  EXPECT_EQ(taken("a(b", ""), "the regular expression /a(b/ expected ) at character 4");
  for (const auto& [pattern, at] : std::vector<std::pair<const char*, const char*>>{
           {"ab)", "3"},    {"*a", "1"},      {"a**", "3"},     {"[a", "3"},
           {"a\\", "3"},    {"[b-a]", "4"},   {"a{2", "4"},     {"a{,2}", "3"},
           {"a{3,2}", "7"}, {"a{1001}", "7"}, {"\\q", "2"},     {"\\1", "2"},
           {"(?=a)", "3"},  {"(?<n>a)", "3"}, {"a|*", "3"},     {"[\\", "3"},
           {"[a-", "4"},    {"(?", "3"},      {"a{1}{2}", "5"}, {"a{99999999999}", "7"}}) {
    EXPECT_EQ(place(pattern), at) << pattern;
  }
}

TEST(Regex, OfHostileMakingEndsSoon) {
  const std::string name(10000, 'a');
  EXPECT_EQ(taken("^(a*)*$", name + "b"), "no");
  EXPECT_EQ(taken("^(a|a)*(a|aa)+$", name + "b"), "no");
  EXPECT_EQ(taken("(x+x+)+y", std::string(10000, 'x')), "no");
  EXPECT_EQ(Regex::parse("((a{100}){100}){100}").error().code, "bad-option");
  EXPECT_EQ(Regex::parse("((a{0,1000}){0,1000}){0,1000}").error().code, "bad-option");
  EXPECT_EQ(Regex::parse(std::string(100000, '(')).error().code, "bad-option");
  std::string groups;
  for (int i = 0; i < 100000; ++i) groups += "(?:";
  EXPECT_NE(Regex::parse(groups).error().message.find("nests too many"), std::string::npos);
  EXPECT_EQ(Regex::parse(std::string(100000, 'a')).error().code, "bad-option");
  EXPECT_TRUE(Regex::parse("(?:(?:){1000}){1000}").ok());
  std::string deep;
  for (int i = 0; i < 90; ++i) deep = cat("(?:", deep, "a)*");
  EXPECT_EQ(taken(deep + "b", name), "no");
}

// 2^15 sets of steps, more than are kept at once.
TEST(Regex, IsFoundWhereManySetsOfStepsAreComeTo) {
  const auto regex = Regex::parse("a[ab]{14}$");
  ASSERT_TRUE(regex.ok());
  std::mt19937 random(5);
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text.clear();
    for (int left = 40; left > 0; --left) text += random() % 2 == 0 ? 'a' : 'b';
    ASSERT_EQ(regex->finds(text), text[25] == 'a') << text;
  }
}

// Took a millisecond for each name.
TEST(Regex, WalksOverItsStepsOnceForAllNamesThatAreAlike) {
  const auto regex = Regex::parse("(a?){1000}w");
  ASSERT_TRUE(regex.ok());
  for (int i = 0; i < 100000; ++i) EXPECT_FALSE(regex->finds("scope_17/a/b/c"));
  EXPECT_TRUE(regex->finds("scope_17/a/b/w"));
}

// An expression as a tree, and the definition of what it takes: all ways, the preferred one first.
struct Tree {
  enum Kind { kCharacter, kAny, kNoB, kBoth, kEither, kRepeated } kind = kCharacter;
  char character = 'a';
  std::vector<Tree> parts = {};
  size_t least = 0, most = 0;

  std::string text() const {
    switch (kind) {
      case kCharacter:
        return std::string(1, character);
      case kAny:
        return ".";
      case kNoB:
        return "[^b]";
      case kBoth:
        return parts[0].text() + parts[1].text();
      case kEither:
        return cat("(", parts[0].text(), "|", parts[1].text(), ")");
      case kRepeated:
        return cat("(?:", parts[0].text(), "){", least, ",", most, "}");
    }
    return "";
  }

  using Then = std::function<bool(size_t)>;
  bool takes(std::string_view from, size_t at, const Then& then, size_t times = 0) const {
    if (kind < kBoth) {
      const bool one = at < from.size() && (kind == kAny || (kind == kNoB && from[at] != 'b') ||
                                            (kind == kCharacter && from[at] == character));
      return one && then(at + 1);
    }
    if (kind == kEither) return parts[0].takes(from, at, then) || parts[1].takes(from, at, then);
    if (kind == kBoth) {
      return parts[0].takes(from, at, [&](size_t end) { return parts[1].takes(from, end, then); });
    }
    const Then again = [&](size_t end) { return takes(from, end, then, times + 1); };
    return (times < most && parts[0].takes(from, at, again)) || (times >= least && then(at));
  }
};

Tree random_tree(std::mt19937& random, int depth) {
  Tree tree;
  tree.kind = static_cast<Tree::Kind>(random() % (depth > 0 ? 6 : 3));
  tree.character = static_cast<char>('a' + random() % 3);
  if (tree.kind >= Tree::kBoth) tree.parts.push_back(random_tree(random, depth - 1));
  if (tree.kind >= Tree::kBoth) tree.parts.push_back(random_tree(random, depth - 1));
  tree.least = random() % 2;
  tree.most = tree.least + random() % 3;
  return tree;
}

TEST(Regex, TakesWhatItsDefinitionTakes) {
  std::mt19937 random(7);
  int found = 0;
  for (int i = 0; i < 20000; ++i) {
    const Tree tree = random_tree(random, 4);
    std::string text;
    for (auto left = random() % 8; left > 0; --left) text += static_cast<char>('a' + random() % 3);
    std::string expected = "no";
    for (size_t at = 0; at <= text.size() && expected == "no"; ++at) {
      tree.takes(text, at, [&](size_t end) {
        expected = cat(at, " ", end - at);
        return true;
      });
    }
    const auto regex = Regex::parse(tree.text());
    ASSERT_TRUE(regex.ok()) << regex.error().message;
    std::vector<std::string_view> all;
    const bool there = regex->finds(text, all);
    found += there ? 1 : 0;
    ASSERT_EQ(there ? cat(all[0].data() - text.data(), " ", all[0].size()) : "no", expected)
        << tree.text() << "  " << text;
  }
  EXPECT_GT(found, 5000);
}

}  // namespace
}  // namespace cryo
