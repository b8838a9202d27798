#pragma once

#include <string>
#include <string_view>

#include "commands/verbs.h"

namespace cryo {

// `validate --explain CODE`: returns the meaning of a diagnostic's code, and the fix; needs no
// model. The report is {"verb", "model", "diagnostics", "code", "explanation", "fix", "repair"}, in
// which fix and repair may be empty. Status 2 for an unknown code, with similar ones.
Outcome explain(std::string_view code);

}  // namespace cryo
