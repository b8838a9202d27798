#pragma once

#include <string>
#include <string_view>

namespace cryo {

// As protobuf sees it: no over-long sequences, no surrogates, nothing beyond U+10FFFF. Protobuf
// refuses a whole file for one string that is not UTF-8.
bool is_utf8(std::string_view text);

// The text with what does not print written as \xNN; of text that is longer than `most` bytes the
// beginning, and "...".
std::string printable(std::string_view text, size_t most);

// "'conv/weights'": a name in a message.
std::string quoted(std::string_view name);

}  // namespace cryo
