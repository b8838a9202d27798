#include "wire/map_entry.h"

#include "wire/cursor.h"
#include "wire/fields.h"

namespace cryo {

std::string map_entry(std::string_view key, std::string_view value) {
  std::string entry;
  put_bytes_field(entry, fields::MapEntry::kKey, key);
  put_bytes_field(entry, fields::MapEntry::kValue, value);
  return entry;
}

std::string map_entry(uint64_t key, std::string_view value) {
  std::string entry;
  put_varint_field(entry, fields::MapEntry::kKey, key);
  put_bytes_field(entry, fields::MapEntry::kValue, value);
  return entry;
}

MapEntryView read_map_entry(std::string_view entry) {
  MapEntryView view;
  for (WireCursor cursor(entry); cursor.next();) {
    if (cursor.field().type != WireType::kBytes) continue;
    if (cursor.field().number == fields::MapEntry::kKey) view.key = cursor.field().bytes;
    if (cursor.field().number == fields::MapEntry::kValue) view.value = cursor.field().bytes;
  }
  return view;
}

uint64_t integer_key(std::string_view entry) {
  uint64_t key = 0;
  for (WireCursor cursor(entry); cursor.next();) {
    if (cursor.field().number == fields::MapEntry::kKey) key = cursor.field().value;
  }
  return key;
}

}  // namespace cryo
