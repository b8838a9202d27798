#include "passes/diff/structure_difference.h"

#include <map>
#include <unordered_map>

#include "base/sort.h"
#include "base/text.h"
#include "bytes/coding.h"
#include "graph/edges.h"
#include "graph/functions/function_editor.h"
#include "model/meta.h"
#include "passes/common/same_attr.h"
#include "wire/fields.h"
#include "wire/nested_schema.h"

namespace cryo {
namespace {

// Returns data inputs in order, without ":0", then control inputs, sorted.
std::vector<std::string> inputs_of(const Node& node) {
  std::vector<std::string> inputs;
  std::vector<std::string> controls;
  for (std::string_view input : node.inputs()) {
    if (input.ends_with(":0")) input.remove_suffix(2);
    (input.starts_with('^') ? controls : inputs).emplace_back(input);
  }
  sort(controls);
  inputs.insert(inputs.end(), controls.begin(), controls.end());
  return inputs;
}

std::map<std::string_view, std::string_view> attrs_by_name(const Node& node) {
  std::map<std::string_view, std::string_view> attrs;
  for (const Attr& attr : attrs_of(node)) attrs[attr.key] = attr.value;
  return attrs;
}

// Finds nodes by name, of several of one name (which no valid graph has) each by its turn.
class EveryName {
 public:
  explicit EveryName(const std::vector<Node>& nodes) : names_(nodes) {
    for (const uint32_t node : names_.duplicates()) more_[nodes[node].name].push_back(node);
  }
  uint32_t find(std::string_view name, size_t turn) const {
    if (turn == 0) return names_.find(name);
    const auto more = more_.find(name);
    return more != more_.end() && turn <= more->second.size() ? more->second[turn - 1] : kNoNode;
  }
  bool has_several(std::string_view name) const { return more_.contains(name); }

 private:
  NodeNames names_;
  std::unordered_map<std::string_view, std::vector<uint32_t>> more_;
};

// Which of those of its name a node is, as they come.
class Ordinals {
 public:
  explicit Ordinals(const EveryName& names) : names_(names) {}
  size_t next(std::string_view name) { return names_.has_several(name) ? met_[name]++ : 0; }

 private:
  const EveryName& names_;
  std::unordered_map<std::string_view, size_t> met_;
};

using FunctionsByName = std::map<std::pair<std::string_view, size_t>, const Function*>;
FunctionsByName functions_by_name(const Graph& graph) {
  std::unordered_map<std::string_view, size_t> met;
  FunctionsByName functions;
  for (const Function& each : graph.functions()) functions[{each.name, met[each.name]++}] = &each;
  return functions;
}

// A FunctionDef without its nodes.
std::string head_of(const Function& function) {
  FunctionEditor editor(function);
  editor.nodes.clear();
  return editor.finish();
}

// {argument: tensor} of one side, spelled so that equal ones are equal.
template <typename Entries>
std::string spelled_arguments(const Entries& arguments) {
  std::map<std::string, std::string> sorted;
  for (const auto& each : arguments) sorted[each.key()] = each.value().SerializeAsString();
  std::string text;
  for (const auto& each : sorted) {
    put_bytes_field(text, fields::MapEntry::kKey, each.first);
    put_bytes_field(text, fields::MapEntry::kValue, each.second);
  }
  return text;
}

std::map<std::string, std::string> signatures_of(const Model& model) {
  std::map<std::string, std::string> signatures;
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  for (const auto& each : meta.signature_def()) {
    std::string& text = signatures[each.key()];
    put_bytes_field(text, fields::SignatureDef::kInputs, spelled_arguments(each.value().inputs()));
    put_bytes_field(text, fields::SignatureDef::kOutputs,
                    spelled_arguments(each.value().outputs()));
    put_bytes_field(text, fields::SignatureDef::kMethodName, each.value().method_name());
  }
  return signatures;
}

Status compare_attrs(const Model& first, const Model& second, const Node& a, const Node& b,
                     bool with_value, NodeChange& change) {
  const auto attrs_a = attrs_by_name(a);
  const auto attrs_b = attrs_by_name(b);
  std::set<std::string_view> names;
  for (const auto& each : attrs_a) names.insert(each.first);
  for (const auto& each : attrs_b) names.insert(each.first);
  for (const std::string_view name : names) {
    if (name == "value" && !with_value) continue;
    const auto in_a = attrs_a.find(name);
    const auto in_b = attrs_b.find(name);
    if (in_a != attrs_a.end() && in_b != attrs_b.end()) {
      TRY(same, same_attr(in_a->second, *first.payloads, in_b->second, *second.payloads));
      if (same) continue;
    }
    change.attrs.emplace_back(name);
  }
  return Unit{};
}

Status compare_node(const Model& first, const Model& second, const std::set<std::string>& weights,
                    const Node& a, const Node& b, const std::string& function,
                    StructureDifference& difference) {
  if (a.bytes == b.bytes && !holds_handles(a.bytes)) return Unit{};
  NodeChange change{{std::string(a.name), function}};
  if (a.op != b.op) {
    change.op_a = a.op;
    change.op_b = b.op;
  }
  change.inputs_a = inputs_of(a);
  change.inputs_b = inputs_of(b);
  change.inputs = change.inputs_a != change.inputs_b;
  change.device = device_of(a) != device_of(b);
  const bool weight = function.empty() && weights.contains(change.place.name);
  CHECK_OK(compare_attrs(first, second, a, b, !weight, change));
  const bool same = a.op == b.op && !change.inputs && change.attrs.empty() && !change.device;
  if (!same) difference.changed.push_back(std::move(change));
  return Unit{};
}

Status compare_nodes(const Model& first, const Model& second, const std::set<std::string>& weights,
                     const std::vector<Node>& a, const std::vector<Node>& b,
                     const std::string& function, StructureDifference& difference) {
  const EveryName names_a(a);
  const EveryName names_b(b);
  Ordinals in_a(names_a);
  for (const Node& node : a) {
    const uint32_t other = names_b.find(node.name, in_a.next(node.name));
    if (other == kNoNode) {
      difference.removed.push_back({std::string(node.name), function});
    } else {
      CHECK_OK(compare_node(first, second, weights, node, b[other], function, difference));
    }
  }
  Ordinals in_b(names_b);
  for (const Node& node : b) {
    if (names_a.find(node.name, in_b.next(node.name)) != kNoNode) continue;
    difference.added.push_back({std::string(node.name), function});
  }
  return Unit{};
}

Status compare_function(const Model& first, const Model& second,
                        const std::set<std::string>& weights, const Function& a, const Function& b,
                        StructureDifference& difference) {
  if (a.bytes == b.bytes && !holds_handles(a.bytes)) return Unit{};
  const std::string name(a.name);
  const size_t before =
      difference.added.size() + difference.removed.size() + difference.changed.size();
  TRY(nodes_a, body_nodes(a));
  TRY(nodes_b, body_nodes(b));
  CHECK_OK(compare_nodes(first, second, weights, nodes_a, nodes_b, name, difference));
  TRY(same_head, same_message("tensorflow.FunctionDef", head_of(a), *first.payloads, head_of(b),
                              *second.payloads));
  const size_t after =
      difference.added.size() + difference.removed.size() + difference.changed.size();
  if (!same_head || after > before) difference.functions.changed.push_back(name);
  return Unit{};
}

Status compare_functions(const Model& first, const Model& second,
                         const std::set<std::string>& weights, StructureDifference& difference) {
  const FunctionsByName in_a = functions_by_name(first.graph);
  const FunctionsByName in_b = functions_by_name(second.graph);
  for (const auto& each : in_a) {
    const auto other = in_b.find(each.first);
    if (other == in_b.end()) {
      difference.functions.removed.emplace_back(each.second->name);
    } else {
      CHECK_OK(compare_function(first, second, weights, *each.second, *other->second, difference));
    }
  }
  for (const auto& each : in_b) {
    if (!in_a.contains(each.first)) difference.functions.added.emplace_back(each.second->name);
  }
  return Unit{};
}

void compare_signatures(const Model& first, const Model& second, StructureDifference& difference) {
  const std::map<std::string, std::string> in_a = signatures_of(first);
  const std::map<std::string, std::string> in_b = signatures_of(second);
  for (const auto& each : in_a) {
    const auto other = in_b.find(each.first);
    if (other == in_b.end()) {
      difference.signatures.removed.push_back(each.first);
    } else if (other->second != each.second) {
      difference.signatures.changed.push_back(each.first);
    }
  }
  for (const auto& each : in_b) {
    if (!in_a.contains(each.first)) difference.signatures.added.push_back(each.first);
  }
}

}  // namespace

Result<StructureDifference> structure_difference(const Model& first, const Model& second,
                                                 const std::set<std::string>& weights) {
  StructureDifference difference;
  CHECK_OK(compare_nodes(first, second, weights, first.graph.nodes(), second.graph.nodes(), "",
                         difference));
  CHECK_OK(compare_functions(first, second, weights, difference));
  compare_signatures(first, second, difference);
  return difference;
}

}  // namespace cryo
