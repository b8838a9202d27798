#pragma once

#include <string>
#include <string_view>

#include "passes/redact/neutral_names.h"

namespace cryo {

// Returns bytes of unknown use (an entry of a collection) without what may be private. A text gets
// neutral names. A message, of whatever schema, keeps its form: its texts get neutral names, its
// whole numbers stay, others become zero. Any other bytes become none.
std::string redacted_bytes(std::string_view bytes, NeutralNames& names);

}  // namespace cryo
