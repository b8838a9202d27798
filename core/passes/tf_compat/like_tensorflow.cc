#include "passes/tf_compat/like_tensorflow.h"

#include <optional>

#include "base/text.h"
#include "graph/roles.h"
#include "model/variables.h"
#include "passes/common/initializers.h"
#include "passes/common/ports.h"
#include "passes/common/select_outputs.h"
#include "passes/tf_compat/convert_variables.h"
#include "passes/tf_compat/import_graph_def.h"
#include "passes/tf_compat/sub_graph.h"

namespace cryo {
namespace {

// The kept nodes' indices; outputs are nodes, for the tools know no ports.
Result<std::vector<uint32_t>> kept_nodes(const Model& model, const NodeNames& names,
                                         const std::vector<std::string>& outputs,
                                         const OpRegistry* ops) {
  CHECK_OK(check_ports(model, names, outputs, ops));
  std::vector<std::string> ends;
  for (const std::string& output : outputs) {
    TRY(end, find_endpoint(model, names, output));
    ends.emplace_back(model.graph.nodes()[end.node].name);
  }
  return sub_graph(model.graph.nodes(), names, ends);
}

std::vector<std::string> library_of(const Model& model) {
  std::vector<std::string> library;
  for (const Function& function : model.graph.functions()) library.emplace_back(function.bytes);
  return library;
}

// A plain graph out of the model.
Model plain(const Model& model, Graph graph) {
  Model made{Kind::kGraphDef, model.name, model.files, true, std::move(graph)};
  made.payloads = model.payloads;
  return made;
}

// The values that variables have in TensorFlow's session.
class Session {
 public:
  explicit Session(const Model& model) : model_(model), names_(model.graph.index().names()) {}

  // A handle's is what `NAME/Read/ReadVariableOp` gives.
  Result<Tensor> value(const Variable& variable);

  const NodeNames& names() const { return names_; }

 private:
  std::optional<Tensor> first_value(const Variable& variable);

  const Model& model_;
  const NodeNames& names_;
  std::optional<Initializers> initializers_;  // built when first requested
};

// The constant that a SavedModel's init op assigns to a variable, restored before or not.
std::optional<Tensor> Session::first_value(const Variable& variable) {
  if (model_.kind != Kind::kSavedModel) return std::nullopt;
  if (!initializers_) {
    Diagnostics unused;
    initializers_.emplace();
    const auto roots = initializer_roots(model_);
    keep_initializers(model_, {}, roots, false, runs_init_op(model_), unused, *initializers_);
  }
  const auto first = initializers_->first.find(variable.name);
  const auto again = initializers_->overwritten.find(variable.name);
  if (again == initializers_->overwritten.end() && first == initializers_->first.end())
    return std::nullopt;
  const uint32_t node =
      names_.find(first == initializers_->first.end() ? again->second : first->second);
  if (node == kNoNode || model_.graph.nodes()[node].op != "Const") return std::nullopt;
  const auto tensor = tensor_attr(model_.graph.nodes()[node], "value");
  auto value = read_tensor(tensor.value_or(""), *model_.payloads);
  return value ? std::optional(std::move(*value)) : std::nullopt;
}

Result<Tensor> Session::value(const Variable& variable) {
  const std::string read = cat(variable.name, "/Read/ReadVariableOp");
  if (variable.resource && names_.find(read) == kNoNode) {
    return tensorflow_fails(
        cat("The name '", read, ":0' refers to a Tensor which does not exist. The operation, '",
            read, "', does not exist in the graph."),
        variable.name);
  }
  auto stored = value_of(model_, variable);
  // A variable that the saver restores must be there, even if the init op overwrites it.
  const bool restored = model_.restores->contains(variable.name);
  if (restored && !stored) return stored;
  if (auto first = first_value(variable)) return std::move(*first);
  return stored;
}

}  // namespace

Result<Model> prune_like_tensorflow(const Model& model, const std::vector<std::string>& outputs,
                                    const OpRegistry* ops) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const NodeNames& names = model.graph.index().names();
  TRY(kept, kept_nodes(model, names, outputs, ops));
  std::vector<std::string> node_defs;
  for (const uint32_t index : kept) node_defs.emplace_back(nodes[index].bytes);
  TRY(graph, python_graph(model, node_defs, library_of(model)));
  return plain(model, std::move(graph));
}

Result<Model> freeze_like_tensorflow(const Model& model, const std::vector<std::string>& outputs,
                                     const OpRegistry* ops, Conversions& converted) {
  if (ops == nullptr) {
    return failure("ops-not-loaded", "what TensorFlow's importer adds needs its ops' definitions",
                   {}, "hand over core/data/ops.bin before");
  }
  const std::vector<Node>& nodes = model.graph.nodes();
  Session session(model);
  TRY(kept, kept_nodes(model, session.names(), outputs, ops));
  const SessionImport import(model, *ops);
  std::vector<std::string> node_defs;
  std::vector<uint32_t> places(nodes.size(), kNoNode);
  for (const uint32_t index : kept) {
    places[index] = static_cast<uint32_t>(node_defs.size());
    node_defs.push_back(import.imported(nodes[index]));
  }
  TRY(imported, python_graph(model, node_defs, library_of(model)));
  const Model extracted = plain(model, std::move(imported));
  SessionFreeze freeze(extracted);
  for (const Variable& variable : variables_of(model)) {
    if (places[variable.node] == kNoNode) continue;
    TRY(value, session.value(variable));
    // TensorFlow reads the variables of before VariableV2 and leaves them as they are.
    const std::string_view op = nodes[variable.node].op;
    if (op == "Variable") continue;
    CHECK_OK(freeze.convert(places[variable.node], value));
    converted.push_back(
        {variable.name, std::string(op), "Const", value.dtype, value.shape, value.content.size()});
  }
  TRY(graph, freeze.finish());
  return plain(model, std::move(graph));
}

}  // namespace cryo
