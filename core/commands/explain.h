#pragma once

#include <string>
#include <string_view>

#include "commands/verbs.h"

namespace cryo {

// `validate --explain CODE`: what a diagnostic's code means, and what to do; needs no model. A
// report {"verb", "model", "diagnostics", "code", "explanation", "fix", "repair"}, of which fix and
// repair may be empty. Status 2 for what is no code, with those that are near.
Outcome explain(std::string_view code);

// That report as a person reads it.
std::string explain_text(const Json& report);

}  // namespace cryo
