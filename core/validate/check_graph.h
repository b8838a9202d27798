#pragma once

#include <map>
#include <utility>

#include "base/diagnostic.h"
#include "graph/graph.h"
#include "graph/op_registry.h"
#include "tensor/shape.h"
#include "validate/graph/repairs.h"
#include "wire/payloads.h"

namespace cryo {

// The faults of a graph, all of them, in TensorFlow's words if it has them. An error makes
// TensorFlow's importer refuse the graph. A warning is a fault that import accepts and that breaks
// the run or its results. A note is harmless.
//
// Checked in the main graph:
// - versions, names, inputs, ports
// - arities and types along edges, references
// - attributes, deprecated and unknown ops, colocation
// - cycles, frames of loops
// - shapes in attributes; `_output_shapes`, except against inferred shapes
// - constants, devices
// - shapes of tensors, for ops that have a rule (validate/shape/shape_rules.h)
//
// In the function library and in bodies of functions, checks the same rules as far as TensorFlow
// applies them there.
//
// At most kMaxFindings are kept, the rest counted. Takes about a second for a million nodes. Reads
// only the payloads of duplicate functions.
struct GraphVerdict {
  Diagnostics diagnostics = {};
  size_t errors = 0;  // also of those that were not kept
  size_t warnings = 0;

  bool valid() const { return errors == 0; }                   // TensorFlow would import it
  bool sound() const { return errors == 0 && warnings == 0; }  // nothing else is wrong either
};

// Shapes of a main graph's tensors, by node and port.
using TensorShapes = std::map<std::pair<uint32_t, uint32_t>, Shape>;

// The data to check against, in addition to the graph.
struct CheckOptions {
  // The ops that the graph's own producer had (a MetaGraphDef's stripped_op_list); null if they are
  // unknown.
  const OpRegistry* producer = nullptr;
  Repairs* repairs = nullptr;  // receives all repairs; may be null

  // Takes the inferred shapes of its tensors; may be null.
  TensorShapes* shapes = nullptr;
};

// `registry`: without ops in it (not loaded), nothing that needs them is checked.
GraphVerdict check_graph(const Graph& graph, const OpRegistry& registry, const Payloads& payloads,
                         const CheckOptions& options = {});

// Gives tensors the shapes that check_graph() infers for them, and checks nothing else.
void infer_shapes(const Graph& graph, const OpRegistry& registry, const Payloads& payloads,
                  TensorShapes& wanted);

}  // namespace cryo
