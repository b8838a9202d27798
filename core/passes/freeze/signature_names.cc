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

class Namer {
 public:
  Namer(const Model& model, const Selection& chosen, const OpRegistry* ops,
        Diagnostics& diagnostics)
      : model_(model),
        chosen_(chosen),
        ops_(ops),
        diagnostics_(diagnostics),
        library_(model.graph),
        names_(model.graph.index().names()),
        fresh_(names_) {}

  Result<NamedModel> run();

 private:
  using Signature = tensorflow::MetaGraphDef::SignatureDefEntry;
  bool is_call(std::string_view tensor) const;
  bool gives_calls(const Signature& signature) const;
  void name_inputs(Signature& signature);
  Status name_outputs(Signature& signature);
  void note_rename(std::string_view what, std::string_view from, std::string_view to);
  std::string renamed(std::string_view input) const;
  void add(GraphBuilder& builder, const Node& node) const;

  const Model& model_;
  const Selection& chosen_;
  const OpRegistry* ops_;
  Diagnostics& diagnostics_;
  const Library library_;
  const NodeNames& names_;
  FreshNames fresh_;
  std::unordered_map<std::string_view, std::string> placeholders_;  // old name -> new
  std::vector<std::string> outputs_;                                // new NodeDefs
  std::vector<std::string> output_names_;
  std::vector<std::string> renames_;  // "input x <- serving_default_x"
};

bool Namer::is_call(std::string_view tensor) const {
  const uint32_t found = names_.find(parse_tensor_name(tensor).node);
  if (found == kNoNode) return false;
  const std::string_view op = model_.graph.nodes()[found].op;
  return cryo::is_call(op) || library_.find(op) != nullptr;
}

bool Namer::gives_calls(const Signature& signature) const {
  const auto& outputs = signature.value().outputs();
  return std::any_of(outputs.begin(), outputs.end(),
                     [&](const auto& output) { return is_call(output.value().name()); });
}

void Namer::note_rename(std::string_view what, std::string_view from, std::string_view to) {
  renames_.push_back(cat(what, " ", to, " <- ", from));
}

void Namer::name_inputs(Signature& signature) {
  for (auto& input : *signature.mutable_value()->mutable_inputs()) {
    auto& info = *input.mutable_value();
    const uint32_t found = names_.find(parse_tensor_name(info.name()).node);
    if (found == kNoNode || !is_placeholder(model_.graph.nodes()[found].op)) continue;
    const std::string_view old = model_.graph.nodes()[found].name;
    if (!placeholders_.contains(old)) {
      const std::string wanted = legal_name(input.key());
      if (wanted == old) continue;
      placeholders_.emplace(old, fresh_.take(wanted));
      note_rename("input", old, placeholders_[old]);
    }
    info.set_name(cat(placeholders_[old], ":0"));
  }
}

Status Namer::name_outputs(Signature& signature) {
  for (auto& output : *signature.mutable_value()->mutable_outputs()) {
    auto& info = *output.mutable_value();
    if (info.name().empty()) continue;
    const std::string tensor = to_text(parse_tensor_name(info.name()));
    if (!is_call(tensor)) {
      output_names_.push_back(tensor);
      continue;
    }
    const TensorName name = parse_tensor_name(tensor);
    const Node& call = model_.graph.nodes()[names_.find(name.node)];
    const auto known = output_dtype(call, name.port, ops_);
    const int dtype = info.dtype() != 0 ? static_cast<int>(info.dtype())
                                        : static_cast<int>(known.value_or(DType::kInvalid));
    NodeEditor identity(fresh_.take(legal_name(output.key())), "Identity");
    identity.add_input(tensor).set_attr("T", type_value(dtype));
    outputs_.push_back(identity.finish());
    TRY(made, scan_node(outputs_.back()));
    output_names_.emplace_back(made.name);
    note_rename("output", tensor, made.name);
    info.set_name(cat(made.name, ":0"));
  }
  return Unit{};
}

std::string Namer::renamed(std::string_view input) const {
  const TensorName name = parse_tensor_name(input);
  const auto found = placeholders_.find(name.node);
  if (found == placeholders_.end()) return std::string(input);
  return cat(name.control ? "^" : "", found->second, port_text(input));
}

void Namer::add(GraphBuilder& builder, const Node& node) const {
  const auto is_old = [&](std::string_view name) { return placeholders_.contains(name); };
  bool changed = is_old(node.name);
  for (const std::string_view input : node.inputs()) {
    changed = changed || is_old(parse_tensor_name(input).node);
  }
  const auto partners = colocations(node);
  const bool moved = std::any_of(partners.begin(), partners.end(), is_old);
  if (!changed && !moved) return builder.add(node);
  NodeEditor editor(node);
  editor.set_name(renamed(node.name));
  for (std::string& input : editor.inputs()) input = renamed(input);
  std::vector<std::string> beside;
  for (const std::string_view partner : partners) beside.push_back(cat("loc:@", renamed(partner)));
  if (moved) editor.set_attr("_class", string_list_value(beside));
  builder.add(editor.finish());
}

Result<NamedModel> Namer::run() {
  tensorflow::MetaGraphDef meta = parse_meta(model_);
  for (auto& entry : *meta.mutable_signature_def()) {
    const std::vector<std::string>& chosen = chosen_.signatures;
    if (std::find(chosen.begin(), chosen.end(), entry.key()) == chosen.end()) continue;
    if (gives_calls(entry)) name_inputs(entry);
    CHECK_OK(name_outputs(entry));
  }
  if (!renames_.empty()) {
    diagnostics_.note("renamed", cat("named by the signature: ", join(renames_, ", ")));
  }
  if (outputs_.empty()) return NamedModel{model_, chosen_.outputs};
  GraphBuilder builder(model_.graph);
  for (const Node& node : model_.graph.nodes()) add(builder, node);
  for (std::string& output : outputs_) builder.add(std::move(output));
  builder.add_functions_of(model_.graph);
  Model named = model_;
  named.graph = builder.finish();
  set_meta(named, std::move(meta));
  return NamedModel{std::move(named), std::move(output_names_)};
}

}  // namespace

Result<NamedModel> name_by_signatures(const Model& model, const Selection& chosen,
                                      const OpRegistry* ops, Diagnostics& diagnostics) {
  return Namer(model, chosen, ops, diagnostics).run();
}

}  // namespace cryo
