#pragma once

#include <string_view>

#include "wire/schema.h"

namespace cryo {

// Whether every string in a message, however deep, is UTF-8. Protobuf refuses a whole file for one
// that is not.
bool texts_are_utf8(std::string_view message, const MessageSchema& schema);

}  // namespace cryo
