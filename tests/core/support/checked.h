#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "graphs.h"
#include "native/embedded_ops.h"
#include "proto/function.pb.h"
#include "validate/check_graph.h"

namespace cryo {

// Graphs made of messages, and the validator's findings on them.

inline const OpRegistry& ops() {
  static const OpRegistry registry = *OpRegistry::parse(std::string(embedded_ops()));
  return registry;
}

constexpr int kInt32 = 3;

// A constant with one axis, or with none.
inline std::string ints(std::string_view name, const std::vector<int32_t>& values,
                        bool scalar = false) {
  tensorflow::TensorProto tensor;
  tensor.set_dtype(tensorflow::DT_INT32);
  if (!scalar) tensor.mutable_tensor_shape()->add_dim()->set_size(static_cast<int>(values.size()));
  for (const int32_t value : values) tensor.add_int_val(value);
  return node(name, "Const", {},
              {{"dtype", type_value(kInt32)}, {"value", tensor_value(tensor.SerializeAsString())}});
}

struct Parts {
  std::vector<std::string> nodes = {};
  std::vector<tensorflow::FunctionDef> functions = {};
  std::string library = {};   // more fields of the FunctionDefLibrary
  std::string versions = {};  // a VersionDef message
};

inline Graph graph_of(const Parts& parts) {
  std::string message;
  for (const std::string& each : parts.nodes) put_bytes_field(message, 1, each);
  std::string library = parts.library;
  for (const auto& function : parts.functions) {
    put_bytes_field(library, 1, function.SerializeAsString());
  }
  put_bytes_field(message, 2, library);
  put_bytes_field(message, 4, parts.versions);
  return *Graph::parse(std::move(message));
}

inline GraphVerdict verdict_of(const Graph& graph, const OpRegistry& registry = ops()) {
  return check_graph(graph, registry, Payloads());
}

// "error unknown-op u: Op type not registered ...", one for each finding.
inline Lines findings(const Graph& graph, const OpRegistry& registry = ops()) {
  Lines lines;
  const GraphVerdict verdict = verdict_of(graph, registry);
  for (const Diagnostic& each : verdict.diagnostics.all()) {
    // Nearly all of these graphs: they are short, and have no version.
    if (each.code == "attr-default-missing" || each.code == "old-producer") continue;
    const std::string place =
        cat(each.where.function, each.where.function.empty() ? "" : "/", each.where.node);
    lines.push_back(
        cat(severity_name(each.severity), " ", each.code, " ", place, ": ", each.message));
  }
  return lines;
}
inline Lines findings(const Parts& parts) { return findings(graph_of(parts)); }
inline Lines findings(const std::vector<std::string>& nodes) { return findings(graph_of(nodes)); }

// "error unknown-op, warning bad-device", or "" for a sound graph.
template <typename Source>
std::string found(const Source& source) {
  Lines codes;
  for (const std::string& line : findings(source)) {
    const std::vector<std::string_view> words = split(line, ' ');
    codes.push_back(cat(words[0], " ", words[1]));
  }
  return join(codes, ", ");
}
inline std::string found(std::initializer_list<std::string> nodes) {
  return found(std::vector<std::string>(nodes));
}

const Attrs kFloats = {{"T", type_value(kFloat32)}};

inline std::string int_list_value(const std::vector<int64_t>& numbers) {
  tensorflow::AttrValue value;
  value.mutable_list();
  for (const int64_t number : numbers) value.mutable_list()->add_i(number);
  return value.SerializeAsString();
}

inline std::string placeholder_value(const std::string& name) {
  tensorflow::AttrValue value;
  value.set_placeholder(name);
  return value.SerializeAsString();
}

// x -> mm (with w) -> add (with b) -> out, with one node taken out or replaced by others.
inline std::vector<std::string> base_with(std::string_view replaced = "",
                                          std::vector<std::string> by = {}) {
  std::vector<std::pair<std::string, std::string>> nodes = {
      {"x", placeholder("x", {-1, 2})},
      {"w", constant("w", {1, 2, 3, 4, 5, 6}, {2, 3})},
      {"b", constant("b", {1, 2, 3}, {3})},
      {"mm", node("mm", "MatMul", {"x", "w"}, kFloats)},
      {"add", node("add", "BiasAdd", {"mm", "b"}, kFloats)},
      {"out", node("out", "Identity", {"add"}, kFloats)}};
  std::vector<std::string> out;
  for (const auto& each : nodes) {
    if (each.first != replaced) out.push_back(each.second);
  }
  out.insert(out.end(), by.begin(), by.end());
  return out;
}

// F(a) -> r: one node of an op that takes a float and gives `output`.
inline tensorflow::FunctionDef function(const std::string& name, const std::string& op = "Tanh",
                                        const std::string& output = "y") {
  tensorflow::FunctionDef function;
  function.mutable_signature()->set_name(name);
  auto* arg = function.mutable_signature()->add_input_arg();
  arg->set_name("a");
  arg->set_type(tensorflow::DT_FLOAT);
  auto* result = function.mutable_signature()->add_output_arg();
  result->set_name("r");
  result->set_type(tensorflow::DT_FLOAT);
  function.add_node_def()->ParseFromString(node("n", op, {"a"}, kFloats));
  auto* ret = function.add_ret();
  ret->set_key("r");
  ret->set_value(cat("n:", output, ":0"));
  return function;
}

// A node that calls a function with floats, and takes floats from it.
inline std::string call(std::string_view name, const std::string& called,
                        std::vector<std::string> inputs = {"x"}, size_t outputs = 1) {
  const std::vector<int> given(inputs.size(), kFloat32);
  return node(name, "PartitionedCall", std::move(inputs),
              {{"Tin", type_list_value(given)},
               {"Tout", type_list_value(std::vector<int>(outputs, kFloat32))},
               {"f", func_value(called)}});
}

}  // namespace cryo
