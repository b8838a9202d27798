#include "passes/freeze/signature_names.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "graph/fresh_names.h"
#include "graph/functions/function_callers.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "model/meta.h"
#include "validate/graph/calls.h"

namespace cryo {
namespace {

using Signature = tensorflow::MetaGraphDef::SignatureDefEntry;

// A model whose ends are being named.
struct Naming {
  const Model& model;
  const Selection& selection;
  const OpRegistry* ops;
  const Library library;
  const NodeNames& names;
  FreshNames fresh;
  std::unordered_map<std::string_view, std::string> placeholders = {};  // old name -> new
  std::unordered_map<std::string, std::string> outputs = {};            // tensor of a call -> node
  std::vector<std::string> added = {};                                  // NodeDefs
  std::vector<std::string> renames = {};  // "input x <- serving_default_x"
};

bool is_of_call(const Naming& naming, std::string_view tensor) {
  const uint32_t found = naming.names.find(parse_tensor_name(tensor).node);
  if (found == kNoNode) return false;
  const std::string_view op = naming.model.graph.nodes()[found].op;
  return is_call(op) || naming.library.find(op) != nullptr;
}

bool gives_calls(const Naming& naming, const Signature& signature) {
  const auto& outputs = signature.value().outputs();
  return std::any_of(outputs.begin(), outputs.end(),
                     [&](const auto& output) { return is_of_call(naming, output.value().name()); });
}

void name_inputs(Naming& naming, Signature& signature) {
  const std::vector<Node>& nodes = naming.model.graph.nodes();
  for (auto& input : *signature.mutable_value()->mutable_inputs()) {
    auto& info = *input.mutable_value();
    const uint32_t found = naming.names.find(parse_tensor_name(info.name()).node);
    if (found == kNoNode || !is_placeholder(nodes[found].op)) continue;
    const std::string_view old = nodes[found].name;
    if (!naming.placeholders.contains(old)) {
      const std::string wanted = legal_node_name(input.key());
      if (wanted == old) continue;
      naming.placeholders.emplace(old, naming.fresh.take(wanted));
      naming.renames.push_back(cat("input ", naming.placeholders[old], " <- ", old));
    }
    info.set_name(cat(naming.placeholders[old], ":0"));
  }
}

bool is_chosen(const Naming& naming, const std::string& tensor) {
  const std::vector<std::string>& outputs = naming.selection.outputs;
  return std::any_of(outputs.begin(), outputs.end(), [&](const std::string& each) {
    return to_text(parse_tensor_name(each)) == tensor;
  });
}

void add_identity(Naming& naming, const std::string& tensor, const std::string& key,
                  const tensorflow::TensorInfo& info) {
  const TensorName name = parse_tensor_name(tensor);
  const Node& call = naming.model.graph.nodes()[naming.names.find(name.node)];
  const auto known = output_dtype(call, name.port, naming.ops);
  const int dtype = info.dtype() != 0 ? static_cast<int>(info.dtype())
                                      : static_cast<int>(known.value_or(DType::kInvalid));
  std::string& made = naming.outputs[tensor];
  made = naming.fresh.take(legal_node_name(key));
  NodeEditor identity(made, "Identity");
  identity.add_input(tensor).set_attr("T", type_value(dtype));
  naming.added.push_back(identity.finish());
  naming.renames.push_back(cat("output ", made, " <- ", tensor));
}

// Outputs of calls that were not chosen leave the signature: nothing has their names any more.
void name_outputs(Naming& naming, Signature& signature) {
  auto& outputs = *signature.mutable_value()->mutable_outputs();
  const auto is_left_out = [&](const auto& output) {
    const std::string tensor = to_text(parse_tensor_name(output.value().name()));
    return is_of_call(naming, tensor) && !is_chosen(naming, tensor);
  };
  outputs.erase(std::remove_if(outputs.begin(), outputs.end(), is_left_out), outputs.end());
  for (auto& output : outputs) {
    auto& info = *output.mutable_value();
    const std::string tensor = to_text(parse_tensor_name(info.name()));
    if (info.name().empty() || !is_of_call(naming, tensor)) continue;
    if (!naming.outputs.contains(tensor)) add_identity(naming, tensor, output.key(), info);
    info.set_name(cat(naming.outputs.at(tensor), ":0"));
  }
}

std::string renamed_input(const Naming& naming, std::string_view input) {
  const TensorName name = parse_tensor_name(input);
  const auto found = naming.placeholders.find(name.node);
  if (found == naming.placeholders.end()) return std::string(input);
  return cat(name.control ? "^" : "", found->second, port_text(input));
}

void add_renamed(const Naming& naming, const Node& node, GraphBuilder& builder) {
  const auto is_old = [&](std::string_view name) { return naming.placeholders.contains(name); };
  bool changed = is_old(node.name);
  for (const std::string_view input : node.inputs()) {
    changed = changed || is_old(parse_tensor_name(input).node);
  }
  const auto partners = colocations(node);
  const bool moved = std::any_of(partners.begin(), partners.end(), is_old);
  if (!changed && !moved) return builder.add(node);
  NodeEditor editor(node);
  editor.set_name(renamed_input(naming, node.name));
  for (std::string& input : editor.inputs()) input = renamed_input(naming, input);
  std::vector<std::string> beside;
  for (const std::string_view partner : partners) {
    beside.push_back(cat("loc:@", renamed_input(naming, partner)));
  }
  if (moved) editor.set_attr("_class", string_list_value(beside));
  builder.add(editor.finish());
}

// Returns the chosen outputs by their new names.
std::vector<std::string> output_names(const Naming& naming) {
  std::vector<std::string> names;
  for (const std::string& each : naming.selection.outputs) {
    const auto found = naming.outputs.find(to_text(parse_tensor_name(each)));
    names.push_back(found == naming.outputs.end() ? each : found->second);
  }
  return names;
}

}  // namespace

NamedModel name_by_signatures(const Model& model, const Selection& selection, const OpRegistry* ops,
                              Diagnostics& diagnostics) {
  const NodeNames& names = model.graph.index().names();
  Naming naming{model, selection, ops, Library(model.graph), names, FreshNames(names)};
  tensorflow::MetaGraphDef meta = parse_meta(model);
  for (auto& entry : *meta.mutable_signature_def()) {
    const std::vector<std::string>& keys = selection.signatures;
    if (std::find(keys.begin(), keys.end(), entry.key()) == keys.end()) continue;
    if (gives_calls(naming, entry)) name_inputs(naming, entry);
    name_outputs(naming, entry);
  }
  if (naming.added.empty()) return {model, selection.outputs};
  diagnostics.note("renamed", cat("named by the signature: ", join(naming.renames, ", ")));
  GraphBuilder builder(model.graph);
  for (const Node& node : model.graph.nodes()) add_renamed(naming, node, builder);
  for (std::string& node : naming.added) builder.add(std::move(node));
  builder.add_functions_of(model.graph);
  Model named = model;
  named.graph = builder.finish();
  set_meta(named, std::move(meta));
  return {std::move(named), output_names(naming)};
}

}  // namespace cryo
