#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "graph/edges.h"
#include "proto/meta_graph.pb.h"

namespace cryo {

// The messages of the collections `while_context` and `cond_context`. Source:
// tensorflow/core/protobuf/control_flow.proto.
constexpr std::string_view kCondCollection = "cond_context", kWhileCollection = "while_context";
bool is_context_collection(std::string_view key);

// The part of a WhileContextDef that the graph does not have.
struct LoopSettings {
  uint64_t back_prop = 1;
  uint64_t swap_memory = 0;
  std::string maximum = {};  // the tensor of the maximum of iterations
};

// The settings of the collections' contexts and those nested in them, by the loop's name.
using AllLoopSettings = std::map<std::string, LoopSettings, std::less<>>;
AllLoopSettings loop_settings(const tensorflow::MetaGraphDef& meta);

// Returns the names in a context of a collection, and in those nested in it, that import_meta_graph
// does not find in the graph: "" for a name that it needs and the context does not have. Source:
// tensorflow/python/ops/control_flow_ops.py, CondContext and WhileContext from their messages.
std::vector<std::string> names_not_found(std::string_view context, std::string_view collection,
                                         const NodeNames& names);

// Returns true if a context of a collection has its pivot and names only nodes of the graph.
bool is_whole_context(std::string_view context, std::string_view collection,
                      const NodeNames& names);

// Returns a context without the names that are not in the graph. If there are such names, its pivot
// is removed too: it has to be rebuilt (model/control_contexts.h). Empty if its condition is not in
// the graph.
std::string trimmed_context(std::string_view context, std::string_view collection,
                            const NodeNames& names);

// ValuesDef: the tensors that a context has seen, and by which of its own it knows those from
// around it.
struct ContextValues {
  std::set<std::string> seen = {};
  std::map<std::string, std::string> external = {};
};

// Contexts to be written. `nested`: each a field of ControlFlowContextDef.
struct CondContext {
  std::string name = {};
  std::string pred = {};
  std::string pivot = {};
  uint32_t branch = 0;
};
struct WhileContext {
  std::string name = {};
  uint64_t parallel_iterations = 0;
  LoopSettings settings = {};
  std::string pivot = {};
  std::string pivot_for_pred = {};
  std::string pivot_for_body = {};
  std::vector<std::string> exits = {};
  std::vector<std::string> enters = {};
};
std::string to_bytes(const CondContext& context, const ContextValues& values,
                     const std::vector<std::string>& nested);
std::string to_bytes(const WhileContext& context, const ContextValues& values,
                     const std::vector<std::string>& nested);

// A ControlFlowContextDef.
std::string nested_context(std::string_view context, std::string_view collection);

}  // namespace cryo
