#pragma once

#include <vector>

#include "commands/report.h"
#include "model/model.h"
#include "passes/pass_log.h"

namespace cryo {

// The lists of a pass's log, as they are in reports (docs/reference/reports.md).

// Returns for each node the next node on a shortest path to an output. Null for outputs, and for
// nodes that nothing consumes.
Json needed_by_json(const Model& made, const PassLog& log);

Json conversions_json(const std::vector<Conversion>& conversions);
Json lost_json(const LostParts& lost);
Json incomplete_json(const std::vector<IncompleteNode>& incomplete);
Json changes_json(const std::vector<GraphChange>& changes);
Json redacted_json(const RedactedCounts& counts);

}  // namespace cryo
