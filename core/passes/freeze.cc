#include "passes/freeze.h"

#include <unordered_map>

#include "base/text.h"
#include "graph/edges.h"
#include "graph/node_editor.h"
#include "model/meta.h"
#include "model/variables.h"
#include "passes/frozen_functions.h"
#include "passes/frozen_nodes.h"
#include "passes/inline.h"
#include "passes/prune.h"
#include "passes/signature_names.h"
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
        names_(nodes_),
        edges_(nodes_, names_),
        functions_(pruned.graph, *pruned.payloads),
        uses_(nodes_, names_, edges_, functions_),
        frozen_(nodes_, uses_, names_, *pruned.payloads, false) {}

  Result<Model> run();

 private:
  Status add(GraphBuilder& builder, uint32_t index);
  Result<std::string> constant(const Node& node, const Value& value);

  const Model& model_;
  const Values& values_;
  PassLog& log_;
  const std::vector<Node>& nodes_;
  const NodeNames names_;
  const Edges edges_;
  FrozenFunctions functions_;
  FrozenUses uses_;
  FrozenNodes frozen_;
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

Status Freezer::add(GraphBuilder& builder, uint32_t index) {
  const Node& node = nodes_[index];
  if (uses_.of(index).kind == FrozenUse::kVariable) {
    TRY(made, constant(node, values_.at(std::string(node.name))));
    builder.add(std::move(made));
  } else if (frozen_.stays(index)) {
    builder.add(node);
  } else {
    TRY(made, frozen_.made_of(index));
    for (std::string& each : made) builder.add(std::move(each));
  }
  return Unit{};
}

Result<Model> Freezer::run() {
  CHECK_OK(uses_.find(log_.outputs));
  GraphBuilder builder(model_.graph);
  for (uint32_t i = 0; i < nodes_.size(); ++i) CHECK_OK(add(builder, i));
  builder.add_functions_of(model_.graph);
  functions_.add_to(builder);
  Model frozen = model_;
  frozen.graph = builder.finish();
  frozen.checkpoint = nullptr;
  drop_variable_collections(frozen);
  return frozen;
}

// What is no longer needed goes: nodes around calls, functions that were made anew.
Result<Model> pruned_again(const Model& model, const PassOptions& options, PassLog& log) {
  PassOptions same = options;
  same.outputs = log.outputs;
  same.inputs = {};
  return prune(model, same, log);
}

// A SavedModel's function calls become plain nodes, and its ends get their signature's names.
Result<Model> without_calls(const Model& model, const PassOptions& options, PassLog& log) {
  if (model.kind != Kind::kSavedModel) return model;
  TRY(named, name_by_signatures(model, options, log));
  TRY(inlined, inline_calls(named, options, log));
  return pruned_again(inlined, options, log);
}

}  // namespace

Result<Model> freeze(const Model& model, const PassOptions& options, PassLog& log) {
  TRY(pruned, prune(model, options, log));
  TRY(plain, without_calls(pruned, options, log));
  TRY(values, values_of(plain));
  if (values.empty()) {
    log.diagnostics.note("no-variables",
                         "the outputs need no variables: there is nothing to freeze");
    return plain;
  }
  TRY(frozen, Freezer(plain, values, log).run());
  return pruned_again(frozen, options, log);
}

}  // namespace cryo
