#include "base/json_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "base/same_bits.h"

namespace cryo {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

TEST(JsonWriter, WritesNestedValues) {
  JsonWriter json;
  json.begin_object();
  json.members("a", 1, "b", std::vector<int>{}, "c", "text");
  json.key("d");
  json.object("e", nullptr, "f", true);
  json.list("g", std::vector<int>{1, 2}, [&](int each) { json.object("n", each); });
  json.member("h", std::map<std::string, uint64_t>{{"x", 1}, {"y", 2}});
  json.member("i", std::optional<double>());
  json.key("j");
  json.begin_object();
  json.end_object();
  json.end_object();
  EXPECT_EQ(json.text(),
            R"({"a":1,"b":[],"c":"text","d":{"e":null,"f":true},"g":[{"n":1},{"n":2}],)"
            R"("h":{"x":1,"y":2},"i":null,"j":{}})");
}

TEST(JsonWriter, BreaksLinesAfterCommas) {
  JsonWriter json;
  json.begin_array();
  json.begin_line();
  json.value(1);
  json.begin_line();
  json.value(2);
  json.end_array();
  EXPECT_EQ(json.text(), "[\n1,\n2]");
}

TEST(JsonWriter, WritesNumbersThatJavaScriptHolds) {
  EXPECT_EQ(json_of(uint64_t{1} << 53), "9007199254740992");
  EXPECT_EQ(json_of((uint64_t{1} << 53) + 1), "\"9007199254740993\"");
  EXPECT_EQ(json_of(-(int64_t{1} << 53)), "-9007199254740992");
  EXPECT_EQ(json_of(-(int64_t{1} << 53) - 1), "\"-9007199254740993\"");
}

TEST(JsonWriter, WritesRealNumbersAsTheLibraryDoes) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const double number = same_bits<double>(random());
    EXPECT_EQ(json_of(number), text_of(Json(number)));
  }
  for (const double number : {0.0, -0.0, 1.0, 760.0, 0.1, 1e-5, 1e15, 1e16, 5e-324}) {
    EXPECT_EQ(json_of(number), text_of(Json(number)));
  }
  EXPECT_EQ(json_of(std::nan("")), "null");
  EXPECT_EQ(json_of(std::numeric_limits<double>::infinity()), "null");
}

// Also of bytes that are not UTF-8, in which both replace the same.
TEST(JsonWriter, WritesTextsAsTheLibraryDoes) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text = {'a', static_cast<char>(first), static_cast<char>(second), 'z'};
      EXPECT_EQ(json_of(text), text_of(Json(text)));
    }
  }
  std::mt19937 random(7);
  constexpr std::string_view kBytes =
      "\xE2\x82\xAC\xF0\x9F\x98\x80\xED\xA0\xC3\xF4\x90\xE0\xFF\\\"\n\x1F\x7Fx";
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    for (size_t size = random() % 8; text.size() < size;) text += kBytes[random() % kBytes.size()];
    EXPECT_EQ(json_of(text), text_of(Json(text)));
  }
}

}  // namespace
}  // namespace cryo
