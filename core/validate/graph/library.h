#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"
#include "graph/op_registry.h"
#include "validate/graph/findings.h"
#include "wire/payloads.h"

namespace cryo {

struct LibraryFunction {
  const Function* function = nullptr;
  OpDef signature = {};
  bool is_repeated = false;  // a function before it has its name
};

// The functions of a graph by name; the first of a name, as TensorFlow has it.
// REQUIRES: the graph outlives it.
class Library {
 public:
  explicit Library(const Graph& graph);
  const LibraryFunction* find(std::string_view name) const;
  const std::vector<LibraryFunction>& all() const { return all_; }

 private:
  std::vector<LibraryFunction> all_;
  std::unordered_map<std::string_view, size_t> by_name_;
};

// The meaning of a node's op: a function of the graph, else an op of the registry.
struct KnownOp {
  const OpDef* def = nullptr;                 // null: not known
  const LibraryFunction* function = nullptr;  // null: an op
  // TensorFlow has the op, not only the model; true if no ops are known at all.
  bool registered = false;
  bool names_functions = false;  // it may: is one, or has an attribute for one; or is not known
};

// REQUIRES: registry and library outlive it. A registry without ops means that they are
// unavailable.
class KnownOps {
 public:
  KnownOps(const OpRegistry& registry, const Library& library)
      : registry_(registry), library_(library) {}
  const KnownOp& find(std::string_view op);
  const OpRegistry& registry() const { return registry_; }
  const Library& library() const { return library_; }

 private:
  const OpRegistry& registry_;
  const Library& library_;
  std::unordered_map<std::string_view, KnownOp> cache_;
};

// Two functions, or two gradients of one function, under one name; a function named as an op; a
// gradient that is not there.
void check_library(const Graph& graph, const KnownOps& ops, const Payloads& payloads,
                   const Reporter& reporter);

}  // namespace cryo
