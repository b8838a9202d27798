#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wire/payloads.h"

namespace cryo {

// Lists of names, as a saver's nodes hold them in Const tensors.

// The strings of an elided TensorProto. Fails where they are not strings, or more than a saver
// could have.
Result<std::vector<std::string>> read_strings(std::string_view skeleton, const Payloads& payloads);

// Returns the size of an elided TensorProto in the file, bulk included. As content, strings that
// are written out take at most this much and a checksum; a list that repeats its last string could
// fill any memory.
uint64_t stored_bytes(std::string_view tensor, const Payloads& payloads);

// TensorProtos of a vector of strings, and of one string as a scalar.
std::string string_vector(const std::vector<std::string>& strings);
std::string string_scalar(std::string_view text);

}  // namespace cryo
