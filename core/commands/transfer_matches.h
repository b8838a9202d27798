#pragma once

#include "commands/report.h"
#include "passes/transfer/transfer.h"

namespace cryo {

// "matched", "excluded", "mismatched", "unmatched": [{"name", "dtype", "shape", "from", "why",
// "bytes"}], which together are all variables of the target; "unused": names of weights.
void add_matches(const Matches& matches, Json& report);

}  // namespace cryo
