#include "commands/text/look.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "commands/text/text_rows.h"

namespace cryo {
namespace {

TEST(Look, ColorsWhatIsMarked) {
  const std::string text = cat(marked(Mark::kBad, "error:"), " no\n");
  EXPECT_EQ(rendered(text, {}, 0), "error: no\n");
  EXPECT_EQ(rendered(text, {.color = true}, 0), "\x1b[1;31merror:\x1b[0m no\n");
  EXPECT_EQ(columns_of(text), 10U);  // without marks, with the end of the line
}

TEST(Look, BreaksLongLinesAtBlanks) {
  const std::string text = row("ops", "Const 4, Identity 4, MatMul 2") + row("nodes", "309");
  EXPECT_EQ(rendered(text, {.width = 34}, kValueColumn),
            "ops         Const 4, Identity 4,\n"
            "            MatMul 2\n"
            "nodes       309\n");
  EXPECT_EQ(rendered(text, {.width = 41}, kValueColumn), rendered(text, {}, kValueColumn));
  EXPECT_EQ(rendered("a-word-that-is-longer-than-the-line b\n", {.width = 10}, 2),
            "a-word-that-is-longer-than-the-line\n  b\n");
}

TEST(Look, ShortensNamesInTheirMiddle) {
  EXPECT_EQ(shortened("resnet/block1/conv1/weights", 12), "resnet…ights");
  EXPECT_EQ(shortened("short", 12), "short");
  EXPECT_EQ(shortened("größeäöü", 5), "gr…öü");
  EXPECT_EQ(columns_of(shortened("größeäöü", 5)), 5U);
}

std::string table(const std::vector<std::vector<std::string>>& lines, const Look& look) {
  std::string text;
  write_table(
      lines.size(), [&](size_t at) { return lines[at]; }, look,
      [&](std::string_view line) {
        text += line;
        return true;
      });
  return text;
}

TEST(Look, FitsTables) {
  const std::vector<std::vector<std::string>> lines = {
      {"resnet/block1/conv1/weights", "float32", "[3,3]"}, {"b", "int32", ""}};
  EXPECT_EQ(table(lines, {}),
            "resnet/block1/conv1/weights  float32  [3,3]\n"
            "b                            int32\n");
  EXPECT_EQ(table(lines, {.width = 28}),
            "resnet…ights  float32  [3,3]\n"
            "b             int32\n");
  EXPECT_EQ(table(lines, {.width = 16}),
            "resn…hts  float…\n"
            "b         int32\n");
  EXPECT_EQ(table(lines, {.verbose = true, .width = 28}), table(lines, {}));
}

}  // namespace
}  // namespace cryo
