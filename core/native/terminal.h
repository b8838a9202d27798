#pragma once

#include <cstddef>
#include <string_view>

namespace cryo {

// Writes a text to a descriptor. Returns false if it could not, with errno set. A reader that
// closes early ("| head") is not an error.
bool put(int descriptor, std::string_view text);

bool is_terminal(int descriptor);

// Returns the columns of the terminal that a descriptor is; 0 for files and pipes.
size_t terminal_width(int descriptor);

// Returns true if texts to this descriptor have colors. `when`: "always", "never", or "auto": on a
// terminal, unless NO_COLOR is set or TERM is "dumb".
bool has_color(int descriptor, std::string_view when);

}  // namespace cryo
