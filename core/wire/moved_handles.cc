#include "wire/moved_handles.h"

#include <cassert>

#include "wire/nested_schema.h"

namespace cryo {

std::string with_moved_handles(std::string_view skeleton, const MessageSchema& schema,
                               uint32_t by) {
  if (by == 0 || !holds_handles(skeleton)) return std::string(skeleton);
  std::string moved;
  moved.reserve(skeleton.size());
  WireCursor cursor(skeleton);
  while (cursor.next()) {
    const WireField& field = cursor.field();
    const MessageSchema* inner = nested_schema(schema.find(field.number), field.type);
    if (is_handle(field)) {
      put_varint_field(moved, field.number, field.value + by);
    } else if (inner != nullptr && holds_handles(field.bytes)) {
      put_bytes_field(moved, field.number, with_moved_handles(field.bytes, *inner, by));
    } else {
      moved += field.record;
    }
  }
  assert(cursor.ok());
  return moved;
}

uint32_t add_payloads(const Payloads& from, Payloads& to) {
  const uint32_t by = to.size();
  for (uint32_t i = 0; i < from.size(); ++i) to.add(*from.find(i));
  return by;
}

}  // namespace cryo
