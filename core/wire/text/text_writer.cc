#include "wire/text/text_writer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>
#include <vector>

#include "base/sort.h"
#include "base/text.h"
#include "base/utf8.h"
#include "bytes/splice_builder.h"
#include "wire/cursor.h"
#include "wire/elide.h"
#include "wire/text/text_escape.h"
#include "wire/text/text_printed.h"

namespace cryo {
namespace {

// One field as encoded in its message. Without a schema it is unknown; without a record it holds
// its default.
struct Item {
  const FieldSchema* field;
  std::string_view record;
};
using Items = std::vector<Item>;

WireField parsed(std::string_view record) {
  WireCursor cursor(record);
  cursor.next();
  return record.empty() ? WireField{} : cursor.field();
}

// The sort key of a message's fields and a map's entries. Ties are broken by address, so that the
// order is stable.
struct Key {
  std::string_view text;
  uint64_t number;
  std::string_view bytes;  // the record that it is the key of
};
using Keys = std::vector<Key>;

void sort_keys(Keys& keys) {
  sort(keys, [](const Key& a, const Key& b) {
    if (const int order = a.text.compare(b.text); order != 0) return order < 0;
    return a.number != b.number ? a.number < b.number : a.bytes.data() < b.bytes.data();
  });
}

// Unknown fields come last.
uint32_t number_of(const Item& item) {
  return item.field != nullptr ? item.field->number : ~uint32_t{0};
}

void sort_by_number(Items& items, const MessageSchema& schema) {
  Keys keys;
  for (const Item& item : items) keys.push_back({{}, number_of(item), item.record});
  sort_keys(keys);
  for (size_t i = 0; i < keys.size(); ++i) {
    items[i] = {schema.find(static_cast<uint32_t>(keys[i].number)), keys[i].bytes};
  }
}

// Keeps the last member of each oneof. Earlier values of other members are dropped.
void keep_last_of_oneofs(Items& items) {
  constexpr size_t kOneofs = 8;
  std::array<const FieldSchema*, kOneofs> last{};
  std::array<bool, kOneofs> done{};
  for (size_t i = items.size(); i-- > 0;) {
    const FieldSchema* field = items[i].field;
    if (field == nullptr || field->oneof < 0) continue;
    const size_t oneof = static_cast<uint8_t>(field->oneof);
    assert(oneof < kOneofs);
    if (last[oneof] == nullptr) last[oneof] = field;
    if (last[oneof] != field) done[oneof] = true;
    if (done[oneof]) items[i].record = {};
  }
  std::erase_if(items, [](const Item& item) { return item.record.empty(); });
}

class TextWriter {
 public:
  explicit TextWriter(const Payloads& payloads) : payloads_(payloads) {}

  Result<Splice> run(std::string_view skeleton, const MessageSchema& schema,
                     Diagnostics& diagnostics) {
    CHECK_OK(check_expanded_size(skeleton, schema, payloads_));
    CHECK_OK(message(skeleton, schema, false));
    if (unknowns_ > 0) {
      diagnostics.warn("unknown-fields",
                       cat("the text has ", plural(unknowns_, "field"),
                           " by number, for TensorFlow's messages have no name for them; "
                           "TensorFlow's parsers of text refuse that"),
                       {}, "write the binary form, which holds them");
    }
    return out_.finish();
  }

 private:
  Result<Items> items_of(std::string_view message, const MessageSchema& schema) const;
  Status message(std::string_view message, const MessageSchema& schema, bool entry);
  Status group(const Item* begin, const Item* end);
  Status map(const Item* begin, const Item* end);
  Status nested(std::string_view name, std::string_view body, const MessageSchema& schema,
                bool entry);
  Status known(const FieldSchema& field, const WireField& wire);
  Status bulk(const FieldSchema& field, const Splice& body);
  Status unknown_item(const WireField& wire);
  void unknown(const WireField& wire, int budget);

  const Payload* payload_of(const WireField& wire) const;
  std::string& text() { return out_.bytes(); }
  void open(std::string_view name);
  void close();
  std::string label(std::string_view name) const;

  const Payloads& payloads_;
  SpliceBuilder out_;
  uint64_t unknowns_ = 0;
  std::string indent_;
};

Failure malformed(std::string_view name) {
  return failure("malformed-message", cat("the bytes of ", name, " are not valid protobuf"), {},
                 "the file is damaged: get it again from its source");
}

// Returns the payload of a handle; nullptr for any other field.
const Payload* TextWriter::payload_of(const WireField& wire) const {
  if (wire.number != kPayloadField || wire.type != WireType::kVarint) return nullptr;
  const Payload* payload = payloads_.find(wire.value);
  assert(payload != nullptr);
  return payload;
}

Result<Items> TextWriter::items_of(std::string_view message, const MessageSchema& schema) const {
  Items items;
  bool sorted = true;
  bool oneofs = false;
  WireCursor cursor(message);
  while (cursor.next()) {
    const WireField& wire = cursor.field();
    const Payload* payload = payload_of(wire);
    const FieldSchema* field = schema.find(payload != nullptr ? payload->field : wire.number);
    const WireType type = payload != nullptr ? WireType::kBytes : wire.type;
    if (field != nullptr && !fits_wire(*field, type)) field = nullptr;
    const Item item = {field, wire.record};
    sorted = sorted && (items.empty() || number_of(items.back()) <= number_of(item));
    oneofs = oneofs || (field != nullptr && field->oneof >= 0);
    items.push_back(item);
  }
  if (!cursor.ok()) return malformed(schema.name);
  if (oneofs) keep_last_of_oneofs(items);
  if (!sorted) sort_by_number(items, schema);
  return items;
}

// ---- messages

void TextWriter::open(std::string_view name) {
  text() += cat(indent_, name, " {\n");
  indent_ += "  ";
}

void TextWriter::close() {
  indent_.resize(indent_.size() - 2);
  text() += cat(indent_, "}\n");
}

// A map's entry has both its fields, and nothing else: that is all that a map keeps.
void complete(Items& items, const MessageSchema& entry) {
  std::erase_if(items, [](const Item& item) { return item.field == nullptr; });
  const FieldSchema* key = &entry.fields[0];
  const FieldSchema* value = &entry.fields[1];
  if (items.empty() || items.front().field != key) items.insert(items.begin(), {key, {}});
  if (items.back().field != value) items.push_back({value, {}});
}

// The lines of a message.
Status TextWriter::message(std::string_view message, const MessageSchema& schema, bool entry) {
  TRY(items, items_of(message, schema));
  if (entry) complete(items, schema);
  const Item* const end = items.data() + items.size();
  for (const Item* begin = items.data(); begin != end;) {
    const Item* next = begin + 1;
    while (next != end && next->field == begin->field) ++next;
    CHECK_OK(group(begin, next));
    begin = next;
  }
  return Unit{};
}

// All occurrences of one field, or all unknown fields.
Status TextWriter::group(const Item* begin, const Item* end) {
  const FieldSchema* field = begin->field;
  if (field != nullptr && field->map) return map(begin, end);
  if (field != nullptr && !field->repeated && field->message != nullptr && end - begin > 1) {
    std::string merged;
    for (; begin != end; ++begin) merged += parsed(begin->record).bytes;
    return nested(field->name, merged, *field->message, false);
  }
  if (field != nullptr && !field->repeated) begin = end - 1;
  for (; begin != end; ++begin) {
    const WireField wire = parsed(begin->record);
    CHECK_OK(field != nullptr ? known(*field, wire) : unknown_item(wire));
  }
  return Unit{};
}

Status TextWriter::nested(std::string_view name, std::string_view body, const MessageSchema& schema,
                          bool entry) {
  open(name);
  CHECK_OK(message(body, schema, entry));
  close();
  return Unit{};
}

// The key of a map's entry, of either kind; signed numbers so that they sort.
Key key_of(const MessageSchema& schema, std::string_view entry) {
  const FieldSchema& field = schema.fields[0];
  Key key{{}, 0, entry};
  for (WireCursor cursor(entry); cursor.next();) {
    const WireField& wire = cursor.field();
    if (wire.number != field.number || !fits_wire(field, wire.type)) continue;
    key.text = wire.bytes;
    key.number = wire.value;
  }
  const bool is_signed = field.type == FieldType::kInt32 || field.type == FieldType::kInt64;
  if (is_signed) key.number ^= uint64_t{1} << 63;
  return key;
}

Status TextWriter::map(const Item* begin, const Item* end) {
  const FieldSchema& field = *begin->field;
  Keys keys;
  for (; begin != end; ++begin) {
    keys.push_back(key_of(*field.message, parsed(begin->record).bytes));
  }
  sort_keys(keys);
  for (size_t i = 0; i < keys.size(); ++i) {
    const Key* next = i + 1 < keys.size() ? &keys[i + 1] : nullptr;
    if (next != nullptr && next->text == keys[i].text && next->number == keys[i].number) continue;
    CHECK_OK(nested(field.name, keys[i].bytes, *field.message, true));
  }
  return Unit{};
}

// ---- values

std::string TextWriter::label(std::string_view name) const { return cat(indent_, name, ": "); }

Status TextWriter::known(const FieldSchema& field, const WireField& wire) {
  if (const Payload* payload = payload_of(wire)) return bulk(field, payload->body());
  if (field.message != nullptr) return nested(field.name, wire.bytes, *field.message, false);
  const bool literal = wire_type_of(field.type) == WireType::kBytes;
  if (!literal && wire.type == WireType::kBytes) {
    const bool whole = print_packed(field, wire.bytes, label(field.name), text());
    if (!whole) return malformed(field.name);
    return Unit{};
  }
  if (!field.repeated && !field.presence && holds_default(wire, field.type)) return Unit{};
  if (field.type == FieldType::kString && !is_utf8(wire.bytes)) {
    return failure("not-utf8",
                   cat("the text ", printable(wire.bytes, 100), " of '", field.name,
                       "' is not UTF-8: no parser would read it"),
                   {}, "write the binary form, which holds it");
  }
  text() += label(field.name);
  if (literal) text() += '"';
  if (literal) escape(wire.bytes, text());
  if (!literal) print_number(field, wire.value, text());
  text() += literal ? "\"\n" : "\n";
  return Unit{};
}

Status TextWriter::bulk(const FieldSchema& field, const Splice& body) {
  const bool literal = wire_type_of(field.type) == WireType::kBytes;
  assert(field.message == nullptr);
  TRY(lines, printed(field, body, label(field.name)));
  if (literal) text() += label(field.name) + '"';
  out_.add(Splice(lines));
  if (literal) text() += "\"\n";
  return Unit{};
}

// ---- unknown fields

Status TextWriter::unknown_item(const WireField& wire) {
  constexpr int kDepth = 10;  // as libprotobuf's
  ++unknowns_;
  const Payload* payload = payload_of(wire);
  if (payload == nullptr) {
    unknown(wire, kDepth);
    return Unit{};
  }
  TRY(record, payload->record.read_all());
  unknown(parsed(record), kDepth);
  return Unit{};
}

std::string hexadecimal(uint64_t value, int digits) {
  std::string out = "0x";
  for (int i = digits - 1; i >= 0; --i) out += "0123456789abcdef"[value >> (4 * i) & 15];
  return out;
}

bool is_message(std::string_view bytes) {
  WireCursor cursor(bytes);
  while (cursor.next()) {
  }
  return cursor.ok();
}

// Bytes that could be a message are shown as one.
void TextWriter::unknown(const WireField& wire, int budget) {
  const std::string name = cat(wire.number);
  const bool is_bytes = wire.type == WireType::kBytes;
  const bool message = !wire.bytes.empty() && budget > 0 && is_message(wire.bytes);
  if (wire.type == WireType::kGroup || (is_bytes && message)) {
    open(name);
    for (WireCursor cursor(wire.bytes); cursor.next();) unknown(cursor.field(), budget - 1);
    return close();
  }
  text() += label(name);
  if (wire.type == WireType::kVarint) text() += cat(wire.value);
  if (wire.type == WireType::kFixed32) text() += hexadecimal(wire.value, 8);
  if (wire.type == WireType::kFixed64) text() += hexadecimal(wire.value, 16);
  if (is_bytes) text() += '"';
  if (is_bytes) escape(wire.bytes, text());
  text() += is_bytes ? "\"\n" : "\n";
}

}  // namespace

Result<Splice> write_text(std::string_view skeleton, const MessageSchema& schema,
                          const Payloads& payloads, Diagnostics& diagnostics) {
  return TextWriter(payloads).run(skeleton, schema, diagnostics);
}

}  // namespace cryo
