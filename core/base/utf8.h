#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cryo {

// Returns true if protobuf accepts the text as UTF-8: no overlong sequences, no surrogates, nothing
// above U+10FFFF. Protobuf refuses a whole file for one string that is not UTF-8.
bool is_utf8(std::string_view text);

// The first sequence of a text. If it is not whole, its size is that of the bytes which begin one,
// at least 1: what a reader replaces by one U+FFFD (Unicode 15, 3.9, "maximal subparts").
struct Utf8Sequence {
  size_t size = 0;
  bool whole = false;
};

// REQUIRES: `text` is not empty.
Utf8Sequence first_sequence(std::string_view text);

// The text for a terminal: control characters and bytes that are not UTF-8 are written as \xNN, C1
// and bidirectional controls and line separators as \uNNNN. Text of more than `most` bytes is cut,
// with "..." at its end.
std::string printable(std::string_view text, size_t most);

// Returns false for text that printable() returns unchanged; true for other text, and for all text
// that is not ASCII.
bool needs_escape(std::string_view text);

// "'conv/weights'": a name in a message.
std::string quoted(std::string_view name);

}  // namespace cryo
