#include "wire/text/text_unknown.h"

#include <gtest/gtest.h>

#include "text_forms.h"

namespace cryo {
namespace {

// Fields of a later TensorFlow, and fields printed by their numbers.
TEST(UnknownFields, AreLeftOutAndTold) {
  const std::string node = R"(node { name: "a" op: "Const" input: "b" device: "/cpu:0" )";
  const std::string known = node + "} " + node + "} " + node + "} " + node + "}";
  const std::string more =
      R"( later: -inf later { a: [1, {b <c: 'x' "y">}], [d.e/f]: 2.5; 12: 0x1F }
    [ext.ension]: [] 17 { 1: "\000" })";
  const Form form = Form::of_text(known + more, "GraphDef");
  ASSERT_TRUE(form.ok()) << form.error().message;
  EXPECT_EQ(form.wire(), wire_of(known, "GraphDef"));
  const auto& reported = form.diagnostics().all();
  ASSERT_EQ(reported.size(), 3U);
  EXPECT_EQ(reported[0].code, "unknown-field");
  EXPECT_EQ(reported[0].severity, Severity::kWarning);
  EXPECT_EQ(reported[0].message,
            "1:242: Message type \"tensorflow.GraphDef\" has no field named \"later\". Removed, 2 "
            "times.");
  EXPECT_EQ(reported[0].where.file, "file");
  EXPECT_EQ(reported[0].where.offset, 241U);
  EXPECT_NE(reported[1].message.find("Extension \"ext.ension\" is not defined"), std::string::npos);
  EXPECT_NE(reported[2].message.find("\"17\""), std::string::npos);
}

TEST(UnknownFields, AreRefusedWhereThereAreMoreThanKnownOnes) {
  std::string text;
  for (int i = 0; i < 9; ++i) text += "node { name: 'a' calculator: 'b' }\n";
  const Form form = Form::of_text(text, "GraphDef");
  ASSERT_FALSE(form.ok());
  EXPECT_EQ(form.error().code, "bad-text");
  EXPECT_NE(form.error().message.find("no field named \"calculator\""), std::string::npos);
  EXPECT_TRUE(form.diagnostics().all().empty());
}

TEST(UnknownFields, AreRefusedWhereTheyAreBroken) {
  const std::string known = "node { name: 'a' op: 'b' input: 'c' device: 'd' }";
  for (const char* broken : {"x", "x:", "x: {", "x { 1 }", "x [1", "x: [1 2]", "x: 'a", "x < }",
                             "x { [a", "x { 'a': 1 }", "12", "[a.b", "x: - 'a'"}) {
    EXPECT_FALSE(Form::of_text(known + broken, "GraphDef").ok()) << broken;
  }
  std::string deep;
  for (int i = 0; i < 200; ++i) deep += "x {";
  EXPECT_FALSE(Form::of_text(known + deep + std::string(200, '}'), "GraphDef").ok());
}

}  // namespace
}  // namespace cryo
