#pragma once

#include <vector>

#include "commands/make_model.h"
#include "commands/report.h"

namespace cryo {

// The lists of a made model, as they are in reports (docs/reference/reports.md).

// Returns for each node the next node on a shortest path to an output. Null for outputs, and for
// nodes that nothing consumes.
Json needed_by_json(const MadeModel& made);

Json conversions_json(const Conversions& conversions);
Json lost_json(const LostParts& lost);
Json incomplete_json(const std::vector<IncompleteNode>& incomplete);
Json changes_json(const GraphChanges& changes);
Json redacted_json(const RemovedCounts& counts);

// "matched", "excluded", "mismatched", "unmatched": [{"name", "dtype", "shape", "from", "why",
// "bytes"}], which together are all variables of the target; "unused": names of weights.
void add_matches(const Matches& matches, Json& report);

}  // namespace cryo
