#pragma once

#include "wire/text/text_tokens.h"

namespace cryo {

// The value of a string: one literal, or several that stand beside one another.
struct TextValue {
  std::string bytes;  // where it is no longer than what is to be kept
  Splice bulk;        // else: computed from the text while it is read, or the text's own bytes
};

// Takes the literals at which `tokens` stands and moves on to the token behind them. The text is
// decoded once, to know the value's length; of a long value only a place in every 64 KB of text
// remains.
//
//     tensor_content: "\000\001..."  # the first megabyte
//                     '\377...'
//
// False where a literal is broken: tokens.fail() was called.
bool take_literals(TextTokens& tokens, uint64_t keep, TextValue& value);

}  // namespace cryo
