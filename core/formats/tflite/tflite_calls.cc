#include "formats/tflite/tflite_calls.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "formats/tflite/tflite_constants.h"
#include "graph/node_editor.h"
#include "graph/rewrite/op_outputs.h"
#include "wire/fields.h"
#include "wire/map_entry.h"

namespace cryo {
namespace {

std::string types_of(const TfliteCall& call, bool outputs, size_t from) {
  std::vector<int> types;
  const std::vector<int32_t>& all = outputs ? call.of.outputs : call.of.inputs;
  for (size_t i = from; i < all.size(); ++i) {
    const TfliteTensor* tensor = outputs ? call.output(i) : call.input(i);
    if (tensor != nullptr) types.push_back(static_cast<int>(graph_type(*tensor)));
  }
  return type_list_value(types);
}

std::optional<size_t> graph_option(const TfliteCall& call, std::string_view name) {
  const int64_t index = call.number_of(name, -1);
  if (index < 0 || index >= static_cast<int64_t>(call.graphs.size())) return {};
  return static_cast<size_t>(index);
}

std::optional<TfliteCallNode> while_of(const TfliteCall& call) {
  const auto condition = graph_option(call, "cond_subgraph_index");
  const auto body = graph_option(call, "body_subgraph_index");
  if (!condition || !body) return {};
  const bool state = call.graphs[*condition].has_state || call.graphs[*body].has_state;
  return TfliteCallNode{.op = state ? "While" : "StatelessWhile",
                        .callees = {{"cond", {*condition}}, {"body", {*body}}},
                        .attrs = {{"T", types_of(call, false, 0)}}};
}

std::optional<TfliteCallNode> if_of(const TfliteCall& call) {
  const auto then = graph_option(call, "then_subgraph_index");
  const auto otherwise = graph_option(call, "else_subgraph_index");
  if (!then || !otherwise) return {};
  const bool state = call.graphs[*then].has_state || call.graphs[*otherwise].has_state;
  return TfliteCallNode{.op = state ? "If" : "StatelessIf",
                        .callees = {{"then_branch", {*then}}, {"else_branch", {*otherwise}}},
                        .attrs = {{"Tcond", type_value(DType::kBool)},
                                  {"Tin", types_of(call, false, 1)},
                                  {"Tout", types_of(call, true, 0)}}};
}

std::optional<TfliteCallNode> case_of(const TfliteCall& call) {
  const auto branches = call.of.options.value("branch_subgraph_indices");
  if (!branches || branches->numbers.empty()) return {};
  std::vector<size_t> graphs;
  bool state = false;
  for (const int64_t index : branches->numbers) {
    if (index < 0 || index >= static_cast<int64_t>(call.graphs.size())) return {};
    graphs.push_back(static_cast<size_t>(index));
    state = state || call.graphs[graphs.back()].has_state;
  }
  return TfliteCallNode{
      .op = state ? "Case" : "StatelessCase",
      .callees = {{"branches", std::move(graphs), true}},
      .attrs = {{"Tin", types_of(call, false, 1)}, {"Tout", types_of(call, true, 0)}}};
}

std::optional<TfliteCallNode> plain_call(const TfliteCall& call, std::string_view option) {
  const auto graph = graph_option(call, option);
  if (!graph) return {};
  const bool state = call.graphs[*graph].has_state;
  return TfliteCallNode{
      .op = state ? "StatefulPartitionedCall" : "PartitionedCall",
      .callees = {{"f", {*graph}}},
      .attrs = {{"Tin", types_of(call, false, 0)}, {"Tout", types_of(call, true, 0)}}};
}

bool is_random(const TfliteOperator& each) {
  return each.name.starts_with("RANDOM_") || each.name == "MULTINOMIAL";
}

std::string text_option(const TfliteOperator& of, std::string_view name) {
  const auto value = of.options.value(name);
  return value && !value->texts.empty() ? value->texts[0] : std::string();
}

std::string identity_of(const TfliteOperator& handle) {
  return cat(text_option(handle, "container"), "/", text_option(handle, "shared_name"));
}

// The value that a graph of the file assigns to a variable, or reads of it: it has its type.
const TfliteTensor* value_of_variable(const std::vector<TfliteSubgraph>& graphs,
                                      const std::string& identity) {
  for (const TfliteSubgraph& graph : graphs) {
    std::unordered_map<int32_t, bool> is_handle;
    for (const TfliteOperator& each : graph.operators) {
      if (each.name == "VAR_HANDLE" && !each.outputs.empty()) {
        is_handle[each.outputs[0]] = identity_of(each) == identity;
      }
      if (each.inputs.empty() || !is_handle[each.inputs[0]]) continue;
      const TfliteCall call{graphs, graph, each};
      if (each.name == "ASSIGN_VARIABLE") return call.input(1);
      if (each.name == "READ_VARIABLE") return call.output(0);
    }
  }
  return nullptr;
}

std::string arg_def(std::string_view name, const TfliteTensor& tensor) {
  std::string made;
  put_bytes_field(made, fields::OpDef::ArgDef::kName, name);
  put_varint_field(made, fields::OpDef::ArgDef::kType,
                   static_cast<uint64_t>(static_cast<int>(graph_type(tensor))));
  return made;
}

}  // namespace

std::optional<TfliteCallNode> call_of(const TfliteCall& call) {
  if (call.of.outputs.empty()) return {};
  const std::string_view name = call.of.name;
  if (name == "WHILE" || name == "STABLEHLO_WHILE") return while_of(call);
  if (name == "IF") return if_of(call);
  if (name == "STABLEHLO_CASE") return case_of(call);
  if (name == "CALL") return plain_call(call, "subgraph");
  if (name == "STABLEHLO_COMPOSITE") return plain_call(call, "decomposition_subgraph_index");
  return {};
}

std::optional<TfliteHandle> handle_of(const TfliteCall& call) {
  if (call.of.name == "HASHTABLE") {
    const std::string name = cat("table_", call.number_of("table_id"));
    const auto type = [&](std::string_view option) {
      return type_value(static_cast<int>(call.number_of(option)));
    };
    return TfliteHandle{cat("table ", name),
                        name,
                        "HashTableV2",
                        {{"key_dtype", type("key_dtype")},
                         {"shared_name", string_value(name)},
                         {"value_dtype", type("value_dtype")}}};
  }
  if (call.of.name != "VAR_HANDLE") return {};
  const std::string identity = identity_of(call.of);
  const TfliteTensor* value = value_of_variable(call.graphs, identity);
  if (value == nullptr) return {};
  const std::string name = text_option(call.of, "shared_name");
  return TfliteHandle{identity,
                      name,
                      "VarHandleOp",
                      {{"container", string_value(text_option(call.of, "container"))},
                       {"dtype", type_value(graph_type(*value))},
                       {"shape", shape_value(shape_message(value->shape))},
                       {"shared_name", string_value(name)}}};
}

bool is_stateful(const TfliteOperator& each) {
  return each.name == "READ_VARIABLE" || each.name == "ASSIGN_VARIABLE" ||
         each.name.starts_with("HASHTABLE_F") || each.name.starts_with("HASHTABLE_I") ||
         each.name == "HASHTABLE_SIZE" || each.name == "VAR_HANDLE" || each.name == "HASHTABLE";
}

void mark_state(std::vector<TfliteSubgraph>& graphs) {
  std::vector<std::vector<size_t>> callers(graphs.size());
  std::vector<size_t> queue;
  const auto mark = [&](size_t graph) {
    if (!graphs[graph].has_state) queue.push_back(graph);
    graphs[graph].has_state = true;
  };
  for (size_t i = 0; i < graphs.size(); ++i) {
    for (const TfliteOperator& each : graphs[i].operators) {
      if (is_stateful(each) || is_random(each)) mark(i);
      const auto call = call_of({graphs, graphs[i], each});
      if (!call) continue;
      for (const TfliteCallee& callee : call->callees) {
        for (const size_t graph : callee.graphs) callers[graph].push_back(i);
      }
    }
  }
  while (!queue.empty()) {
    const size_t graph = queue.back();
    queue.pop_back();
    for (const size_t caller : callers[graph]) mark(caller);
  }
}

std::string functions_value(const std::vector<std::string>& names, bool is_list) {
  std::string list;
  std::string one;
  for (const std::string& name : names) {
    std::string function;
    put_bytes_field(function, fields::NameAttrList::kName, name);
    one.clear();
    put_bytes_field(one, fields::AttrValue::kFunc, function);
    put_bytes_field(list, fields::AttrValue::ListValue::kFunc, function);
  }
  if (!is_list) return one;
  std::string value;
  put_bytes_field(value, fields::AttrValue::kList, list);
  return value;
}

std::string function_def(std::string_view name, const TfliteSubgraph& graph,
                         const TranslatedSubgraph& made) {
  std::unordered_map<std::string_view, std::string_view> ops;  // by node
  for (const std::string& each : made.nodes) {
    const Result<Node> node = scan_node(each);
    ops.emplace(node->name, node->op);
  }
  const auto in_function = [&](std::string_view tensor) {
    const TensorName from = parse_tensor_name(tensor);
    const auto op = ops.find(from.node);
    if (from.control || op == ops.end()) return std::string(tensor);
    return tensor_in_function(from.node, op->second, from.port);
  };
  std::string signature;
  std::string body;
  std::string returns;
  put_bytes_field(signature, fields::OpDef::kName, name);
  for (size_t i = 0; i < graph.inputs.size(); ++i) {
    const TfliteTensor& tensor = graph.tensors[static_cast<size_t>(graph.inputs[i])];
    put_bytes_field(signature, fields::OpDef::kInputArg, arg_def(cat("arg_", i), tensor));
  }
  for (size_t i = 0; i < graph.outputs.size(); ++i) {
    const auto place = static_cast<size_t>(graph.outputs[i]);
    put_bytes_field(signature, fields::OpDef::kOutputArg,
                    arg_def(cat("out_", i), graph.tensors[place]));
    put_bytes_field(returns, fields::FunctionDef::kRet,
                    map_entry(cat("out_", i), in_function(made.tensors[place])));
  }
  for (const std::string& each : made.nodes) {
    NodeEditor editor(*scan_node(each));
    for (std::string& input : editor.inputs()) input = in_function(input);
    put_bytes_field(body, fields::FunctionDef::kNodeDef, editor.finish());
  }
  std::string out;
  put_bytes_field(out, fields::FunctionDef::kSignature, signature);
  return out + body + returns;
}

}  // namespace cryo
