#pragma once

#include "base/diagnostic.h"
#include "graph/graph.h"
#include "graph/op_registry.h"
#include "wire/payloads.h"

namespace cryo {

// What is wrong with a graph: every fault, in TensorFlow's words where it has words. An error is
// what TensorFlow's importer refuses the graph for; a warning is what it lets through and running
// refuses, or garbles; a note harms nothing.
//
// Checked: versions, names, inputs, ports, arities and types along edges, references, attributes,
// deprecated and unknown ops, colocation, cycles, shapes in attributes, `_output_shapes` as far as
// it can be wrong by itself, constants, devices, frames of loops; the function library, and bodies
// of functions by the same rules as far as TensorFlow applies them there. Not checked: what needs
// the shapes of tensors (shape inference).
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

// `registry`: without ops in it (not loaded), nothing that needs them is checked.
GraphVerdict check_graph(const Graph& graph, const OpRegistry& registry, const Payloads& payloads);

}  // namespace cryo
