#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "base/reference.h"
#include "base/same_bits.h"
#include "base/text.h"
#include "bytes/coding.h"
#include "graph/graph.h"
#include "graph/node_editor.h"
#include "model/meta.h"
#include "model/model.h"
#include "tensor/content.h"
#include "wire/fields.h"

namespace cryo {

// Small graphs from lines, and graphs printed as lines: "y = MatMul(x, w, ^init)".

using Attrs = std::vector<std::pair<std::string, std::string>>;
constexpr int kFloat32 = 1;

inline std::string node(std::string_view name, std::string_view op,
                        std::vector<std::string> inputs = {}, const Attrs& attrs = {}) {
  NodeEditor editor(name, op);
  editor.set_inputs(std::move(inputs));
  for (const auto& attr : attrs) editor.set_attr(attr.first, attr.second);
  return editor.finish();
}

inline std::string shape_bytes(const std::vector<int64_t>& dims) {
  return shape_message(Shape{false, dims});
}

// A Const of floats.
inline std::string constant(std::string_view name, const std::vector<float>& values,
                            const std::vector<int64_t>& dims) {
  tensorflow::TensorProto tensor;
  tensor.set_dtype(tensorflow::DT_FLOAT);
  *tensor.mutable_tensor_shape() = to_proto(Shape{false, dims});
  tensor.set_tensor_content(
      std::string(reinterpret_cast<const char*>(values.data()), values.size() * 4));
  return node(
      name, "Const", {},
      {{"dtype", type_value(kFloat32)}, {"value", tensor_value(tensor.SerializeAsString())}});
}

inline std::string placeholder(std::string_view name, const std::vector<int64_t>& dims = {}) {
  return node(name, "Placeholder", {},
              {{"dtype", type_value(kFloat32)}, {"shape", shape_value(shape_bytes(dims))}});
}

// A variable of floats: VariableV2, or VarHandleOp with a name that it is shared under.
inline std::string variable(std::string_view name, const std::vector<int64_t>& dims,
                            std::string_view op = "VariableV2") {
  const std::string shared(op == "VarHandleOp" ? name : "");
  return node(name, op, {},
              {{"container", string_value("")},
               {"dtype", type_value(kFloat32)},
               {"shape", shape_value(shape_bytes(dims))},
               {"shared_name", string_value(shared)}});
}

inline std::string float_value(float value) {
  std::string message;
  put_tag(message, fields::AttrValue::kF, WireType::kFixed32);
  put_fixed32(message, same_bits<uint32_t>(value));
  return message;
}

// A function, as an attribute.
inline std::string func_value(std::string_view name) {
  std::string func;
  put_bytes_field(func, 1, name);
  std::string value;
  put_bytes_field(value, 10, func);
  return value;
}

inline Graph graph_of(const std::vector<std::string>& nodes) {
  GraphBuilder builder{Graph()};
  for (const std::string& each : nodes) builder.add(each);
  return builder.finish();
}

inline Node scanned(const std::string& bytes) { return *scan_node(bytes); }

inline std::string described(const Node& node) {
  std::vector<std::string> inputs;
  for (const std::string_view input : node.inputs()) inputs.emplace_back(input);
  return cat(node.name, " = ", node.op, "(", join(inputs, ", "), ")");
}

using Lines = std::vector<std::string>;
inline Lines described(const Graph& graph) {
  Lines lines;
  for (const Node& each : graph.nodes()) lines.push_back(described(each));
  return lines;
}

// A node of a graph by its name.
inline Node find(const Graph& graph, std::string_view name) {
  for (const Node& each : graph.nodes()) {
    if (each.name == name) return each;
  }
  ADD_FAILURE() << "no node " << name;
  return {};
}

// Values of float variables, as a checkpoint.
inline std::shared_ptr<const Checkpoint> checkpoint_of(
    const std::vector<std::pair<std::string, std::vector<float>>>& values) {
  Checkpoint checkpoint;
  for (const auto& value : values) {
    CheckpointEntry entry{value.first, DType::kFloat,
                          Shape{false, {static_cast<int64_t>(value.second.size())}}};
    const auto* bytes = reinterpret_cast<const char*>(value.second.data());
    entry.content = Splice(fresh(std::string(bytes, value.second.size() * 4)));
    entry.bytes = entry.content.size();
    checkpoint.entries.push_back(std::move(entry));
  }
  std::sort(checkpoint.entries.begin(), checkpoint.entries.end(),
            [](const CheckpointEntry& a, const CheckpointEntry& b) { return a.key < b.key; });
  return std::make_shared<const Checkpoint>(std::move(checkpoint));
}

inline Model model_of(const std::vector<std::string>& nodes,
                      std::shared_ptr<const Checkpoint> checkpoint = nullptr) {
  Model model{Kind::kMetaGraph, "model.meta", {}, true, graph_of(nodes)};
  model.checkpoint = std::move(checkpoint);
  return model;
}

// The floats of a Const, or of any tensor.
inline std::vector<float> floats(const Result<Tensor>& tensor) {
  EXPECT_TRUE(tensor.ok()) << (tensor.ok() ? "" : tensor.error().message);
  if (!tensor.ok()) return {};
  const std::string bytes = *tensor->content.read_all();
  std::vector<float> values(bytes.size() / 4);
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}
inline std::vector<float> floats(const Model& model, std::string_view constant) {
  return floats(
      read_tensor(tensor_attr(find(model.graph, constant), "value").value_or(""), *model.payloads));
}

// "code: message", or "ok".
template <typename Value>
std::string failure_of(const Result<Value>& result) {
  return result.ok() ? "ok"
                     : cat(result.error().code, ": ", in_command_words(result.error().message));
}

inline std::vector<std::string> codes(const Diagnostics& diagnostics) {
  std::vector<std::string> all;
  for (const Diagnostic& each : diagnostics.all()) all.push_back(each.code);
  return all;
}

}  // namespace cryo
