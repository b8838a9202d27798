#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/tflite/tflite_facts.h"
#include "formats/tflite/translate.h"

namespace cryo {

using NodeAttributes = std::vector<std::pair<std::string_view, std::string>>;  // AttrValues

// Graphs that an operator calls, as an attribute of its node.
struct TfliteCallee {
  std::string_view attr = {};
  std::vector<size_t> graphs = {};
  bool is_list = false;
};

// An operator that calls graphs, as a node that calls functions: IF, WHILE, STABLEHLO_CASE, CALL.
struct TfliteCallNode {
  std::string_view op = {};
  std::vector<TfliteCallee> callees = {};
  NodeAttributes attrs = {};
};

// Returns nullopt for another operator, and for a graph that is not there. The graphs are marked.
std::optional<TfliteCallNode> call_of(const TfliteCall& call);

// A variable or a table. Those of one identity are the same one.
struct TfliteHandle {
  std::string identity = {};
  std::string name = {};
  std::string_view op = {};
  NodeAttributes attrs = {};
};

// Returns nullopt for another operator.
std::optional<TfliteHandle> handle_of(const TfliteCall& call);

// Returns true if the operator reads or changes variables or tables.
bool is_stateful(const TfliteOperator& each);

// Finds which graphs have state: ops that are not stateless, in them or in graphs that they call.
void mark_state(std::vector<TfliteSubgraph>& graphs);

// The value of an attribute that names functions.
std::string functions_value(const std::vector<std::string>& names, bool is_list);

// The FunctionDef of a graph: arguments arg_0, ..., outputs out_0, ...
std::string function_def(std::string_view name, const TfliteSubgraph& graph,
                         const TranslatedSubgraph& made);

}  // namespace cryo
