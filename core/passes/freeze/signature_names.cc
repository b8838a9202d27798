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

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A name that a node may have: "dense 1:0" -> "dense_1_0".
std::string legal_name(std::string_view wanted) {
  std::string name(wanted);
  for (char& c : name) {
    if (!is_letter_or_digit(c) && std::string_view("_.-/").find(c) == std::string_view::npos) {
      c = '_';
    }
  }
  const bool begins = !name.empty() && (is_letter_or_digit(name[0]) || name[0] == '.');
  return begins ? name : cat("tensor", name);
}

using Signature = tensorflow::MetaGraphDef::SignatureDefEntry;

struct SignatureNames {
  std::unordered_map<std::string_view, std::string> placeholders = {};  // old name -> new
  std::vector<std::string> outputs = {};                                // new NodeDefs
  std::vector<std::string> output_names = {};
  std::vector<std::string> renames = {};  // "input x <- serving_default_x"
};

bool is_call_of(const Model& model, const Library& library, std::string_view tensor) {
  const uint32_t found = model.graph.index().names().find(parse_tensor_name(tensor).node);
  if (found == kNoNode) return false;
  const std::string_view op = model.graph.nodes()[found].op;
  return cryo::is_call(op) || library.find(op) != nullptr;
}

bool gives_calls(const Model& model, const Library& library, const Signature& signature) {
  const auto& outputs = signature.value().outputs();
  return std::any_of(outputs.begin(), outputs.end(), [&](const auto& output) {
    return is_call_of(model, library, output.value().name());
  });
}

void note_rename(std::string_view what, std::string_view from, std::string_view to,
                 SignatureNames& names) {
  names.renames.push_back(cat(what, " ", to, " <- ", from));
}

void name_inputs(const Model& model, Signature& signature, FreshNames& fresh,
                 SignatureNames& names) {
  for (auto& input : *signature.mutable_value()->mutable_inputs()) {
    auto& info = *input.mutable_value();
    const uint32_t found = model.graph.index().names().find(parse_tensor_name(info.name()).node);
    if (found == kNoNode || !is_placeholder(model.graph.nodes()[found].op)) continue;
    const std::string_view old = model.graph.nodes()[found].name;
    if (!names.placeholders.contains(old)) {
      const std::string wanted = legal_name(input.key());
      if (wanted == old) continue;
      names.placeholders.emplace(old, fresh.take(wanted));
      note_rename("input", old, names.placeholders[old], names);
    }
    info.set_name(cat(names.placeholders[old], ":0"));
  }
}

Status name_outputs(const Model& model, const OpRegistry* ops, const Library& library,
                    Signature& signature, FreshNames& fresh, SignatureNames& names) {
  for (auto& output : *signature.mutable_value()->mutable_outputs()) {
    auto& info = *output.mutable_value();
    if (info.name().empty()) continue;
    const std::string tensor = to_text(parse_tensor_name(info.name()));
    if (!is_call_of(model, library, tensor)) {
      names.output_names.push_back(tensor);
      continue;
    }
    const TensorName name = parse_tensor_name(tensor);
    const Node& call = model.graph.nodes()[model.graph.index().names().find(name.node)];
    const auto known = output_dtype(call, name.port, ops);
    const int dtype = info.dtype() != 0 ? static_cast<int>(info.dtype())
                                        : static_cast<int>(known.value_or(DType::kInvalid));
    NodeEditor identity(fresh.take(legal_name(output.key())), "Identity");
    identity.add_input(tensor).set_attr("T", type_value(dtype));
    names.outputs.push_back(identity.finish());
    TRY(made, scan_node(names.outputs.back()));
    names.output_names.emplace_back(made.name);
    note_rename("output", tensor, made.name, names);
    info.set_name(cat(made.name, ":0"));
  }
  return Unit{};
}

std::string renamed_input(const SignatureNames& names, std::string_view input) {
  const TensorName name = parse_tensor_name(input);
  const auto found = names.placeholders.find(name.node);
  if (found == names.placeholders.end()) return std::string(input);
  return cat(name.control ? "^" : "", found->second, port_text(input));
}

void add_renamed(const SignatureNames& names, GraphBuilder& builder, const Node& node) {
  const auto is_old = [&](std::string_view name) { return names.placeholders.contains(name); };
  bool changed = is_old(node.name);
  for (const std::string_view input : node.inputs()) {
    changed = changed || is_old(parse_tensor_name(input).node);
  }
  const auto partners = colocations(node);
  const bool moved = std::any_of(partners.begin(), partners.end(), is_old);
  if (!changed && !moved) return builder.add(node);
  NodeEditor editor(node);
  editor.set_name(renamed_input(names, node.name));
  for (std::string& input : editor.inputs()) input = renamed_input(names, input);
  std::vector<std::string> beside;
  for (const std::string_view partner : partners)
    beside.push_back(cat("loc:@", renamed_input(names, partner)));
  if (moved) editor.set_attr("_class", string_list_value(beside));
  builder.add(editor.finish());
}

}  // namespace

Result<NamedModel> name_by_signatures(const Model& model, const Selection& selection,
                                      const OpRegistry* ops, Diagnostics& diagnostics) {
  const Library library(model.graph);
  FreshNames fresh(model.graph.index().names());
  SignatureNames names;
  tensorflow::MetaGraphDef meta = parse_meta(model);
  for (auto& entry : *meta.mutable_signature_def()) {
    const std::vector<std::string>& chosen = selection.signatures;
    if (std::find(chosen.begin(), chosen.end(), entry.key()) == chosen.end()) continue;
    if (gives_calls(model, library, entry)) name_inputs(model, entry, fresh, names);
    CHECK_OK(name_outputs(model, ops, library, entry, fresh, names));
  }
  if (!names.renames.empty()) {
    diagnostics.note("renamed", cat("named by the signature: ", join(names.renames, ", ")));
  }
  if (names.outputs.empty()) return NamedModel{model, selection.outputs};
  GraphBuilder builder(model.graph);
  for (const Node& node : model.graph.nodes()) add_renamed(names, builder, node);
  for (std::string& output : names.outputs) builder.add(std::move(output));
  builder.add_functions_of(model.graph);
  Model named = model;
  named.graph = builder.finish();
  set_meta(named, std::move(meta));
  return NamedModel{std::move(named), std::move(names.output_names)};
}

}  // namespace cryo
