#include "passes/freeze.h"

#include <unordered_map>

#include "base/text.h"
#include "bytes/coding.h"
#include "graph/edges.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "model/meta.h"
#include "model/variables.h"
#include "passes/frozen_uses.h"
#include "passes/prune.h"
#include "tensor/content.h"

namespace cryo {
namespace {

struct Value {
  Variable variable;
  Tensor tensor;
};
using Values = std::unordered_map<std::string, Value>;

// Every variable of the graph with its value.
Result<Values> values_of(const Model& model) {
  Values values;
  std::vector<Diagnostic> failures;
  for (Variable& variable : variables_of(model)) {
    Result<Tensor> tensor = value_of(model, variable);
    if (!tensor) {
      failures.push_back(tensor.error());
      continue;
    }
    const std::string name = variable.name;
    values.emplace(name, Value{std::move(variable), std::move(*tensor)});
  }
  if (failures.empty()) return values;
  Diagnostic all = failures.front();
  if (failures.size() > 1) {
    std::vector<std::string> names;
    for (const Diagnostic& each : failures) names.push_back(each.where.node);
    all.message +=
        cat("; the same for ", plural(failures.size(), "variable"), ": ", join(names, ", ", 20));
  }
  return all;
}

class Freezer {
 public:
  Freezer(const Model& pruned, const Values& values, PassLog& log)
      : model_(pruned),
        values_(values),
        log_(log),
        nodes_(pruned.graph.nodes()),
        uses_(pruned),
        fresh_names_(uses_.names()) {}

  Result<Model> run();

 private:
  Status add(GraphBuilder& builder, uint32_t index);
  Result<std::string> constant(const Node& node, const Value& value);
  Result<std::string> plain_constant(const Node& node, DType dtype, const Shape& shape,
                                     std::string content);
  Status add_gather(GraphBuilder& builder, const Node& node);
  std::string read(const Node& node) const;
  std::string retyped(const Node& node, DType dtype) const;
  bool rewire(NodeEditor& editor) const;

  const Model& model_;
  const Values& values_;
  PassLog& log_;
  const std::vector<Node>& nodes_;
  FrozenUses uses_;
  FreshNames fresh_names_;
};

// A variable's node as a Const: what says where a variable lives goes, what says when and on which
// device it is computed stays.
Result<std::string> Freezer::constant(const Node& node, const Value& value) {
  const Tensor& tensor = value.tensor;
  TRY(proto, const_tensor(tensor.dtype, tensor.shape, tensor.content, *model_.payloads));
  NodeEditor editor(node);
  for (const std::string_view attr :
       {"container", "shared_name", "shape", "allowed_devices", "debug_name"}) {
    editor.erase_attr(attr);
  }
  // Of a handle they describe the handle, not the value.
  if (value.variable.resource) editor.erase_attr("_output_shapes");
  log_.converted.push_back({value.variable.name, std::string(node.op), "Const", tensor.dtype,
                            tensor.shape, tensor.content.size()});
  editor.set_op("Const").set_attr("dtype", type_value(static_cast<int>(tensor.dtype)));
  return editor.set_attr("value", tensor_value(proto)).finish();
}

// What is known once variables are constants (their shape, that they are initialised), in place of
// the op that asked.
Result<std::string> Freezer::plain_constant(const Node& node, DType dtype, const Shape& shape,
                                            std::string content) {
  TRY(proto, const_tensor(dtype, shape, Splice(fresh(std::move(content))), *model_.payloads));
  NodeEditor editor(node.name, "Const");
  for (const std::string_view input : node.inputs()) {
    if (parse_tensor_name(input).control) editor.add_input(input);
  }
  editor.set_device(device_of(node)).set_attr("dtype", type_value(static_cast<int>(dtype)));
  return editor.set_attr("value", tensor_value(proto)).finish();
}

std::string Freezer::read(const Node& node) const {
  NodeEditor editor(node);
  editor.set_op("Identity").rename_attr("dtype", "T");
  rewire(editor);
  return editor.finish();
}

std::string Freezer::retyped(const Node& node, DType dtype) const {
  NodeEditor editor(node);
  if (node.op.starts_with("Ref")) editor.set_op(node.op.substr(3));
  if (dtype != DType::kInvalid) {
    editor.set_attr("T", type_value(static_cast<int>(dtype))).erase_attr("_output_shapes");
  }
  rewire(editor);
  return editor.finish();
}

// ResourceGather(handle, indices) -> GatherV2(value, indices, axis), axis = batch_dims;
// ResourceGatherNd -> GatherNd.
Status Freezer::add_gather(GraphBuilder& builder, const Node& node) {
  NodeEditor editor(node);
  editor.rename_attr("dtype", "Tparams").erase_attr("validate_indices");
  rewire(editor);
  if (editor.inputs().size() < 2 || parse_tensor_name(editor.inputs()[1]).control) {
    return failure("input-count", cat(node.op, " '", node.name, "' expects a handle and indices"),
                   {.node = std::string(node.name)}, "validate the graph to see all its faults");
  }
  if (node.op == "ResourceGatherNd") {
    builder.add(editor.set_op("GatherNd").finish());
    return Unit{};
  }
  std::string axis_content;
  put_fixed32(axis_content, static_cast<uint32_t>(int_attr(node, "batch_dims").value_or(0)));
  const std::string axis = fresh_names_.take(cat(node.name, "/axis"));
  TRY(axis_node,
      plain_constant(Node{{}, axis, "Const"}, DType::kInt32, Shape{}, std::move(axis_content)));
  builder.add(std::move(axis_node));
  editor.inputs().insert(editor.inputs().begin() + 2, axis);
  editor.set_op("GatherV2").set_attr("Taxis", type_value(static_cast<int>(DType::kInt32)));
  builder.add(editor.finish());
  return Unit{};
}

// Inputs that name a read which un-freezing added take its variable again. True if there was one.
bool Freezer::rewire(NodeEditor& editor) const {
  bool changed = false;
  for (std::string& input : editor.inputs()) {
    const TensorName name = parse_tensor_name(input);
    const std::string_view variable = uses_.variable_of_added_read(name.node);
    if (variable.empty()) continue;
    input = cat(name.control ? "^" : "", variable, port_text(input));
    changed = true;
  }
  return changed;
}

Status Freezer::add(GraphBuilder& builder, uint32_t index) {
  const Node& node = nodes_[index];
  const FrozenUse& use = uses_.of(index);
  switch (use.kind) {
    case FrozenUse::kVariable: {
      TRY(made, constant(node, values_.at(std::string(node.name))));
      builder.add(std::move(made));
      return Unit{};
    }
    case FrozenUse::kRead:
      builder.add(read(node));
      return Unit{};
    case FrozenUse::kHandsOn:
      builder.add(retyped(node, use.dtype));
      return Unit{};
    case FrozenUse::kGather:
      return add_gather(builder, node);
    case FrozenUse::kAsksInitialised: {
      TRY(made, plain_constant(node, DType::kBool, Shape{}, std::string(1, '\1')));
      builder.add(std::move(made));
      return Unit{};
    }
    case FrozenUse::kAddedRead:
      return Unit{};
    case FrozenUse::kNone: {
      NodeEditor editor(node);
      if (uses_.has_added_reads() && rewire(editor)) {
        builder.add(editor.finish());
      } else {
        builder.add(node);
      }
      return Unit{};
    }
  }
  return Unit{};
}

Result<Model> Freezer::run() {
  CHECK_OK(uses_.find(log_.outputs));
  GraphBuilder builder(model_.graph);
  for (uint32_t i = 0; i < nodes_.size(); ++i) CHECK_OK(add(builder, i));
  builder.add_functions_of(model_.graph);
  Model frozen = model_;
  frozen.graph = builder.finish();
  frozen.checkpoint = nullptr;
  drop_variable_collections(frozen);
  return frozen;
}

}  // namespace

Result<Model> freeze(const Model& model, const PassOptions& options, PassLog& log) {
  TRY(pruned, prune(model, options, log));
  TRY(values, values_of(pruned));
  if (values.empty()) {
    log.diagnostics.note("no-variables",
                         "the outputs need no variables: there is nothing to freeze");
    return pruned;
  }
  return Freezer(pruned, values, log).run();
}

}  // namespace cryo
