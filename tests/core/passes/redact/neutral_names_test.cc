#include "passes/redact/neutral_names.h"

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "passes/redact/field_rules.h"
#include "validate/graph/names.h"

namespace cryo {
namespace {

TEST(NeutralNames, KeepTheTreeAndAllReferences) {
  NeutralNames names;
  EXPECT_EQ(names.name("conv1/weights"), "n1/n2");
  EXPECT_EQ(names.name("conv1/Relu:1"), "n1/n3:1");
  EXPECT_EQ(names.name("^conv1/Relu"), "^n1/n3");
  EXPECT_EQ(names.name("weights"), "n2");
  EXPECT_EQ(names.name("__inference_call_12"), "__n4");
  EXPECT_EQ(names.name("model/w/.ATTRIBUTES/VARIABLE_VALUE"), "n5/n6/.ATTRIBUTES/VARIABLE_VALUE");
  EXPECT_EQ(names.name("bert.layer.0.weight"), "n7.n8.0.n9");
  EXPECT_EQ(names.name("call-20240131"), "n10-n11");
  EXPECT_EQ(names.name("serving_default"), "serving_default");
  EXPECT_EQ(names.count(), 11U);
}

TEST(NeutralNames, StayIllegalInTheSameWay) {
  NeutralNames names;
  for (const std::string name : {"a b", "-a", "a>_b", "a//b", "/", "", "gr\u00F6\u00DFe", "x\x80y",
                                 "a\nb", "_a", "a:b", "a>b", ".a", "a@b", "9"}) {
    const std::string made = names.name(name);
    EXPECT_EQ(is_node_name(made, false), is_node_name(name, false)) << quoted(name);
    EXPECT_EQ(is_node_name(made, true), is_node_name(name, true)) << quoted(name);
    EXPECT_EQ(is_utf8(made), is_utf8(name)) << quoted(name);
    EXPECT_EQ(names.name(name), made);
  }
  EXPECT_NE(names.name("\u00E4"), names.name("\u00F6"));
}

TEST(NeutralNames, SortAsArgumentsDid) {
  NeutralNames names;
  std::vector<std::string> arguments;
  for (int i = 0; i < 12; ++i) arguments.push_back(std::string(1, static_cast<char>('z' - i)));
  names.put_in_order(arguments);
  EXPECT_EQ(names.name("z"), "n12");
  EXPECT_EQ(names.name("o"), "n01");
  EXPECT_EQ(names.name("another"), "n13");
}

TEST(NeutralNames, ReplaceJobsOfDevices) {
  NeutralNames names;
  const auto device = [&](std::string_view text) { return neutral_device(text, names); };
  EXPECT_EQ(device("/job:secret/replica:0/task:12345/device:GPU:0"),
            "/job:n1/replica:0/task:12345/device:GPU:0");
  EXPECT_EQ(device("/gpu:1"), "/gpu:1");
  EXPECT_EQ(device("/job:localhost"), "/job:localhost");
  EXPECT_EQ(device("/device:SECRET:0"), "/device:n2:0");
  EXPECT_EQ(device("/device:CPU:*"), "/device:CPU:*");
  EXPECT_EQ(device("/cpu"), "/cpu");
}

// A row that names no field would leave its text to the rule of unknown ones.
TEST(FieldRules, AreOfFieldsThatThereAre) {
  std::string_view before;
  for (const FieldRow& row : field_rows()) {
    const MessageSchema* schema =
        find_message_schema(std::string("tensorflow.").append(row.message));
    ASSERT_NE(schema, nullptr) << row.message;
    EXPECT_NE(schema->find(row.field), nullptr) << row.message << "." << row.field;
    EXPECT_LE(before, row.message);
    before = row.message;
  }
}

}  // namespace
}  // namespace cryo
