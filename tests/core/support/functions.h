#pragma once

#include "checked.h"

namespace cryo {

// Library functions from lines: arguments and returns with their DataTypes, nodes as node() makes
// them, the source of each return.

constexpr int kBool = 10;
constexpr int kResource = 20;

struct Typed {
  const char* name;
  int type;
};

struct Return {
  const char* name;
  int type;
  const char* source;  // "MatMul:product:0"
};

inline tensorflow::FunctionDef body(const std::string& name, const std::vector<Typed>& args,
                                    const std::vector<Return>& returns,
                                    const std::vector<std::string>& nodes,
                                    const Lines& controls = {}) {
  tensorflow::FunctionDef function;
  auto& signature = *function.mutable_signature();
  signature.set_name(name);
  for (const Typed& arg : args) {
    auto& added = *signature.add_input_arg();
    added.set_name(arg.name);
    added.set_type(static_cast<tensorflow::DataType>(arg.type));
  }
  for (const Return& each : returns) {
    auto& added = *signature.add_output_arg();
    added.set_name(each.name);
    added.set_type(static_cast<tensorflow::DataType>(each.type));
    auto& ret = *function.add_ret();
    ret.set_key(each.name);
    ret.set_value(each.source);
  }
  for (const std::string& each : nodes) function.add_node_def()->ParseFromString(each);
  for (const std::string& each : controls) {
    signature.add_control_output(each);
    auto& ret = *function.add_control_ret();
    ret.set_key(each);
    ret.set_value(each);
  }
  return function;
}

// A PartitionedCall of a function.
inline std::string call_of(std::string_view name, std::string_view function, const Lines& inputs,
                           const std::vector<int>& given, const std::vector<int>& returned) {
  return node(name, "PartitionedCall", inputs,
              {{"Tin", type_list_value(given)},
               {"Tout", type_list_value(returned)},
               {"f", func_value(std::string(function))}});
}

// A node whose op has one type attribute, float.
inline std::string typed(std::string_view name, std::string_view op, const Lines& inputs,
                         int type = kFloat32) {
  return node(name, op, inputs, {{"T", type_value(type)}});
}

inline std::string read_of(std::string_view name, std::string_view handle) {
  return node(name, "ReadVariableOp", {std::string(handle)}, {{"dtype", type_value(kFloat32)}});
}

inline const Function* find_function(const Graph& graph, std::string_view name) {
  for (const Function& each : graph.functions()) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

// A function's body in lines, and "return y = MatMul:product:0".
inline Lines described(const Graph& graph, std::string_view name) {
  const Function* function = find_function(graph, name);
  if (function == nullptr) return {cat("no function ", name)};
  tensorflow::FunctionDef def;
  def.ParseFromArray(function->bytes.data(), static_cast<int>(function->bytes.size()));
  Lines lines;
  for (const auto& arg : def.signature().input_arg()) {
    lines.push_back(cat(arg.name(), ": ", static_cast<int>(arg.type())));
  }
  const auto nodes = body_nodes(*function);
  for (const Node& each : *nodes) lines.push_back(described(each));
  for (const auto& ret : def.ret()) lines.push_back(cat("return ", ret.key(), " = ", ret.value()));
  return lines;
}

}  // namespace cryo
