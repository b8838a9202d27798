#include "base/reference.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace cryo {
namespace {

using namespace std::string_view_literals;

TEST(Reference, OfALiteralAndOfValuesIsOne) {
  EXPECT_EQ(option("--outputs", "NAME"), OPTION("--outputs", "NAME"));
  EXPECT_EQ(setting("--inputs", "auto"), SETTING("--inputs", "auto"));
  EXPECT_EQ(reference("give-graph", ""), "\x01give-graph\x02\x03");
}

TEST(Reference, IsWordedForTheCommandLine) {
  EXPECT_EQ(in_command_words("name them: " OPTION("--outputs", "NAME") ", or not"),
            "name them: --outputs NAME, or not");
  EXPECT_EQ(in_command_words("do without " OPTION("--fold-assets", "")),
            "do without --fold-assets");
  EXPECT_EQ(in_command_words(SETTING("--inputs", "auto")), "--inputs auto");
  EXPECT_EQ(in_command_words(LIST("names", "weights")),
            "see the names: cryograph list PATH weights");
  EXPECT_EQ(in_command_words(RUN("freeze", "OUT.json")), "cryograph freeze PATH -o OUT.json");
}

TEST(Reference, QuotesValuesAsAShellReadsThem) {
  EXPECT_EQ(in_command_words(setting("--rename", "old/**=new/**")), "--rename 'old/**=new/**'");
  EXPECT_EQ(in_command_words(setting("--set", "name=it's")), "--set 'name=it'\\''s'");
  EXPECT_EQ(in_command_words(setting("--set", "size=2")), "--set size=2");
}

TEST(Reference, OfEveryActionHasCommandWordsWithoutBraces) {
  for (const ReferenceRow& row : reference_table()) {
    std::string text = cat("\x01", row.action);
    for (const std::string_view name : split(row.arguments, ',')) {
      if (!name.empty()) text += cat("\x02", name);
    }
    const std::string words = in_command_words(text + "\x03");
    EXPECT_FALSE(words.empty()) << row.action;
    EXPECT_EQ(words.find_first_of("{}\x01\x02\x03"), std::string::npos) << words;
  }
}

TEST(Reference, HasItsTextBeforeAndAfterItAsParts) {
  const std::string text = cat("a ", option("--as", "X"), ADVICE("give-graph"), " b");
  const std::vector<TextPart> parts = text_parts(text);
  ASSERT_EQ(parts.size(), 4U);
  EXPECT_EQ(parts[0].text, "a ");
  EXPECT_EQ(parts[0].row, nullptr);
  EXPECT_EQ(parts[1].row->action, "option");
  EXPECT_EQ(parts[1].arguments, (std::vector<std::string_view>{"--as", "X"}));
  EXPECT_EQ(parts[2].row->action, "give-graph");
  EXPECT_TRUE(parts[2].arguments.empty());
  EXPECT_EQ(parts[3].text, " b");
  EXPECT_TRUE(text_parts("").empty());
}

TEST(Reference, IsNotWhatOnlyLooksLikeOne) {
  for (const std::string_view text :
       {"\x01"sv, "\x01option"sv, "\x01option\x03"sv, "\x01option\x02--as\x03"sv,
        "\x01nothing\x03"sv, "a\x03\x01"sv, "\x02"sv}) {
    EXPECT_EQ(in_command_words(text), text);
  }
  EXPECT_EQ(in_command_words("\x01" ADVICE("give-graph")),
            cat("\x01", in_command_words(ADVICE("give-graph"))));
}

}  // namespace
}  // namespace cryo
