#pragma once

#include <string_view>

#include "wire/schema.h"

namespace cryo {

// Returns true if every string field of a message, at any depth, is UTF-8. Protobuf refuses a whole
// file for one that is not.
bool texts_are_utf8(std::string_view message, const MessageSchema& schema);

}  // namespace cryo
