#include <cassert>
#include <limits>

#include "base/base64.h"
#include "base/same_bits.h"
#include "base/text.h"
#include "bytes/coding.h"
#include "wire/cursor.h"
#include "wire/json/json_form.h"

namespace cryo {

namespace {

// "tensor_shape" is also called "tensorShape".
bool is_called(std::string_view field, std::string_view key) {
  if (field == key) return true;
  size_t at = 0;
  for (size_t i = 0; i < field.size(); ++i) {
    char c = field[i];
    if (c == '_' && ++i < field.size()) {
      c = field[i];
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    if (at == key.size() || key[at++] != c) return false;
  }
  return at == key.size();
}

const FieldSchema* find_field(const MessageSchema& schema, std::string_view key) {
  for (const FieldSchema& field : schema.fields) {
    if (is_called(field.name, key)) return &field;
  }
  return nullptr;
}

std::optional<double> real_number(const JsonValue& value) {
  if (value.text() == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (value.text() == "Infinity") return std::numeric_limits<double>::infinity();
  if (value.text() == "-Infinity") return -std::numeric_limits<double>::infinity();
  return value.number();
}

std::optional<uint64_t> signed_bits(const JsonValue& value, bool narrow) {
  const std::optional<int64_t> number = value.int64();
  if (!number || (narrow && *number != static_cast<int32_t>(*number))) return std::nullopt;
  return static_cast<uint64_t>(*number);
}

std::optional<uint64_t> unsigned_bits(const JsonValue& value, bool narrow) {
  const std::optional<uint64_t> number = value.uint64();
  if (!number || (narrow && *number > 0xFFFFFFFF)) return std::nullopt;
  return number;
}

std::optional<uint64_t> float_bits(const JsonValue& value) {
  const std::optional<double> number = real_number(value);
  if (!number) return std::nullopt;
  return same_bits<uint32_t>(static_cast<float>(*number));
}

std::optional<uint64_t> double_bits(const JsonValue& value) {
  const std::optional<double> number = real_number(value);
  if (!number) return std::nullopt;
  return same_bits<uint64_t>(*number);
}

std::optional<uint64_t> enum_bits(const JsonValue& value, const EnumSchema& schema) {
  const EnumValueSchema* named = value.is_string() ? schema.find(value.text()) : nullptr;
  return named == nullptr ? signed_bits(value, true)
                          : static_cast<uint64_t>(int64_t{named->number});
}

// Returns the encoded value of a number.
std::optional<uint64_t> number_bits(const JsonValue& value, const FieldSchema& field) {
  switch (field.type) {
    case FieldType::kDouble:
      return double_bits(value);
    case FieldType::kFloat:
      return float_bits(value);
    case FieldType::kEnum:
      return enum_bits(value, *field.enumeration);
    case FieldType::kBool:
      if (value.kind() != JsonValue::Kind::kBool) return std::nullopt;
      return value.is_true() ? 1 : 0;
    case FieldType::kInt32:
    case FieldType::kInt64:
      return signed_bits(value, field.type == FieldType::kInt32);
    case FieldType::kSint64: {
      const std::optional<uint64_t> bits = signed_bits(value, false);
      if (!bits) return std::nullopt;
      return (*bits << 1) ^ (*bits >> 63 != 0 ? ~uint64_t{0} : 0);
    }
    default:
      return unsigned_bits(value,
                           field.type == FieldType::kUint32 || field.type == FieldType::kFixed32);
  }
}

void put_number(std::string& out, FieldType type, uint64_t bits) {
  switch (wire_type_of(type)) {
    case WireType::kFixed32:
      return put_fixed32(out, static_cast<uint32_t>(bits));
    case WireType::kFixed64:
      return put_fixed64(out, bits);
    default:
      return put_varint(out, bits);
  }
}

// base64, or a list of the bytes' numbers.
bool take_bytes_value(const JsonValue& value, std::string& bytes) {
  if (value.is_string()) return decode_base64(value.text(), bytes);
  if (!value.is_array()) return false;
  for (JsonItems items(value); items.next();) {
    const std::optional<uint64_t> byte = items.value().uint64();
    if (!byte || *byte > 255) return false;
    bytes += static_cast<char>(*byte);
  }
  return true;
}

class Reader {
 public:
  explicit Reader(std::set<std::string>& unknown) : unknown_(unknown) {}
  Status message(const JsonValue& json, const MessageSchema& schema, int depth, std::string& out);

 private:
  Status field(const JsonValue& json, const FieldSchema& field, int depth, std::string& out);
  Status map(const JsonValue& json, const FieldSchema& field, int depth, std::string& out);
  Status map_key(std::string_view key, const FieldSchema& field, std::string& entry);
  Status repeated(const JsonValue& json, const FieldSchema& field, int depth, std::string& out);
  // `always`: writes the value even if it is the default.
  Status single(const JsonValue& json, const FieldSchema& field, bool always, int depth,
                std::string& out);

  std::set<std::string>& unknown_;
};

Failure mismatch(const FieldSchema& field, std::string_view expected) {
  return failure("bad-json", cat("expected ", expected, " as '", field.name, "'"), {},
                 "the file is damaged, or no model: get it again from its source");
}

// The members of an object that were met, by their place in the schema.
struct SeenMembers {
  uint64_t named = 0;
  uint64_t given = 0;  // as more than null
};

// Fails on repeated members, as protobuf's json_format does: "duplicate key", "should not have
// multiple oneof fields". Merging them as messages merge would depend on the order, which JSON
// objects do not have.
Status check_once(SeenMembers& met, const MessageSchema& schema, const FieldSchema& field,
                  bool is_null) {
  const auto fields = schema.fields;
  assert(fields.size() <= 64);
  for (size_t i = 0; i < fields.size(); ++i) {
    const bool again = &fields[i] == &field && (met.named >> i & 1) != 0;
    const bool another =
        !is_null && field.oneof >= 0 && fields[i].oneof == field.oneof && (met.given >> i & 1) != 0;
    if (!again && !another) continue;
    return failure("bad-json",
                   again ? cat(schema.name, " has '", field.name, "' twice")
                         : cat(schema.name, " has '", fields[i].name, "' and '", field.name,
                               "', of which only one can be set"),
                   {}, "leave one of them");
  }
  const uint64_t bit = uint64_t{1} << (&field - fields.data());
  met.named |= bit;
  if (!is_null) met.given |= bit;
  return Unit{};
}

Status Reader::message(const JsonValue& json, const MessageSchema& schema, int depth,
                       std::string& out) {
  if (!json.is_object()) return failure("bad-json", cat("expected an object for ", schema.name));
  if (depth > kMaxDepth) {
    return failure("bad-json", cat("messages nest deeper than ", kMaxDepth), {},
                   "protobuf reads no message so deep");
  }
  SeenMembers met;
  for (JsonItems items(json); items.next();) {
    const FieldSchema* known = find_field(schema, items.key());
    if (known == nullptr) {
      if (unknown_.size() < kMaxUnknown) unknown_.insert(cat(schema.name, ".", items.key()));
      continue;
    }
    const bool is_null = items.value().is_null();
    Status put = check_once(met, schema, *known, is_null);
    if (put && !is_null) put = field(items.value(), *known, depth, out);
    if (put) continue;
    Diagnostic error = put.error();
    if (schema.name == "tensorflow.NodeDef") error.where.node = json.find("name").text();
    return error;
  }
  return Unit{};
}

Status Reader::field(const JsonValue& json, const FieldSchema& field, int depth, std::string& out) {
  if (field.map) return map(json, field, depth, out);
  if (field.repeated) return repeated(json, field, depth, out);
  return single(json, field, field.presence, depth, out);
}

// {"T": {"type": 1}}  ->  an entry {key "T", value {type 1}} each
Status Reader::map(const JsonValue& json, const FieldSchema& field, int depth, std::string& out) {
  if (!json.is_object()) return mismatch(field, "an object");
  for (JsonItems items(json); items.next();) {
    std::string entry;
    CHECK_OK(map_key(items.key(), *field.message->find(1), entry));
    CHECK_OK(single(items.value(), *field.message->find(2), true, depth + 1, entry));
    put_bytes_field(out, field.number, entry);
  }
  return Unit{};
}

// Keys of JSON are strings, whatever the map's are.
Status Reader::map_key(std::string_view key, const FieldSchema& field, std::string& entry) {
  if (field.type == FieldType::kString) {
    put_bytes_field(entry, field.number, key);
    return Unit{};
  }
  TRY(tree, JsonTree::parse(json_of(key), ""));
  return single(tree.root(), field, true, 0, entry);
}

Status Reader::repeated(const JsonValue& json, const FieldSchema& field, int depth,
                        std::string& out) {
  if (!json.is_array()) return mismatch(field, "a list");
  std::string packed;
  for (JsonItems items(json); items.next();) {
    if (wire_type_of(field.type) == WireType::kBytes) {
      CHECK_OK(single(items.value(), field, true, depth, out));
      continue;
    }
    const std::optional<uint64_t> bits = number_bits(items.value(), field);
    if (!bits) return mismatch(field, "a list of numbers");
    put_number(packed, field.type, *bits);
  }
  if (!packed.empty()) put_bytes_field(out, field.number, packed);
  return Unit{};
}

Status Reader::single(const JsonValue& json, const FieldSchema& field, bool always, int depth,
                      std::string& out) {
  if (wire_type_of(field.type) != WireType::kBytes) {
    const std::optional<uint64_t> bits = number_bits(json, field);
    if (!bits) return mismatch(field, field.type == FieldType::kEnum ? "a name" : "a number");
    if (*bits == 0 && !always) return Unit{};
    put_tag(out, field.number, wire_type_of(field.type));
    put_number(out, field.type, *bits);
    return Unit{};
  }
  std::string body;
  if (field.type == FieldType::kMessage) {
    CHECK_OK(message(json, *field.message, depth + 1, body));
  } else if (field.type == FieldType::kBytes) {
    if (!take_bytes_value(json, body)) return mismatch(field, "bytes in base64");
  } else {
    if (!json.is_string()) return mismatch(field, "a text");
    body = json.text();
  }
  if (!body.empty() || always) put_bytes_field(out, field.number, body);
  return Unit{};
}

}  // namespace

Result<std::string> wire_of_json(const JsonValue& json, const MessageSchema& schema,
                                 std::set<std::string>& unknown) {
  std::string out;
  CHECK_OK(Reader(unknown).message(json, schema, 0, out));
  return out;
}

}  // namespace cryo
