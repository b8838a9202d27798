#pragma once

#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "commands/make_model.h"

namespace cryo {

// The lists of a made model, as members of its report (docs/reference/reports.md).

// "neededBy": for each node the next node on a shortest path to an output. Null for outputs, and
// for nodes that nothing consumes.
void add_needed_by(const MadeModel& made, JsonWriter& members);

// Adds a list of conversions as the member `name`.
void add_conversions(std::string_view name, const Conversions& conversions, JsonWriter& members);

// "lost"
void add_lost(const LostParts& lost, JsonWriter& members);
// "incomplete"
void add_incomplete(const std::vector<IncompleteNode>& incomplete, JsonWriter& members);
// "changes"
void add_changes(const GraphChanges& changes, JsonWriter& members);
// "redacted"
void add_redacted(const RemovedCounts& counts, JsonWriter& members);

// "matched", "excluded", "mismatched", "unmatched": [{"name", "dtype", "shape", "from", "why",
// "bytes"}], which together are all variables of the target; "unused": names of weights.
void add_matches(const Matches& matches, JsonWriter& members);

}  // namespace cryo
