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

// What is wrong with a graph: every fault, in TensorFlow's words where it has words. An error is
// what TensorFlow's importer refuses the graph for; a warning is what it lets through and running
// refuses, or garbles; a note harms nothing.
//
// Checked: versions, names, inputs, ports, arities and types along edges, references, attributes,
// deprecated and unknown ops, colocation, cycles, shapes in attributes, `_output_shapes` as far as
// it can be wrong by itself, constants, devices, frames of loops; the function library, and bodies
// of functions by the same rules as far as TensorFlow applies them there; shapes of tensors, of the
// ops that have a rule (validate/shape/shape_rules.h), in the main graph.
//
// At most kMostFindings are kept, the rest counted. Takes about a second for a million nodes; reads
// no payload but that of functions which are there twice.
struct GraphVerdict {
  Diagnostics diagnostics = {};
  size_t errors = 0;  // also of those that were not kept
  size_t warnings = 0;

  bool valid() const { return errors == 0; }                   // TensorFlow would import it
  bool sound() const { return errors == 0 && warnings == 0; }  // nothing else is wrong either
};

// What to check by, beside the graph.
struct CheckOptions {
  // The ops as the graph's own producer knew them (a MetaGraphDef's stripped_op_list); null where
  // it does not say.
  const OpRegistry* producer = nullptr;
  Repairs* repairs = nullptr;  // takes what can be mended, of all findings; may be null

  // Takes the inferred shapes of its tensors; may be null.
  std::map<std::pair<uint32_t, uint32_t>, Shape>* shapes = nullptr;
};

// `registry`: without ops in it (not loaded), nothing that needs them is checked.
GraphVerdict check_graph(const Graph& graph, const OpRegistry& registry, const Payloads& payloads,
                         const CheckOptions& options = {});

}  // namespace cryo
