#include "wire/map_entry.h"

#include "wire/cursor.h"

namespace cryo {
namespace {

constexpr uint32_t kKey = 1, kValue = 2;

}  // namespace

std::string map_entry(std::string_view key, std::string_view value) {
  std::string entry;
  put_bytes_field(entry, kKey, key);
  put_bytes_field(entry, kValue, value);
  return entry;
}

std::string map_entry(uint64_t key, std::string_view value) {
  std::string entry;
  put_varint_field(entry, kKey, key);
  put_bytes_field(entry, kValue, value);
  return entry;
}

uint64_t integer_key(std::string_view entry) {
  uint64_t key = 0;
  for (WireCursor cursor(entry); cursor.next();) {
    if (cursor.field().number == kKey) key = cursor.field().value;
  }
  return key;
}

}  // namespace cryo
