#pragma once

#include <string>

#include "wire/schema.h"
#include "wire/text/text_tokens.h"

namespace cryo {

// The values of the text format that are not strings or messages. Each function takes its tokens;
// it returns false if they are not such a value, after calling tokens.fail().

bool take_identifier(TextTokens& tokens, std::string& name);

// A number, bool or enum of the field's type, as the wire has it: sign-extended, zig-zagged, the
// bits of a float.
bool take_number(TextTokens& tokens, const FieldSchema& field, uint64_t& bits);

}  // namespace cryo
