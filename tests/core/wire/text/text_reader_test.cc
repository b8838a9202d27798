#include "wire/text/text_reader.h"

#include <gtest/gtest.h>

#include <random>

#include "files.h"
#include "proto/graph.pb.h"
#include "proto/meta_graph.pb.h"
#include "text_forms.h"

namespace cryo {
namespace {

// Expects that a text parses to the message that the test made, as libprotobuf writes it.
template <typename Message>
void expect_reads(const std::string& text, std::string_view type, const Message& message) {
  EXPECT_EQ(wire_of(text, type), message.SerializeAsString()) << text;
}

tensorflow::NodeDef weight() {
  tensorflow::NodeDef node;
  node.set_name("w");
  auto* attr = node.add_attr();
  attr->set_key("value");
  auto& tensor = *attr->mutable_value()->mutable_tensor();
  tensor.set_dtype(tensorflow::DT_FLOAT);
  tensor.add_float_val(0.5F);
  tensor.add_float_val(-2);
  return node;
}

TEST(TextReader, ReadsWhatAProgramPrints) {
  tensorflow::GraphDef graph;
  *graph.add_node() = weight();
  graph.mutable_versions()->set_producer(2474);
  const std::string text = R"(node {
  name: "w"
  attr {
    key: "value"
    value {
      tensor {
        dtype: DT_FLOAT
        float_val: 0.5
        float_val: -2
      }
    }
  }
}
versions {
  producer: 2474
}
)";
  expect_reads(text, "GraphDef", graph);
  expect_reads("", "GraphDef", tensorflow::GraphDef());
}

TEST(TextReader, ReadsEveryWayToWriteTheSame) {
  for (const char* text :
       {"name:'w'attr{key:'value'value{tensor{dtype:1,float_val:[.5,-2]}}}",
        "name : \"w\" ; attr : < key : \"value\" , value : < tensor : < dtype : DT_FLOAT , "
        "float_val : [ 5e-1 ] ; float_val : - 2.0f , float_val : [ ] > > >",
        "# a comment: { \"\n\tname: '' 'w' \"\"# and \"another\"\n''\r\n"
        "attr: [{ key: \"val\" 'ue' value <tensor { dtype: 0x1 float_val: 0.5e0F, float_val: -2 "
        "}>}]",
        "name: '\\x77' attr { key: '\\166\\u0061l\\U00000075e' value { tensor { dtype: 01 "
        "float_val: 50e-2 float_val: -2}}}"}) {
    expect_reads(text, "NodeDef", weight());
  }
}

TEST(TextReader, KeepsMapEntriesInTheOrderOfTheText) {
  const std::string wire = wire_of(
      "arg_attr { key: 7 value {} } arg_attr { value { } } arg_attr { key: 1 }", "FunctionDef");
  EXPECT_EQ(wire, unhex("3a 04 08 07 12 00  3a 02 12 00  3a 02 08 01"));
}

TEST(TextReader, LeavesOutWhatIsDefaultAndHasNoPresence) {
  EXPECT_EQ(wire_of("name: '' device: ''", "NodeDef"), "");
  EXPECT_EQ(wire_of("size: 0 name: ''", "TensorShapeProto.Dim"), "");
  EXPECT_EQ(wire_of("i: 0", "AttrValue"), unhex("18 00"));
  EXPECT_EQ(wire_of("s: ''", "AttrValue"), unhex("12 00"));
  EXPECT_EQ(wire_of("unknown_rank: false unknown_rank: true", "TensorShapeProto"), unhex("18 01"));
}

TEST(TextReader, ReadsAnyInBothForms) {
  tensorflow::CollectionDef collection;
  tensorflow::AssetFileDef asset;
  asset.set_filename("words.txt");
  auto* any = collection.mutable_any_list()->add_value();
  any->set_type_url("type.googleapis.com/tensorflow.AssetFileDef");
  any->set_value(asset.SerializeAsString());
  expect_reads(
      "any_list { value { [type.googleapis.com/tensorflow.AssetFileDef] { filename: 'words.txt' } "
      "} }",
      "CollectionDef", collection);
  expect_reads(
      "any_list { value { type_url: 'type.googleapis.com/tensorflow.AssetFileDef' value: "
      "'\\022\\twords.txt' } }",
      "CollectionDef", collection);
}

TEST(TextReader, PutsNoHandlesIntoAnAny) {
  const std::string content(70000, 'x');
  const Form form = Form::of_text(
      cat("any_list { value { [type.googleapis.com/tensorflow.TensorProto] { tensor_content: \"",
          content, "\" float_val: 1 float_val: 2 } } }"),
      "CollectionDef");
  tensorflow::CollectionDef collection;
  ASSERT_TRUE(collection.ParseFromString(form.wire()));
  tensorflow::TensorProto tensor;
  ASSERT_TRUE(tensor.ParseFromString(collection.any_list().value(0).value()));
  EXPECT_EQ(tensor.tensor_content(), content);
  EXPECT_EQ(tensor.float_val_size(), 2);
  EXPECT_EQ(form.payloads().size(), 1U);
}

struct Fault {
  const char* type;
  const char* text;
  const char* message;
};

TEST(TextReader, SaysWhatIsWrongInLibprotobufsWordsAndWhere) {
  const Fault faults[] = {
      {"NodeDef", "name: 'a'\n\tfoo: 1",
       "2:12: Message type \"tensorflow.NodeDef\" has no field named \"foo\"."},
      {"NodeDef", "name: 'a' name: 'b'",
       "1:15: Non-repeated field \"name\" is specified multiple times."},
      {"AttrValue", "i: 0 f: 1",
       "1:7: Field \"f\" is specified along with field \"i\", another member of the same oneof."},
      {"NodeDef", "name 'a'", "1:6: Expected \":\", found \"'a'\"."},
      {"NodeDef", "name: a", "1:7: Expected string, got: a"},
      {"NodeDef", "name: 'a", "1:9: Unexpected end of string."},
      {"NodeDef", "name: 'a\n'", "1:9: String literals cannot cross line boundaries."},
      {"NodeDef", "name: '\\q'", "1:9: Invalid escape sequence in string literal."},
      {"NodeDef", "name: '\\xg'", "1:10: Expected hex digits for escape sequence."},
      {"NodeDef", "name: '\\ud83d'", "1:15: String field \"name\" contains invalid UTF-8."},
      {"NodeDef", "input: ['a',]", "1:13: Expected string, got: ]"},
      {"NodeDef", "input: ['a' 'b' ; 'c']", "1:17: Expected \",\", found \";\"."},
      {"NodeDef", "attr { key: 'a' >", "1:17: Expected \"}\", found \">\"."},
      {"NodeDef", "attr {", "1:7: Expected identifier, got: "},
      {"NodeDef", "}", "1:1: Expected identifier, got: }"},
      {"NodeDef", "name: 'a';;", "1:11: Expected identifier, got: ;"},
      {"NodeDef", "[tensorflow.x]: 1",
       "1:15: Extension \"tensorflow.x\" is not defined or is not an extension of "
       "\"tensorflow.NodeDef\"."},
      {"TensorProto", "version_number: 2147483648", "1:17: Integer out of range (2147483648)"},
      {"TensorProto", "version_number: -2147483649", "1:18: Integer out of range (2147483649)"},
      {"TensorProto", "version_number: 1.5", "1:17: Expected integer, got: 1.5"},
      {"TensorProto", "uint32_val: -1", "1:13: Expected integer, got: -"},
      {"TensorProto", "float_val: 0x10", "1:12: Expect a decimal number, got: 0x10"},
      {"TensorProto", "float_val: 1e", "1:14: \"e\" must be followed by exponent."},
      {"TensorProto", "float_val: 1.2.3",
       "1:15: Already saw decimal point or exponent; can't have another one."},
      {"TensorProto", "float_val: 1x", "1:13: Need space between number and identifier."},
      {"TensorProto", "float_val: infinite", "1:12: Expected double, got: infinite"},
      {"TensorProto", "int_val: 08", "1:11: Numbers starting with leading zero must be in octal."},
      {"TensorProto", "bool_val: yes",
       "1:14: Invalid value for boolean field \"bool_val\". Value: \"yes\"."},
      {"TensorProto", "dtype: DT_NONE",
       "1:15: Unknown enumeration value of \"DT_NONE\" for field \"dtype\"."},
      {"TensorProto", "dtype: 'x'", "1:8: Expected integer or identifier, got: 'x'"},
      {"TensorProto", "\x01", "1:1: Invalid control characters encountered in text."},
      {"TensorProto", "dtype: \xC3\xA9", "1:8: Interpreting non ascii codepoint 195."},
      {"CollectionDef", "any_list { value { [type.googleapis.com/tensorflow.No] { } } }",
       "1:56: Could not find type \"type.googleapis.com/tensorflow.No\" stored in "
       "google.protobuf.Any."},
  };
  for (const Fault& fault : faults) {
    EXPECT_EQ(wire_of(fault.text, fault.type), cat("bad-text: ", fault.message)) << fault.text;
  }
}

TEST(TextReader, NamesTheFileAndTheOffset) {
  const Form form = Form::of_text("name: 'a'\nfoo: 1", "NodeDef");
  ASSERT_FALSE(form.ok());
  EXPECT_EQ(form.error().where.file, "file");
  EXPECT_EQ(form.error().where.offset, 13U);
}

TEST(TextReader, RefusesDeepNesting) {
  std::string deep;
  for (int i = 0; i < 50; ++i) deep += "variant_val { tensors { ";
  const std::string close(100, '}');
  EXPECT_FALSE(wire_of(deep + close, "TensorProto").starts_with("bad-text"));
  EXPECT_EQ(wire_of(deep + "variant_val { }" + close, "TensorProto"),
            "bad-text: 1:1213: Message is too deep, the parser exceeded the configured recursion "
            "limit of 100.");
}

std::string escaped(const std::string& bytes) {
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const char octal[] = {'\\', static_cast<char>('0' + (byte >> 6)),
                          static_cast<char>('0' + (byte >> 3 & 7)),
                          static_cast<char>('0' + (byte & 7))};
    out += byte % 3 == 0 ? cat("\\x", "0123456789abcdef"[byte >> 4], "0123456789ABCDEF"[byte & 15])
           : byte >= 'a' && byte <= 'z' ? std::string(1, c)
                                        : std::string(octal, 4);
  }
  return out;
}

std::string noise(size_t size) {
  std::mt19937 random(5);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  return bytes;
}

TEST(TextReader, ComputesLongContentWhileItIsRead) {
  const std::string content = noise(3'000'000);
  const size_t half = 1'400'000;
  const std::string text =
      cat("dtype: DT_UINT8 tensor_content: \"", escaped(content.substr(0, half)),
          "\" # a \"comment\"\n '", escaped(content.substr(half)), "' version_number: 3");
  const Form form = Form::of_text(text, "TensorProto");
  ASSERT_TRUE(form.ok()) << form.error().message;
  EXPECT_EQ(form.source().bytes_read(), text.size());
  EXPECT_EQ(form.skeleton(), unhex("08 04 f8 7f 00 18 03"));
  const Splice body = form.payloads().find(0)->body();
  expect_seeks(form, body, content, 300'000);
  const uint64_t before = form.source().bytes_read();
  EXPECT_TRUE(*body.read_all() == content);
  EXPECT_LE(form.source().bytes_read() - before, text.size());
}

TEST(TextReader, LeavesPlainContentInTheText) {
  const std::string text = "tensor_content: '" + std::string(3'000'000, 'x') + "'";
  const Form form = Form::of_text(text, "TensorProto");
  ASSERT_TRUE(form.ok());
  EXPECT_EQ(form.payloads().find(0)->body().pieces()[0].source.get(), &form.source());
  EXPECT_EQ(form.wire().substr(5), std::string(3'000'000, 'x'));
}

TEST(TextReader, TakesOutWhatElideTakesOut) {
  for (const size_t size : {kBulkTensorBytes, kBulkTensorBytes + 1}) {
    for (const std::string& text :
         {"tensor_content: '" + std::string(size, 'x') + "'",
          "tensor_content: '" + std::string(size - 1, 'x') + "' '\\x78'"}) {
      const Form form = Form::of_text(text, "TensorProto");
      EXPECT_EQ(form.payloads().size(), size > kBulkTensorBytes ? 1U : 0U);
      EXPECT_EQ(form.wire().substr(3), std::string(size, 'x'));
      EXPECT_EQ(Form::of_wire(form.wire(), "TensorProto").skeleton(), form.skeleton());
    }
  }
}

TEST(TextReader, PacksLongRunsOfNumbers) {
  tensorflow::TensorProto tensor;
  std::string text = "dtype: DT_FLOAT ";
  tensor.set_dtype(tensorflow::DT_FLOAT);
  for (int i = 0; i < 400'000; ++i) {
    tensor.add_float_val(static_cast<float>(i));
    text += cat("float_val: ", i, "\n");
  }
  for (int i = 0; i < 10; ++i) {
    tensor.add_int64_val(-i);
    text += cat("int64_val: ", -i, "\n");
  }
  const Form form = Form::of_text(text, "TensorProto");
  EXPECT_LT(form.skeleton().size(), 200U);
  EXPECT_TRUE(form.wire() == tensor.SerializeAsString());
}

// Reads that fail, from a certain offset on.
class FailingSource final : public ByteSource {
 public:
  FailingSource(std::string bytes, uint64_t from) : bytes_(std::move(bytes)), from_(from) {}
  const std::string& name() const override { return bytes_.name(); }
  uint64_t size() const override { return bytes_.size(); }
  Status read(uint64_t offset, std::span<char> out) const override {
    if (offset + out.size() > from_) return failure("cancelled", "");
    return bytes_.read(offset, out);
  }

 private:
  MemorySource bytes_;
  uint64_t from_;
};

TEST(TextReader, ReportsTheErrorOfARead) {
  const std::string text = "dtype: 1 tensor_content: '" + std::string(400'000, 'x') + "'";
  for (const uint64_t from : {0U, 100'000U, 400'000U}) {
    Payloads payloads;
    Diagnostics diagnostics;
    const Result<std::string> read =
        read_text(whole(std::make_shared<FailingSource>(text, from)),
                  message_schema("tensorflow.TensorProto"), payloads, diagnostics);
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().code, "cancelled");
  }
}

TEST(TextReader, EveryPrefixAndEveryChangeEndsInAMessageOrAnError) {
  const std::string text = R"(node { name: "a\n" op: 'Const' attr { key: "value" value { tensor {
    dtype: DT_FLOAT float_val: [1, -2.5e-3, inf] int_val: 0x1F tensor_content: "\001\xff" } } } }
    versions < producer: 010 > # end)";
  std::mt19937 random(11);
  for (size_t i = 0; i <= text.size(); ++i) {
    tensorflow::GraphDef graph;
    const Form form = Form::of_text(text.substr(0, i), "GraphDef");
    EXPECT_TRUE(!form.ok() || graph.ParseFromString(form.wire())) << i;
    std::string changed = text;
    changed[std::min(i, text.size() - 1)] = static_cast<char>(random());
    const Form other = Form::of_text(changed, "GraphDef");
    EXPECT_TRUE(!other.ok() || graph.ParseFromString(other.wire())) << changed;
  }
}

}  // namespace
}  // namespace cryo
