#include <cmath>
#include <map>

#include "base/base64.h"
#include "base/same_bits.h"
#include "base/text.h"
#include "base/utf8.h"
#include "bytes/coding.h"
#include "wire/cursor.h"
#include "wire/json/json_form.h"

namespace cryo {
namespace {

std::string camel(std::string_view name) {
  std::string out;
  bool upper = false;
  for (const char c : name) {
    if (c == '_') {
      upper = true;
      continue;
    }
    out += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = false;
  }
  return out;
}

void write_real(JsonWriter& json, double value) {
  if (std::isnan(value)) {
    json.value("NaN");
  } else if (std::isinf(value)) {
    json.value(value < 0 ? "-Infinity" : "Infinity");
  } else {
    json.value(value);
  }
}

double real_of(FieldType type, uint64_t bits) {
  if (type == FieldType::kDouble) return same_bits<double>(bits);
  return same_bits<float>(static_cast<uint32_t>(bits));
}

void write_enum(JsonWriter& json, const EnumSchema& schema, int32_t number) {
  const EnumValueSchema* value = schema.find(number);
  if (value == nullptr) {
    json.value(number);
  } else {
    json.value(value->name);
  }
}

// Writes a number, given as encoded on the wire.
void write_number(JsonWriter& json, const FieldSchema& field, uint64_t bits) {
  switch (field.type) {
    case FieldType::kDouble:
    case FieldType::kFloat:
      return write_real(json, real_of(field.type, bits));
    case FieldType::kBool:
      return json.value(bits != 0);
    case FieldType::kEnum:
      return write_enum(json, *field.enumeration, static_cast<int32_t>(bits));
    case FieldType::kInt32:
      return json.value(static_cast<int32_t>(bits));
    case FieldType::kUint32:
    case FieldType::kFixed32:
      return json.value(static_cast<uint32_t>(bits));
    case FieldType::kInt64:
      return json.value(cat(static_cast<int64_t>(bits)));
    case FieldType::kSint64:
      return json.value(cat(static_cast<int64_t>((bits >> 1) ^ (~(bits & 1) + 1))));
    default:
      return json.value(cat(bits));
  }
}

// Takes a number of a packed list.
bool take_number(std::string_view& packed, FieldType type, uint64_t& bits) {
  std::string_view bytes;
  switch (wire_type_of(type)) {
    case WireType::kFixed32:
      if (!take_bytes(packed, 4, bytes)) return false;
      bits = get_fixed32(bytes.data());
      return true;
    case WireType::kFixed64:
      if (!take_bytes(packed, 8, bytes)) return false;
      bits = get_fixed64(bytes.data());
      return true;
    default:
      return take_varint(packed, bits);
  }
}

std::string base64_of(std::string_view bytes) {
  std::string text;
  append_base64(text, bytes);
  return text;
}

Failure malformed(const MessageSchema& schema, std::string_view what) {
  return failure("malformed-message", cat(what, " in a ", schema.name), {},
                 "validate the model to see all its faults");
}

class Writer {
 public:
  Writer(JsonWriter& json, std::set<std::string>& unknown) : json_(json), unknown_(unknown) {}
  Status message(std::string_view bytes, const MessageSchema& schema, int depth);

 private:
  Status survey(std::string_view bytes, const MessageSchema& schema, std::string_view* last);
  Status field(std::string_view bytes, const FieldSchema& field, int depth);
  Status repeated(std::string_view bytes, const FieldSchema& field, int depth);
  Status map(std::string_view bytes, const FieldSchema& field, int depth);
  Status packed(std::string_view numbers, const FieldSchema& field);
  Status value(const FieldSchema& field, uint64_t bits, std::string_view bytes, int depth);

  JsonWriter& json_;
  std::set<std::string>& unknown_;
};

// Oneofs that any message has, at most.
constexpr size_t kMaxOneofs = 16;

// Finds the record of each oneof that was set last; only that one counts.
Status Writer::survey(std::string_view bytes, const MessageSchema& schema, std::string_view* last) {
  WireCursor cursor(bytes);
  while (cursor.next()) {
    const FieldSchema* field = schema.find(cursor.field().number);
    if (field == nullptr || !fits_wire(*field, cursor.field().type)) {
      if (unknown_.size() < kMaxUnknown) {
        unknown_.insert(cat(schema.name, ".", cursor.field().number));
      }
    } else if (field->oneof >= 0 && static_cast<size_t>(field->oneof) < kMaxOneofs) {
      last[field->oneof] = cursor.field().record;
    }
  }
  return cursor.ok() ? Status(Unit{}) : malformed(schema, "a field is cut short");
}

Status Writer::message(std::string_view bytes, const MessageSchema& schema, int depth) {
  if (depth > kMaxDepth) return malformed(schema, cat("nesting deeper than ", kMaxDepth));
  std::string_view last[kMaxOneofs];
  CHECK_OK(survey(bytes, schema, last));
  json_.begin_object();
  for (const FieldSchema& each : schema.fields) {
    std::string_view where = bytes;
    if (each.oneof >= 0) where = last[each.oneof];
    CHECK_OK(field(where, each, depth));
  }
  json_.end_object();
  return Unit{};
}

// A message that comes twice is merged, and joining the bytes merges.
Status Writer::field(std::string_view bytes, const FieldSchema& field, int depth) {
  if (field.map) return map(bytes, field, depth);
  if (field.repeated) return repeated(bytes, field, depth);
  bool met = false;
  WireField last;
  std::string merged;
  for (WireCursor cursor(bytes); cursor.next();) {
    const WireField& each = cursor.field();
    if (each.number != field.number || !fits_wire(field, each.type)) continue;
    if (met && field.type == FieldType::kMessage) {
      if (merged.empty()) merged = last.bytes;
      merged += each.bytes;
    }
    last = each;
    met = true;
  }
  if (!met || (!field.presence && holds_default(last, field.type))) return Unit{};
  json_.key(camel(field.name));
  return value(field, last.value, merged.empty() ? last.bytes : std::string_view{merged}, depth);
}

Status Writer::packed(std::string_view numbers, const FieldSchema& field) {
  for (uint64_t bits = 0; !numbers.empty();) {
    if (!take_number(numbers, field.type, bits)) {
      return failure("malformed-message", cat("the list '", field.name, "' is cut short"));
    }
    write_number(json_, field, bits);
  }
  return Unit{};
}

Status Writer::repeated(std::string_view bytes, const FieldSchema& field, int depth) {
  bool begun = false;
  for (WireCursor cursor(bytes); cursor.next();) {
    const WireField& each = cursor.field();
    if (each.number != field.number || !fits_wire(field, each.type)) continue;
    const bool is_packed =
        each.type == WireType::kBytes && wire_type_of(field.type) != WireType::kBytes;
    if (is_packed && each.bytes.empty()) continue;
    if (!begun) {
      json_.key(camel(field.name));
      json_.begin_array();
    }
    begun = true;
    if (is_packed) {
      CHECK_OK(packed(each.bytes, field));
      continue;
    }
    CHECK_OK(value(field, each.value, each.bytes, depth));
  }
  if (begun) json_.end_array();
  return Unit{};
}

// Returns a field of a map's entry; its default if the entry does not have it.
WireField entry_field(std::string_view entry, uint32_t number) {
  WireField found;
  for (WireCursor cursor(entry); cursor.next();) {
    if (cursor.field().number == number) found = cursor.field();
  }
  return found;
}

// Returns a key as a name: a number's digits, a string verbatim.
std::string key_of(std::string_view entry, const FieldSchema& key) {
  const WireField at = entry_field(entry, 1);
  if (key.type == FieldType::kString) return std::string(at.bytes);
  JsonWriter json;
  write_number(json, key, at.value);
  const std::string& text = json.text();
  return text.starts_with('"') ? text.substr(1, text.size() - 2) : text;
}

Status check_utf8(const FieldSchema& field, std::string_view text) {
  if (is_utf8(text)) return Unit{};
  return failure("malformed-message",
                 cat("the text ", printable(text, 100), " of '", field.name, "' is not UTF-8"));
}

// Writes a map. If entries share a key the last one counts.
Status Writer::map(std::string_view bytes, const FieldSchema& field, int depth) {
  const FieldSchema& key = *field.message->find(1);
  const FieldSchema& mapped = *field.message->find(2);
  std::map<std::string, const char*> last;
  for (WireCursor cursor(bytes); cursor.next();) {
    const WireField& each = cursor.field();
    if (each.number != field.number || each.type != WireType::kBytes) continue;
    last[key_of(each.bytes, key)] = each.bytes.data();
  }
  bool begun = false;
  for (WireCursor cursor(bytes); cursor.next();) {
    const WireField& each = cursor.field();
    if (each.number != field.number || each.type != WireType::kBytes) continue;
    const std::string of = key_of(each.bytes, key);
    if (last[of] != each.bytes.data()) continue;
    if (!begun) {
      json_.key(camel(field.name));
      json_.begin_object();
    }
    begun = true;
    if (key.type == FieldType::kString) CHECK_OK(check_utf8(key, of));
    json_.key(of);
    const WireField to = entry_field(each.bytes, 2);
    CHECK_OK(value(mapped, to.value, to.bytes, depth + 1));
  }
  if (begun) json_.end_object();
  return Unit{};
}

Status Writer::value(const FieldSchema& field, uint64_t bits, std::string_view bytes, int depth) {
  switch (field.type) {
    case FieldType::kMessage:
      return message(bytes, *field.message, depth + 1);
    case FieldType::kBytes:
      json_.value(base64_of(bytes));
      return Unit{};
    case FieldType::kString:
      CHECK_OK(check_utf8(field, bytes));
      json_.value(bytes);
      return Unit{};
    default:
      write_number(json_, field, bits);
      return Unit{};
  }
}

}  // namespace

Status write_json_form(JsonWriter& json, std::string_view message, const MessageSchema& schema,
                       std::set<std::string>& unknown) {
  return Writer(json, unknown).message(message, schema, 0);
}

}  // namespace cryo
