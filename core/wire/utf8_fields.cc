#include "wire/utf8_fields.h"

#include <cstring>

#include "base/utf8.h"
#include "wire/cursor.h"

namespace cryo {
namespace {

// Eight bytes at a time: every byte of a graph comes by here.
bool is_ascii(std::string_view bytes) {
  uint64_t all = 0;
  size_t at = 0;
  for (; at + sizeof(uint64_t) <= bytes.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof(word));
    all |= word;
  }
  for (; at < bytes.size(); ++at) all |= static_cast<unsigned char>(bytes[at]);
  return (all & 0x8080808080808080) == 0;
}

bool walk(std::string_view message, const MessageSchema& schema, int depth) {
  if (depth > kMaxDepth) return true;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.type != WireType::kBytes || is_ascii(field.bytes)) continue;
    const FieldSchema* known = schema.find(field.number);
    if (!known) continue;
    if (known->type == FieldType::kString && !is_utf8(field.bytes)) return false;
    const bool nested = known->type == FieldType::kMessage;
    if (nested && !walk(field.bytes, *known->message, depth + 1)) return false;
  }
  return true;
}

}  // namespace

// Most messages are ASCII throughout, their tags and lengths included, and need no walk.
bool texts_are_utf8(std::string_view message, const MessageSchema& schema) {
  return is_ascii(message) || walk(message, schema, 0);
}

}  // namespace cryo
