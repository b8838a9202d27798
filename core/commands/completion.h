#pragma once

#include <string>
#include <string_view>

namespace cryo {

// Returns the script by which a shell completes command lines of cryograph: verbs, their options,
// and the values of these; files everywhere else. Empty unless the shell is "bash", "zsh"
// or "fish". The script has all words in it, and does not run the program.
std::string completion_script(std::string_view shell);

}  // namespace cryo
