#include "wire/json/json_tree.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "graphs.h"

namespace cryo {
namespace {

std::string again(const std::string& text) {
  const auto tree = JsonTree::parse(text, "f.json");
  return tree ? json_of(tree->root()) : tree.error().code;
}

TEST(JsonTree, GivesBackWhatItRead) {
  for (const char* text :
       {"null", "true", "[]", "{}", R"({"a":[1,-2,0.5,"x"],"b":{"c":null,"d":[[],{}]},"e":false})",
        "18446744073709551615", "-9223372036854775808", R"("\"\\\u0001é")"}) {
    EXPECT_EQ(again(text), text);
  }
  EXPECT_EQ(again(" [ 1 , 2 ] "), "[1,2]");
}

TEST(JsonTree, FindsTheLastMemberOfAName) {
  const auto tree = JsonTree::parse(R"({"a": 1, "b": [{"a": 7}], "a": 2})", "");
  ASSERT_TRUE(tree.ok());
  EXPECT_EQ(tree->root().find("a").int64(), 2);
  EXPECT_TRUE(tree->root().find("c").is_null());
  EXPECT_TRUE(tree->root().find("a").find("b").is_null());
  JsonItems items(tree->root().find("b"));
  ASSERT_TRUE(items.next());
  EXPECT_EQ(items.value().find("a").int64(), 7);
  EXPECT_FALSE(items.next());
}

TEST(JsonTree, TellsNumbersThatDoNotFit) {
  const auto tree =
      JsonTree::parse(R"([9223372036854775808, -1, 1e3, 0.5, "-12", "12x", true])", "");
  ASSERT_TRUE(tree.ok());
  std::vector<std::optional<int64_t>> signed_ones;
  std::vector<std::optional<uint64_t>> unsigned_ones;
  for (JsonItems items(tree->root()); items.next();) {
    signed_ones.push_back(items.value().int64());
    unsigned_ones.push_back(items.value().uint64());
  }
  EXPECT_EQ(signed_ones, (std::vector<std::optional<int64_t>>{
                             std::nullopt, -1, 1000, std::nullopt, -12, std::nullopt, {}}));
  EXPECT_EQ(unsigned_ones,
            (std::vector<std::optional<uint64_t>>{
                9223372036854775808U, std::nullopt, 1000, std::nullopt, std::nullopt, {}, {}}));
}

TEST(JsonTree, SaysWhereItBreaksOff) {
  for (const char* text : {"", "{", "[1,", "{\"a\" 1}", "nul", "[1]]", "\"\xFF\"", "1e999"}) {
    EXPECT_EQ(again(text), "bad-json") << text;
  }
  const auto tree = JsonTree::parse("[1, }", "f.json");
  EXPECT_EQ(tree.error().where.file, "f.json");
  EXPECT_EQ(tree.error().where.offset, 5U);
}

TEST(JsonTree, RefusesAMillionBrackets) {
  EXPECT_EQ(again(std::string(1'000'000, '[')), "bad-json");
  std::string objects;
  for (int i = 0; i < 1'000'000; ++i) objects += "{\"a\":";
  EXPECT_EQ(again(objects), "bad-json");
  const std::string fits = std::string(kMaxJsonDepth, '[') + std::string(kMaxJsonDepth, ']');
  EXPECT_EQ(again(fits), fits);
}

TEST(JsonTree, TakesManyMembersInLinearTime) {
  std::string text = "{\"k\":0";
  for (int i = 0; i < 200'000; ++i) text += cat(",\"", i, "\":0");
  EXPECT_EQ(again(text + "}"), text + "}");
}

}  // namespace
}  // namespace cryo
