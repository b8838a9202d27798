#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cryo {

// Returns an encoded entry of a protobuf map: a message {1: key, 2: value}.
std::string map_entry(std::string_view key, std::string_view value);
std::string map_entry(uint64_t key, std::string_view value);

// Returns the key of an entry whose keys are integers; 0, their default, if it has none.
uint64_t integer_key(std::string_view entry);

}  // namespace cryo
