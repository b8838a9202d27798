#include "wire/text/text_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

#include "files.h"
#include "proto/function.pb.h"
#include "proto/graph.pb.h"
#include "text_forms.h"
#include "wire_message.h"

namespace cryo {
namespace {

TEST(TextWriter, PrintsFieldsByNumberAndMapsByKey) {
  const std::string wire = wire_of(
      "experimental_debug_info { } device: '/cpu:0' input: ['a', '^b'] op: 'Op' name: 'n' "
      "attr { key: 'b' value { list { i: [1, -1] type: [DT_INT8, 99] b: true } } } "
      "attr { key: 'a' value { shape { dim { size: 0 } unknown_rank: true } } } attr { value { } }",
      "NodeDef");
  EXPECT_EQ(text_of(wire, "NodeDef"), R"(name: "n"
op: "Op"
input: "a"
input: "^b"
device: "/cpu:0"
attr {
  key: ""
  value {
  }
}
attr {
  key: "a"
  value {
    shape {
      dim {
      }
      unknown_rank: true
    }
  }
}
attr {
  key: "b"
  value {
    list {
      i: 1
      i: -1
      b: true
      type: DT_INT8
      type: 99
    }
  }
}
experimental_debug_info {
}
)");
}

TEST(TextWriter, GivesEveryEntryOfAMapBothItsFields) {
  const std::string entries = unhex("3a 02 08 02  3a 00  3a 06 12 00 08 0a 08 01  3a 02 38 05");
  EXPECT_EQ(text_of(entries, "FunctionDef"), R"(arg_attr {
  key: 0
  value {
  }
}
arg_attr {
  key: 1
  value {
  }
}
arg_attr {
  key: 2
  value {
  }
}
)");
}

TEST(TextWriter, MergesWhatIsGivenTwice) {
  const auto shape = [](uint64_t size) {
    return WireMessage().message(2, WireMessage().varint(1, size));
  };
  EXPECT_EQ(
      text_of(
          serialise(
              WireMessage().varint(1, 1).message(2, shape(3)).varint(1, 3).message(2, shape(4))),
          "TensorProto"),
      "dtype: DT_INT32\ntensor_shape {\n  dim {\n    size: 3\n  }\n  dim {\n    size: 4\n  "
      "}\n}\n");
  // A member of a oneof puts an end to what came before another member.
  EXPECT_EQ(text_of(serialise(WireMessage()
                                  .message(7, shape(3))
                                  .varint(3, 5)
                                  .message(7, shape(4))
                                  .message(7, shape(5))),
                    "AttrValue"),
            "shape {\n  dim {\n    size: 4\n  }\n  dim {\n    size: 5\n  }\n}\n");
  EXPECT_EQ(text_of(serialise(WireMessage().message(7, shape(3)).varint(3, 0)), "AttrValue"),
            "i: 0\n");
}

TEST(TextWriter, LeavesOutDefaultsWithoutPresence) {
  EXPECT_EQ(text_of(unhex("08 00 18 00 22 00 12 00"), "TensorProto"), "tensor_shape {\n}\n");
  // 2^32 is 0 as an int32.
  EXPECT_EQ(text_of(unhex("18 80 80 80 80 10"), "TensorProto"), "");
}

TEST(TextWriter, ReadsNumbersPackedOrNot) {
  EXPECT_EQ(
      text_of(unhex("3a 02 01 02  38 03  3a 0a ff ff ff ff ff ff ff ff ff 01"), "TensorProto"),
      "int_val: 1\nint_val: 2\nint_val: 3\nint_val: -1\n");
  EXPECT_EQ(text_of(unhex("3a 01 80"), "TensorProto"),
            "malformed-message: the bytes of int_val are not valid protobuf");
  EXPECT_EQ(text_of(unhex("2a 03 00 00 00"), "TensorProto"),
            "malformed-message: the bytes of float_val are not valid protobuf");
}

std::string printed(float value) {
  tensorflow::TensorProto tensor;
  tensor.add_float_val(value);
  const std::string text = text_of(tensor.SerializeAsString(), "TensorProto");
  return text.substr(11, text.size() - 12);
}
std::string printed(double value) {
  tensorflow::TensorProto tensor;
  tensor.add_double_val(value);
  const std::string text = text_of(tensor.SerializeAsString(), "TensorProto");
  return text.substr(12, text.size() - 13);
}

TEST(TextWriter, PrintsTheFewestDigitsThatReadBack) {
  EXPECT_EQ(printed(0.1F), "0.1");
  EXPECT_EQ(printed(-0.0F), "-0");
  EXPECT_EQ(printed(1.0F / 3), "0.333333343");
  EXPECT_EQ(printed(16777216.0F), "16777216");
  EXPECT_EQ(printed(1e6F), "1e+06");
  EXPECT_EQ(printed(100000.0F), "100000");
  EXPECT_EQ(printed(0.0001F), "0.0001");
  EXPECT_EQ(printed(0.00001F), "1e-05");
  EXPECT_EQ(printed(9999995.0F), "9999995");
  EXPECT_EQ(printed(std::numeric_limits<float>::max()), "3.40282347e+38");
  EXPECT_EQ(printed(std::numeric_limits<float>::denorm_min()), "1.40129846e-45");
  EXPECT_EQ(printed(INFINITY), "inf");
  EXPECT_EQ(printed(-INFINITY), "-inf");
  EXPECT_EQ(printed(NAN), "nan");
  EXPECT_EQ(printed(0.1), "0.1");
  EXPECT_EQ(printed(1.0 / 3), "0.33333333333333331");
  EXPECT_EQ(printed(1e22), "1e+22");
  EXPECT_EQ(printed(9007199254740993.0), "9007199254740992");
  EXPECT_EQ(printed(std::numeric_limits<double>::denorm_min()), "4.94065645841247e-324");
  EXPECT_EQ(printed(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
}

TEST(TextWriter, PrintsWhatPrintfPrints) {
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    const auto bits = static_cast<uint32_t>(random());
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value) || std::fabs(value) < std::numeric_limits<float>::min()) continue;
    char expected[32];
    std::snprintf(expected, sizeof expected, "%.6g", double{value});
    if (std::strtof(expected, nullptr) != value) {
      std::snprintf(expected, sizeof expected, "%.9g", double{value});
    }
    ASSERT_EQ(printed(value), expected);
  }
}

TEST(TextWriter, EscapesWhatDoesNotPrint) {
  tensorflow::TensorProto tensor;
  tensor.add_string_val(std::string("a\n\r\t\"'\\\0\x01\x7f\xC3\xA9 ~?", 15));
  EXPECT_EQ(text_of(tensor.SerializeAsString(), "TensorProto"),
            "string_val: \"a\\n\\r\\t\\\"\\'\\\\\\000\\001\\177\\303\\251 ~?\"\n");
}

TEST(TextWriter, PrintsUnknownFieldsAsLibprotobufDoes) {
  const WireMessage inner = WireMessage().varint(3, 7);
  WireMessage message;
  message.varint(900, 5).bytes(901, "plain text").bytes(902, "").message(903, inner);
  message.message(904, inner, WireType::kGroup).varint(kPayloadField, 1).bytes(2, "op");
  message.fields.push_back({905, WireType::kFixed32, 255});
  message.fields.push_back({906, WireType::kFixed64, 255});
  message.fields.push_back({1, WireType::kVarint, 1});  // name is a string
  EXPECT_EQ(text_of(serialise(message), "NodeDef"), R"(op: "op"
900: 5
901: "plain text"
902: ""
903 {
  3: 7
}
904 {
  3: 7
}
2047: 1
905: 0x000000ff
906: 0x00000000000000ff
1: 1
)");
  const std::string bulk(70000, 'w');  // no message begins with it
  EXPECT_EQ(text_of(serialise(WireMessage().bytes(900, bulk)), "NodeDef"),
            cat("900: \"", bulk, "\"\n"));
}

TEST(TextWriter, PrintsBulkWhileItIsRead) {
  tensorflow::TensorProto tensor;
  std::string expected = "tensor_content: \"";
  for (int i = 0; i < 100'000; ++i) {
    *tensor.mutable_tensor_content() += std::string("a\n\0\xFF", 4);
    expected += "a\\n\\000\\377";
  }
  expected += "\"\n";
  for (int i = 0; i < 50'000; ++i) {
    tensor.add_float_val(static_cast<float>(i) / 2);
    expected += cat("float_val: ", i / 2, i % 2 == 0 ? "\n" : ".5\n");
  }
  for (int i = 0; i < 50'000; ++i) {
    tensor.add_int64_val(i * (i % 3 - 1));
    expected += cat("int64_val: ", i * (i % 3 - 1), "\n");
  }
  const std::string wire = tensor.SerializeAsString();
  const Form form = Form::of_wire(wire, "TensorProto");
  const uint64_t before = form.source().bytes_read();
  const Result<Splice> text = form.as_text();
  ASSERT_TRUE(text.ok());
  EXPECT_LT(form.source().bytes_read() - before, wire.size() + 1000);
  ASSERT_EQ(text->size(), expected.size());
  EXPECT_TRUE(*text->read_all() == expected);
  expect_seeks(form, *text, expected, 140'000);
  EXPECT_TRUE(wire_of(expected, "TensorProto") == wire);
}

TEST(TextWriter, RefusesBulkThatEndsAmidANumber) {
  const std::string floats(4001, 'x');
  EXPECT_EQ(text_of(serialise(WireMessage().bytes(5, floats)), "TensorProto"),
            "malformed-message: the packed numbers of the field float_val end amid a number");
  const std::string varints(4000, '\xFF');
  EXPECT_EQ(text_of(serialise(WireMessage().bytes(7, varints)), "TensorProto"),
            "malformed-message: the packed numbers of the field int_val end amid a number");
}

TEST(TextWriter, RefusesStringsThatNoParserReads) {
  EXPECT_EQ(text_of(serialise(WireMessage().bytes(4, "\xFF")), "NodeDef"),
            "not-utf8: the text \\xff of 'device' is not UTF-8: no parser would read it");
  const std::string bytes = serialise(WireMessage().bytes(2, "\xFF"));
  EXPECT_EQ(text_of(bytes, "AttrValue"), "s: \"\\377\"\n");
}

TEST(TextWriter, ReadsBackToTheSameText) {
  int read_back = 0;
  for (const char* type : {"GraphDef", "TensorProto", "NodeDef", "MetaGraphDef"}) {
    RandomMessages messages(17);
    const MessageSchema& schema = message_schema(cat("tensorflow.", type));
    for (int i = 0; i < 400; ++i) {
      const Form form = Form::of_wire(serialise(messages.next(schema)), type);
      if (!form.ok()) continue;
      const std::string text = form.text();
      const Form back = Form::of_text(text, type);
      const bool known = form.diagnostics().all().empty();
      if (!known || !back.ok()) continue;  // unknown fields, text that is not UTF-8
      ++read_back;
      ASSERT_EQ(back.text(), text);
      ASSERT_EQ(wire_of(text, type), back.wire());
    }
  }
  EXPECT_GT(read_back, 100);
}

TEST(TextWriter, GivesEveryFixtureBack) {
  for (const char* name : {"frozen_convnet/graph.pb", "call_handles/frozen.pb"}) {
    const std::string wire = file_bytes(fixture(name));
    const std::string text = text_of(wire, "GraphDef");
    const std::string back = wire_of(text, "GraphDef");
    EXPECT_EQ(text_of(back, "GraphDef"), text);
    tensorflow::GraphDef was;
    tensorflow::GraphDef is;
    ASSERT_TRUE(was.ParseFromString(wire) && is.ParseFromString(back));
    EXPECT_EQ(is.ByteSizeLong(), was.ByteSizeLong());
  }
}

TEST(TextWriter, TellsOfFieldsThatNoParserOfTextReads) {
  const Form form = Form::of_wire(unhex("0A0161 A00601 A80602"), "NodeDef");
  EXPECT_EQ(form.text(), "name: \"a\"\n100: 1\n101: 2\n");
  ASSERT_EQ(form.diagnostics().all().size(), 1U);
  EXPECT_EQ(form.diagnostics().all()[0].code, "unknown-fields");
  EXPECT_NE(form.diagnostics().all()[0].message.find("2 fields"), std::string::npos);
}

}  // namespace
}  // namespace cryo
