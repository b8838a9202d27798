#pragma once

#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "passes/redact/redacted_tensor.h"

namespace cryo {

// The nodes of a graph or of a function's body, as far as their texts depend on others.
class GraphScope {
 public:
  GraphScope() = default;

  // `message`: a GraphDef, `node_field` its nodes; or a FunctionDef. REQUIRES: it outlives the
  // scope.
  GraphScope(std::string_view message, uint32_t node_field);

  // Returns the use of a constant.
  TensorRole role_of(std::string_view constant) const;

  // Returns the op of the node with a name; empty for an unknown name.
  std::string_view op_of(std::string_view node) const;

 private:
  void add_roles(std::string_view node, std::string_view op);
  void add_role(std::string_view node, TensorRole role);

  std::unordered_map<std::string_view, std::string_view> ops_;
  std::unordered_map<std::string_view, std::string_view> handed_on_;  // input 0 of an Identity
  std::unordered_map<std::string_view, TensorRole> roles_;
};

// Returns the names of the functions in a GraphDef's library.
std::unordered_set<std::string_view> function_names(std::string_view graph_def);

}  // namespace cryo
