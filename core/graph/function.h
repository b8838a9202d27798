#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/node.h"

namespace cryo {

// A FunctionDef in the graph's storage.
struct Function {
  std::string_view bytes = {};  // the FunctionDef message, bulk elided
  std::string_view name = {};   // of its signature
};

// REQUIRES: `function_def` outlives it.
Function scan_function(std::string_view function_def);

// An entry of `ret`: output "y" is "MatMul:product:0"; of `control_ret`: "side_effects" is the node
// "assign".
struct FunctionReturn {
  std::string_view name = {};
  std::string_view source = {};
};

// The parts of a function, as they are stored. graph/functions/function_body.h resolves its edges,
// function_editor.h changes it.

// The OpDef message.
std::string_view signature_of(const Function& function);

// The nodes of the body, in the vocabulary of a main graph (their inputs use the body's syntax:
// "node:out_arg:0").
Result<std::vector<Node>> body_nodes(const Function& function);

// All entries, in order. A later one of the same name counts: sources_by_output().
std::vector<FunctionReturn> returns_of(const Function& function);
std::vector<FunctionReturn> control_returns_of(const Function& function);
std::unordered_map<std::string_view, std::string_view> sources_by_output(const Function& function);

// Returns the AttrValue of the function's own attribute; nullopt if it has none of that name.
std::optional<std::string_view> find_attr(const Function& function, std::string_view key);

}  // namespace cryo
