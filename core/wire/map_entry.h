#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cryo {

// Returns an encoded entry of a protobuf map: a message {1: key, 2: value}.
std::string map_entry(std::string_view key, std::string_view value);
std::string map_entry(uint64_t key, std::string_view value);

// An entry whose key is text and whose value is a message; of repeated fields the last one counts.
struct MapEntryView {
  std::string_view key = {};
  std::string_view value = {};
};
MapEntryView read_map_entry(std::string_view entry);

// Returns the key of an entry whose keys are integers; 0, their default, if it has none.
uint64_t integer_key(std::string_view entry);

}  // namespace cryo
