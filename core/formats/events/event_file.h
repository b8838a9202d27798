#pragma once

#include "formats/format.h"

namespace cryo {

// Event files (events.out.tfevents.TIME.HOST), which summary writers leave for TensorBoard. Their
// records (formats/events/records.h) are Events, of which some hold the graph that was running:
//
//     file_version | graph_def | meta_graph_def | summary | summary | ...

// Returns true if a file begins as event files do.
bool looks_like_events(std::string_view head);

// Returns the last MetaGraphDef of an event file, else its last GraphDef. Takes a checkpoint only
// if the options name one: files of many runs share a folder. Fails with "not-a-model" if there is
// no graph.
Result<Model> read_event_file(const OpenContext& context, const SourcePtr& file);

}  // namespace cryo
