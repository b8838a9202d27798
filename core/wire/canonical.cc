#include "wire/canonical.h"

#include <map>
#include <vector>

#include "bytes/coding.h"

namespace cryo {
namespace {

// One occurrence of a known field.
struct Occurrence {
  uint32_t number = 0;
  WireField field = {};
  bool bulk = false;  // `field` is the handle of it
};
using Occurrences = std::vector<const Occurrence*>;

void put_number(std::string& out, FieldType type, uint64_t value) {
  const WireType wire = wire_type_of(type);
  if (wire == WireType::kVarint) put_varint(out, held_number(type, value));
  if (wire == WireType::kFixed32) put_fixed32(out, static_cast<uint32_t>(value));
  if (wire == WireType::kFixed64) put_fixed64(out, value);
}

void put_packed(std::string& out, FieldType type, const WireField& field) {
  if (field.type != WireType::kBytes) return put_number(out, type, field.value);
  if (wire_type_of(type) != WireType::kVarint) {
    out += field.bytes;
    return;
  }
  std::string_view rest = field.bytes;
  for (uint64_t value = 0; take_varint(rest, value);) put_number(out, type, value);
}

bool is_number(FieldType type) {
  return type != FieldType::kString && type != FieldType::kBytes && type != FieldType::kMessage;
}

// Sorts keys as upb's deterministic writer does, which is Python's: texts by their bytes, but
// "Tshape" before "T" (no text has a byte FF); numbers from the highest down.
std::string sort_key(FieldType type, const std::string& key) {
  if (!is_number(type)) return key + '\xFF';
  std::string_view digits = key;
  uint64_t number = 0;
  std::string order;
  if (!take_varint(digits, number)) return order;
  for (int shift = 56; shift >= 0; shift -= 8) order += static_cast<char>(~number >> shift);
  return order;
}

class Writer {
 public:
  explicit Writer(const Payloads& payloads) : payloads_(payloads) {}
  std::string written(std::string_view message, const MessageSchema& schema, int depth) const;

 private:
  Occurrence occurrence(const WireField& field) const;
  std::string value(const FieldSchema& field, const Occurrences& all, int depth) const;
  void put_list(const FieldSchema& field, const Occurrences& all, int depth,
                std::string& out) const;
  void put_map(const FieldSchema& field, const Occurrences& all, int depth, std::string& out) const;
  void put_single(const FieldSchema& field, const Occurrences& all, int depth,
                  std::string& out) const;

  const Payloads& payloads_;
};

Occurrence Writer::occurrence(const WireField& field) const {
  if (field.number == kPayloadField && field.type == WireType::kVarint) {
    const Payload* payload = payloads_.find(field.value);
    if (payload != nullptr) return {payload->field, field, true};
  }
  return {field.number, field, false};
}

// Returns the value of a field that is not repeated, without its tag; the body of a
// length-delimited one.
std::string Writer::value(const FieldSchema& field, const Occurrences& all, int depth) const {
  std::string out;
  if (field.type == FieldType::kMessage) {
    for (const Occurrence* each : all) out += each->field.bytes;
    return written(out, *field.message, depth + 1);
  }
  if (is_number(field.type)) {
    put_number(out, field.type, all.empty() ? 0 : all.back()->field.value);
  } else if (!all.empty()) {
    out = all.back()->field.bytes;
  }
  return out;
}

void put_field(std::string& out, const FieldSchema& field, std::string_view body) {
  put_tag(out, field.number, wire_type_of(field.type));
  if (!is_number(field.type)) put_varint(out, body.size());
  out += body;
}

void Writer::put_single(const FieldSchema& field, const Occurrences& all, int depth,
                        std::string& out) const {
  if (all.back()->bulk) {
    out += all.back()->field.record;
    return;
  }
  const std::string body = value(field, all, depth);
  const bool nothing =
      is_number(field.type) ? body.find_first_not_of('\0') == body.npos : body.empty();
  if (!nothing || field.presence) put_field(out, field, body);
}

void Writer::put_list(const FieldSchema& field, const Occurrences& all, int depth,
                      std::string& out) const {
  std::string packed;
  const auto put_packed_field = [&] {
    if (!packed.empty()) put_bytes_field(out, field.number, packed);
    packed.clear();
  };
  for (const Occurrence* each : all) {
    if (each->bulk) {
      put_packed_field();
      out += each->field.record;
    } else if (is_number(field.type)) {
      put_packed(packed, field.type, each->field);
    } else {
      put_field(out, field, value(field, {each}, depth));
    }
  }
  put_packed_field();
}

// One entry a key, the last; both members of each are written.
void Writer::put_map(const FieldSchema& field, const Occurrences& all, int depth,
                     std::string& out) const {
  const FieldSchema& key = field.message->fields[0];
  const FieldSchema& content = field.message->fields[1];
  std::map<std::string, std::string> entries;
  for (const Occurrence* each : all) {
    std::vector<Occurrence> members;
    Occurrences keys, values;
    for (WireCursor cursor(each->field.bytes); cursor.next();) {
      members.push_back(occurrence(cursor.field()));
    }
    for (const Occurrence& member : members) {
      if (member.number == key.number) keys.push_back(&member);
      if (member.number == content.number) values.push_back(&member);
    }
    std::string& entry = entries[sort_key(key.type, value(key, keys, depth))];
    entry.clear();
    put_field(entry, key, value(key, keys, depth + 1));
    put_field(entry, content, value(content, values, depth + 1));
  }
  for (const auto& entry : entries) put_bytes_field(out, field.number, entry.second);
}

std::string Writer::written(std::string_view message, const MessageSchema& schema,
                            int depth) const {
  std::string out, unknown;
  std::vector<Occurrence> known;
  std::map<int, uint32_t> last_of_oneof;
  for (WireCursor cursor(message); cursor.next();) {
    const Occurrence each = occurrence(cursor.field());
    const FieldSchema* field = schema.find(each.number);
    if (field == nullptr || depth > kMaxDepth ||
        !(each.bulk || fits_wire(*field, each.field.type))) {
      unknown += each.field.record;
      continue;
    }
    if (field->oneof >= 0) last_of_oneof[field->oneof] = field->number;
    known.push_back(each);
  }
  for (const FieldSchema& field : schema.fields) {
    if (field.oneof >= 0 && last_of_oneof[field.oneof] != field.number) continue;
    Occurrences all;
    for (const Occurrence& each : known) {
      if (each.number == field.number) all.push_back(&each);
    }
    if (all.empty()) continue;
    if (field.map) {
      put_map(field, all, depth, out);
    } else if (field.repeated) {
      put_list(field, all, depth, out);
    } else {
      put_single(field, all, depth, out);
    }
  }
  return out + unknown;
}

}  // namespace

std::string canonical(std::string_view skeleton, const MessageSchema& schema,
                      const Payloads& payloads) {
  return Writer(payloads).written(skeleton, schema, 0);
}

}  // namespace cryo
