#pragma once

#include <string>
#include <string_view>

#include "wire/payloads.h"
#include "wire/schema.h"

namespace cryo {

// Returns an elided message with `by` added to each handle: for a table that has the payloads of
// another one after `by` of its own.
//
//     table    0 1 2            handle 1 -> 4
//     joined   a b c 0 1 2
std::string with_moved_handles(std::string_view skeleton, const MessageSchema& schema, uint32_t by);

// Adds all payloads of another table, in order. Returns the number that their handles move by.
uint32_t add_payloads(const Payloads& from, Payloads& to);

}  // namespace cryo
