#pragma once

#include "wire/text/text_tokens.h"

namespace cryo {

// The value of a string: one literal, or several adjacent ones.
struct TextValue {
  std::string bytes;  // the value if it is short enough
  Splice bulk;        // else: computed from the text while it is read, or the text's own bytes
};

// Takes the literals at the position of `tokens` and advances to the token after them. The text is
// decoded once, to measure the value. For a long value only the offset of one block in every 64 KB
// of text is kept.
//
//     tensor_content: "\000\001..."  # the first megabyte
//                     '\377...'
//
// Returns false if a literal is broken: tokens.fail() was called.
bool take_literals(TextTokens& tokens, uint64_t keep, TextValue& value);

}  // namespace cryo
