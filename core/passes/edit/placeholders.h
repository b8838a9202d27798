#pragma once

#include <map>
#include <span>
#include <string>

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/graph_change.h"

namespace cryo {

class OpRegistry;

// Gives placeholders other types and shapes:
//
//     "x=[1,224,224,3]"    another shape; ? is a size that is not known
//     "x=uint8"            another type: a Cast gives the graph the old one
//     "x=uint8[?,32,32,3]" both
//
// and the inputs another first dimension (`batch`: "8" or "?"): placeholders whose first
// dimension is not known, or where all are known those of at least two dimensions whose first is
// the same for all. Constants that hold the old size get the new one; nodes that keep it are named
// (batch_sizes.h).
//
// Changed shapes are inferred again; signatures and `_output_shapes` follow. `ops`: to infer them;
// null: `_output_shapes` that may be wrong are removed.
//
// Fails with "bad-option", "not-in-graph", "not-a-placeholder", and "no-batch" if no placeholder
// has such a dimension.
Result<Model> with_new_placeholders(const Model& model, std::span<const std::string> placeholders,
                                    const std::string& batch, const OpRegistry* ops,
                                    GraphChanges& changes, Diagnostics& diagnostics);

// Gives placeholders, by their nodes, other shapes, in the same way.
Model with_placeholder_shapes(const Model& model, const std::map<uint32_t, Shape>& shapes,
                              const OpRegistry* ops);

}  // namespace cryo
