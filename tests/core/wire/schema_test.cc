#include "wire/schema.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/text.h"
#include "proto/graph.pb.h"
#include "proto/saved_model.pb.h"
#include "source_folder.h"

namespace cryo {
namespace {

constexpr const char* kFiles[] = {"attr_value",  "checkpoint", "control_flow", "event",
                                  "full_type",   "function",   "graph",        "graph_debug_info",
                                  "meta_graph",  "node_def",   "object_graph", "op_def",
                                  "saved_model", "struct",     "tensor",       "types",
                                  "variable",    "versions",   "well_known"};

// A field as a line of a .proto declares it; `scope` is the message around it.
struct Declared {
  std::string scope;
  std::string label;  // "", "optional", "repeated"
  std::string type;
  std::string name;
  uint32_t number = 0;
  std::string oneof;
  bool proto2 = false;
};

// Reads a .proto by its lines, independently of protoc: our files have one declaration a line.
class ProtoReader {
 public:
  std::vector<Declared> fields;
  std::set<std::string> messages;
  std::map<std::string, std::map<std::string, int>> enums;

  void read(const std::string& path) {
    std::ifstream file(path);
    ASSERT_TRUE(file) << path;
    for (std::string line; std::getline(file, line);) read_line(line.substr(0, line.find("//")));
    ASSERT_EQ(scopes_.size(), 1U) << path;
    scopes_.clear();
  }

 private:
  void read_line(const std::string& line) {
    std::istringstream in(line);
    const std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
    if (words.empty() || words[0] == "option" || words[0] == "import" || words[0] == "reserved")
      return;
    if (words[0] == "syntax") {
      proto2_ = words[2] == "\"proto2\";";
    } else if (words[0] == "package") {
      scopes_ = {words[1].substr(0, words[1].size() - 1)};
    } else if (words[0] == "}") {
      if (oneof_.empty()) {
        scopes_.pop_back();
      } else {
        oneof_.clear();
      }
    } else if (words[0] == "oneof") {
      oneof_ = words[1];
    } else if (words[0] == "message" || words[0] == "enum") {
      const std::string name = scopes_.back() + "." + words[1];
      if (words[0] == "message") messages.insert(name);
      if (line.find("{}") == std::string::npos) scopes_.push_back(name);
    } else {
      read_member(words);
    }
  }

  void read_member(std::vector<std::string> words) {
    const bool labelled = words[0] == "repeated" || words[0] == "optional";
    if (words[1] == "=") {
      enums[scopes_.back()][words[0]] = std::atoi(words[2].c_str());
      return;
    }
    if (!labelled) words.insert(words.begin(), "");
    fields.push_back({scopes_.back(), words[0], words[1], words[2],
                      static_cast<uint32_t>(std::atoi(words[4].c_str())), oneof_, proto2_});
  }

  std::vector<std::string> scopes_;
  std::string oneof_;
  bool proto2_ = false;
};

ProtoReader read_protos() {
  ProtoReader reader;
  for (const char* file : kFiles) {
    reader.read(cat(source_folder(), "/proto/", file, ".proto"));
  }
  return reader;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// A .proto calls "tensorflow.OpDef.ArgDef" just "ArgDef"; google.protobuf.Any is written in full.
bool is_named(std::string_view full_name, const std::string& name) {
  return full_name == name || ends_with(full_name, "." + name);
}

const std::map<std::string, FieldType> kScalars = {
    {"double", FieldType::kDouble},   {"float", FieldType::kFloat},
    {"int64", FieldType::kInt64},     {"uint64", FieldType::kUint64},
    {"int32", FieldType::kInt32},     {"fixed64", FieldType::kFixed64},
    {"fixed32", FieldType::kFixed32}, {"bool", FieldType::kBool},
    {"string", FieldType::kString},   {"bytes", FieldType::kBytes},
    {"uint32", FieldType::kUint32},   {"sint64", FieldType::kSint64}};

void expect_type(const Declared& declared, const FieldSchema& field) {
  if (const auto scalar = kScalars.find(declared.type); scalar != kScalars.end()) {
    EXPECT_EQ(field.type, scalar->second);
    EXPECT_EQ(field.message, nullptr);
    EXPECT_EQ(field.enumeration, nullptr);
  } else if (field.type == FieldType::kMessage) {
    ASSERT_NE(field.message, nullptr);
    EXPECT_TRUE(is_named(field.message->name, declared.type)) << field.message->name;
  } else {
    ASSERT_EQ(field.type, FieldType::kEnum);
    ASSERT_NE(field.enumeration, nullptr);
    EXPECT_TRUE(is_named(field.enumeration->name, declared.type)) << field.enumeration->name;
  }
}

TEST(Schema, SaysWhatTheProtoFilesSay) {
  const ProtoReader protos = read_protos();
  std::map<std::string, size_t> counts;
  for (const Declared& declared : protos.fields) {
    SCOPED_TRACE(declared.scope + "." + declared.name);
    if (declared.name == "payload") continue;
    const FieldSchema* field = message_schema(declared.scope).find(declared.number);
    ASSERT_NE(field, nullptr);
    ++counts[declared.scope];
    EXPECT_EQ(field->name, declared.name);
    EXPECT_EQ(field->number, declared.number);
    EXPECT_EQ(field->repeated, declared.label == "repeated");
    EXPECT_EQ(field->oneof >= 0, !declared.oneof.empty());
    EXPECT_EQ(field->presence,
              !field->repeated && (declared.proto2 || declared.label == "optional" ||
                                   !declared.oneof.empty() || field->type == FieldType::kMessage));
    EXPECT_EQ(field->map, ends_with(declared.type, "Entry"));
    EXPECT_EQ(message_schema(declared.scope).find(declared.name), field);
    expect_type(declared, *field);
  }
  EXPECT_EQ(message_schemas().size(), protos.messages.size());
  for (const MessageSchema& message : message_schemas()) {
    EXPECT_TRUE(protos.messages.count(std::string(message.name))) << message.name;
    EXPECT_EQ(message.fields.size(), counts[std::string(message.name)]) << message.name;
  }
}

TEST(Schema, EnumsSayWhatTheProtoFilesSay) {
  const ProtoReader protos = read_protos();
  std::set<std::string_view> seen;
  for (const MessageSchema& message : message_schemas()) {
    for (const FieldSchema& field : message.fields) {
      if (field.enumeration == nullptr || !seen.insert(field.enumeration->name).second) continue;
      const EnumSchema& enumeration = *field.enumeration;
      const auto& declared = protos.enums.at(std::string(enumeration.name));
      EXPECT_EQ(enumeration.values.size(), declared.size()) << enumeration.name;
      for (const auto& [name, number] : declared) {
        ASSERT_NE(enumeration.find(number), nullptr) << name;
        EXPECT_EQ(enumeration.find(number)->name, name);
        EXPECT_EQ(enumeration.find(name), enumeration.find(number));
      }
      EXPECT_EQ(enumeration.find(77777), nullptr);
      EXPECT_EQ(enumeration.find("NO_SUCH_VALUE"), nullptr);
    }
  }
  EXPECT_EQ(seen.size(), protos.enums.size());
}

TEST(Schema, MessagesAndFieldsAreSorted) {
  for (size_t i = 1; i < message_schemas().size(); ++i) {
    EXPECT_LT(message_schemas()[i - 1].name, message_schemas()[i].name);
  }
  for (const MessageSchema& message : message_schemas()) {
    for (size_t i = 1; i < message.fields.size(); ++i) {
      EXPECT_LT(message.fields[i - 1].number, message.fields[i].number) << message.name;
    }
  }
}

TEST(Schema, AMapIsTheRepeatedEntryNamedAfterItsField) {
  const MessageSchema& function = message_schema("tensorflow.FunctionDef");
  const FieldSchema& map = *function.find("arg_attr");
  EXPECT_TRUE(map.map);
  EXPECT_TRUE(map.repeated);
  EXPECT_EQ(map.message->name, "tensorflow.FunctionDef.ArgAttrEntry");
  EXPECT_EQ(map.message->find(1)->type, FieldType::kUint32);
  EXPECT_EQ(map.message->find(2)->message->name, "tensorflow.FunctionDef.ArgAttrs");
  EXPECT_FALSE(function.find("node_def")->map);
  EXPECT_FALSE(message_schema("tensorflow.OpDef").find("attr")->map);
}

TEST(Schema, TheHandleOfAPayloadIsNoFieldOfAFile) {
  EXPECT_EQ(message_schema("tensorflow.TensorProto").find(2047), nullptr);
  EXPECT_EQ(message_schema("tensorflow.TensorProto").find("payload"), nullptr);
}

TEST(Schema, NumbersThatNoMessageHasAreNotFound) {
  for (const MessageSchema& message : message_schemas()) {
    EXPECT_EQ(message.find(0U), nullptr);
    EXPECT_EQ(message.find(536870911U), nullptr);
    EXPECT_EQ(message.find(4294967295U), nullptr);
  }
  EXPECT_EQ(message_schema("tensorflow.OpDef").find(7), nullptr);
  EXPECT_EQ(message_schema("tensorflow.OpDef").find(16)->name, "is_aggregate");
  EXPECT_EQ(find_message_schema("tensorflow.Nothing"), nullptr);
  EXPECT_EQ(find_message_schema(""), nullptr);
  EXPECT_EQ(find_message_schema("zzz"), nullptr);
}

TEST(Schema, EntriesKeepTheOrderAndTheDefaultsOfAFile) {
  // arg_attr { key: 1 }, arg_attr { key: 0 value {} }, arg_attr {}: neither sorted nor without
  // defaults.
  const std::string function = {'\x3A', 2, 8, 1, '\x3A', 4, 8, 0, '\x12', 0, '\x3A', 0};
  tensorflow::FunctionDef message;
  ASSERT_TRUE(message.ParseFromString(function));
  EXPECT_EQ(message.arg_attr(1).key(), 0U);
  EXPECT_EQ(message.SerializeAsString(), function);
}

}  // namespace
}  // namespace cryo
