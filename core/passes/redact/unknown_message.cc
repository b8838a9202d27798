#include "passes/redact/unknown_message.h"

#include <algorithm>

#include "base/utf8.h"
#include "wire/cursor.h"

namespace cryo {
namespace {

// Messages within messages.
constexpr int kMaxNested = 10;

bool is_text(std::string_view bytes) {
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) == 0x7F;
  };
  return is_utf8(bytes) && std::none_of(bytes.begin(), bytes.end(), is_control);
}

bool is_message(std::string_view bytes) {
  WireCursor cursor(bytes);
  while (cursor.next()) {
    if (cursor.field().type == WireType::kGroup) return false;
  }
  return cursor.ok();
}

std::string redacted(std::string_view bytes, NeutralNames& names, int depth) {
  if (is_text(bytes)) return names.name(bytes);
  std::string made;
  if (depth == kMaxNested || !is_message(bytes)) return made;
  for (WireCursor cursor(bytes); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.type == WireType::kBytes) {
      put_bytes_field(made, field.number, redacted(field.bytes, names, depth + 1));
    } else if (field.type == WireType::kVarint) {
      made += field.record;
    } else {
      put_tag(made, field.number, field.type);
      made.append(field.type == WireType::kFixed32 ? 4 : 8, '\0');
    }
  }
  return made;
}

}  // namespace

std::string redacted_bytes(std::string_view bytes, NeutralNames& names) {
  return redacted(bytes, names, 0);
}

}  // namespace cryo
