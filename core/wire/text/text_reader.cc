#include "wire/text/text_reader.h"

#include <cassert>
#include <limits>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "bytes/coding.h"
#include "wire/cursor.h"
#include "wire/elide.h"
#include "wire/text/text_literal.h"
#include "wire/text/text_unknown.h"
#include "wire/text/text_values.h"

namespace cryo {
namespace {

// A message while its fields are read.
struct Scope {
  const MessageSchema& schema;
  int depth;
  uint64_t seen = 0;                 // fields that are not repeated, by their place in the schema
  const FieldSchema* run = nullptr;  // the repeated numbers that are being packed
  size_t run_begin = 0;              // in the skeleton
  Splice run_bulk = {};              // bulk of the run, moved out of the skeleton
};

class TextReader {
 public:
  TextReader(const Slice& text, Payloads& payloads) : tokens_(text), payloads_(payloads) {}

  Result<std::string> run(const MessageSchema& schema, Diagnostics& diagnostics);

 private:
  bool field(Scope& scope);
  bool find_field(Scope& scope, const FieldSchema*& field);
  bool unknown_extension(const Scope& scope);
  bool check_once(Scope& scope, const FieldSchema& field);
  bool list(Scope& scope, const FieldSchema& field);
  bool value(Scope& scope, const FieldSchema& field);

  bool nested(Scope& scope, const FieldSchema& field);
  bool message(const MessageSchema& schema, int depth);
  bool any(Scope& scope);
  bool dotted_name(std::string& name);

  bool string(Scope& scope, const FieldSchema& field);
  void put_bulk(uint32_t number, const Splice& body);

  bool number(Scope& scope, const FieldSchema& field);
  void put_number(FieldType type, uint64_t bits);

  void begin_run(Scope& scope, const FieldSchema& field);
  void end_run(Scope& scope);
  uint64_t threshold(const MessageSchema& schema) const;

  bool expect(char symbol);

  TextTokens tokens_;
  Payloads& payloads_;
  std::string skeleton_;
  UnknownFields unknown_;
  uint64_t known_ = 0;  // fields
  int anys_ = 0;        // expanded ones around: their value is plain bytes, which hold no handles
};

Result<std::string> TextReader::run(const MessageSchema& schema, Diagnostics& diagnostics) {
  Scope scope{schema, 0};
  while (tokens_.kind() != TokenKind::kEnd && field(scope)) {
  }
  end_run(scope);
  if (Failure failure = tokens_.take_failure()) return failure;
  CHECK_OK(unknown_.report(tokens_, known_, diagnostics));
  return std::move(skeleton_);
}

bool TextReader::expect(char symbol) {
  if (tokens_.take(symbol)) return true;
  return tokens_.fail(cat("Expected \"", symbol, "\", found \"", tokens_.shown(), "\"."));
}

// ---- fields

bool TextReader::field(Scope& scope) {
  if (tokens_.at('[') && scope.schema.name == "google.protobuf.Any") return any(scope);
  const FieldSchema* field = nullptr;
  if (!find_field(scope, field)) return false;
  if (field == nullptr) return true;
  if (field->message != nullptr) {
    tokens_.take(':');
  } else if (!expect(':')) {
    return false;
  }
  if (!(field->repeated && tokens_.at('[') ? list(scope, *field) : value(scope, *field))) {
    return false;
  }
  if (!tokens_.take(';')) tokens_.take(',');
  return tokens_.ok();
}

// Finds the field's schema. Skips the field and sets nullptr if the schema does not have it.
bool TextReader::find_field(Scope& scope, const FieldSchema*& field) {
  if (tokens_.at('[')) return unknown_extension(scope);
  std::string name = tokens_.text();
  const bool number = tokens_.kind() == TokenKind::kInteger;
  if (number) tokens_.next();
  if (!number && !take_identifier(tokens_, name)) return false;
  field = number ? nullptr : scope.schema.find(name);
  if (field == nullptr) {
    return unknown_.skip(tokens_, cat("Message type \"", scope.schema.name,
                                      "\" has no field named \"", printable(name, 300), "\"."));
  }
  ++known_;
  return field->repeated || check_once(scope, *field);
}

bool TextReader::unknown_extension(const Scope& scope) {
  std::string name;
  tokens_.next();
  if (!dotted_name(name) || !expect(']')) return false;
  return unknown_.skip(
      tokens_, cat("Extension \"", printable(name, 300),
                   "\" is not defined or is not an extension of \"", scope.schema.name, "\"."));
}

bool TextReader::check_once(Scope& scope, const FieldSchema& field) {
  const auto fields = scope.schema.fields;
  assert(fields.size() <= 64);
  for (size_t i = 0; i < fields.size(); ++i) {
    if ((scope.seen >> i & 1) == 0) continue;
    if (&fields[i] == &field) {
      return tokens_.fail(
          cat("Non-repeated field \"", field.name, "\" is specified multiple times."));
    }
    if (field.oneof >= 0 && fields[i].oneof == field.oneof) {
      return tokens_.fail(cat("Field \"", field.name, "\" is specified along with field \"",
                              fields[i].name, "\", another member of the same oneof."));
    }
  }
  return true;
}

bool TextReader::list(Scope& scope, const FieldSchema& field) {
  tokens_.next();
  if (tokens_.take(']')) return true;
  while (true) {
    if (!value(scope, field)) return false;
    if (tokens_.take(']')) return true;
    if (!expect(',')) return false;
  }
}

bool TextReader::value(Scope& scope, const FieldSchema& field) {
  if (scope.run != nullptr && scope.run != &field) end_run(scope);
  switch (field.type) {
    case FieldType::kMessage:
      return nested(scope, field);
    case FieldType::kString:
    case FieldType::kBytes:
      return string(scope, field);
    default:
      return number(scope, field);
  }
}

void note_seen(Scope& scope, const FieldSchema& field) {
  scope.seen |= uint64_t{1} << (&field - scope.schema.fields.data());
}

// ---- messages

bool TextReader::nested(Scope& scope, const FieldSchema& field) {
  if (!field.repeated) note_seen(scope, field);
  put_tag(skeleton_, field.number, WireType::kBytes);
  const size_t begin = skeleton_.size();
  if (!message(*field.message, scope.depth + 1)) return false;
  std::string length;
  put_varint(length, skeleton_.size() - begin);
  skeleton_.insert(begin, length);
  return true;
}

bool TextReader::message(const MessageSchema& schema, int depth) {
  if (depth > kMaxDepth) {
    return tokens_.fail(
        cat("Message is too deep, the parser exceeded the configured recursion "
            "limit of ",
            kMaxDepth, "."));
  }
  const bool angle = tokens_.take('<');
  if (!angle && !expect('{')) return false;
  Scope scope{schema, depth};
  while (!tokens_.at('>') && !tokens_.at('}')) {
    if (!field(scope)) return false;
  }
  end_run(scope);
  return expect(angle ? '>' : '}');
}

// [type.googleapis.com/tensorflow.AssetFileDef] { ... } is the Any's two fields.
bool TextReader::any(Scope& scope) {
  tokens_.next();
  std::string prefix;
  std::string name;
  if (!dotted_name(prefix) || !expect('/') || !dotted_name(name) || !expect(']')) return false;
  tokens_.take(':');
  const bool known = prefix == "type.googleapis.com" || prefix == "type.googleprod.com";
  const MessageSchema* schema = known ? find_message_schema(name) : nullptr;
  if (schema == nullptr) {
    return tokens_.fail(
        cat("Could not find type \"", prefix, "/", name, "\" stored in google.protobuf.Any."));
  }
  put_bytes_field(skeleton_, 1, cat(prefix, "/", name));
  const size_t begin = skeleton_.size();
  ++anys_;
  if (!message(*schema, scope.depth + 1)) return false;
  --anys_;
  if (scope.seen != 0) return tokens_.fail("Non-repeated Any specified multiple times.");
  scope.seen = 3;
  const std::string body = skeleton_.substr(begin);
  skeleton_.resize(begin);
  if (body.size() > threshold(scope.schema)) {
    put_bulk(2, Splice(fresh(body)));
  } else if (!body.empty()) {
    put_bytes_field(skeleton_, 2, body);
  }
  if (!tokens_.take(';')) tokens_.take(',');
  return tokens_.ok();
}

bool TextReader::dotted_name(std::string& name) {
  std::string part;
  while (take_identifier(tokens_, part)) {
    name += part;
    if (!tokens_.take('.')) return true;
    name += '.';
  }
  return false;
}

// ---- strings

// Bytes of a field beyond which they are bulk.
uint64_t TextReader::threshold(const MessageSchema& schema) const {
  if (anys_ > 0) return std::numeric_limits<uint64_t>::max();
  return schema.name == "tensorflow.TensorProto" ? kBulkTensorBytes : kBulkBytes;
}

bool TextReader::string(Scope& scope, const FieldSchema& field) {
  if (tokens_.kind() != TokenKind::kString) return tokens_.expected("string");
  const bool is_text = field.type == FieldType::kString;
  const uint64_t keep = is_text ? std::numeric_limits<uint64_t>::max() : threshold(scope.schema);
  TextValue value;
  if (!take_literals(tokens_, keep, value)) return false;
  if (is_text && !is_utf8(value.bytes)) {
    return tokens_.fail(cat("String field \"", field.name, "\" contains invalid UTF-8."));
  }
  if (value.bulk.size() > 0) {
    put_bulk(field.number, value.bulk);
  } else if (field.repeated || field.presence || !value.bytes.empty()) {
    put_bytes_field(skeleton_, field.number, value.bytes);
  } else {
    return true;
  }
  if (!field.repeated) note_seen(scope, field);
  return true;
}

void TextReader::put_bulk(uint32_t number, const Splice& body) {
  put_varint_field(skeleton_, kPayloadField, payloads_.add(make_payload(number, body)));
}

// ---- numbers

bool TextReader::number(Scope& scope, const FieldSchema& field) {
  uint64_t bits = 0;
  if (!take_number(tokens_, field, bits)) return false;
  if (field.repeated) {
    begin_run(scope, field);
    put_number(field.type, bits);
  } else if (field.presence || bits != 0) {
    put_tag(skeleton_, field.number, wire_type_of(field.type));
    put_number(field.type, bits);
    note_seen(scope, field);
  }
  return true;
}

void TextReader::put_number(FieldType type, uint64_t bits) {
  switch (wire_type_of(type)) {
    case WireType::kFixed64:
      return put_fixed64(skeleton_, bits);
    case WireType::kFixed32:
      return put_fixed32(skeleton_, static_cast<uint32_t>(bits));
    default:
      return put_varint(skeleton_, bits);
  }
}

// The numbers of a run follow one another at the end of the skeleton; many move out of it.
void TextReader::begin_run(Scope& scope, const FieldSchema& field) {
  if (scope.run == nullptr) {
    scope.run = &field;
    scope.run_begin = skeleton_.size();
  }
  if (skeleton_.size() - scope.run_begin < Splice::kStep || anys_ > 0) return;
  scope.run_bulk.append(fresh(skeleton_.substr(scope.run_begin)));
  skeleton_.resize(scope.run_begin);
}

void TextReader::end_run(Scope& scope) {
  if (scope.run == nullptr) return;
  const std::string numbers = skeleton_.substr(scope.run_begin);
  skeleton_.resize(scope.run_begin);
  if (scope.run_bulk.size() + numbers.size() > threshold(scope.schema)) {
    scope.run_bulk.append(fresh(numbers));
    put_bulk(scope.run->number, scope.run_bulk);
  } else {
    put_bytes_field(skeleton_, scope.run->number, numbers);
  }
  scope.run_bulk = {};
  scope.run = nullptr;
}

}  // namespace

Result<std::string> read_text(const Slice& text, const MessageSchema& schema, Payloads& payloads,
                              Diagnostics& diagnostics) {
  return TextReader(text, payloads).run(schema, diagnostics);
}

}  // namespace cryo
