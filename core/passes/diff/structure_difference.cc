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

class StructureComparison {
 public:
  StructureComparison(const Model& a, const Model& b, const std::set<std::string>& weights)
      : a_(a), b_(b), weights_(weights) {}

  Result<StructureDifference> run();

 private:
  Status compare_nodes(const std::vector<Node>& a, const std::vector<Node>& b,
                       const std::string& function);
  Status compare_node(const Node& a, const Node& b, const std::string& function);
  Status compare_attrs(const Node& a, const Node& b, bool with_value, NodeChange& change) const;
  Status compare_functions();
  Status compare_function(const Function& a, const Function& b);
  void compare_signatures();

  const Model& a_;
  const Model& b_;
  const std::set<std::string>& weights_;
  StructureDifference difference_;
};

Status StructureComparison::compare_attrs(const Node& a, const Node& b, bool with_value,
                                          NodeChange& change) const {
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
      TRY(same, same_attr(in_a->second, *a_.payloads, in_b->second, *b_.payloads));
      if (same) continue;
    }
    change.attrs.emplace_back(name);
  }
  return Unit{};
}

Status StructureComparison::compare_node(const Node& a, const Node& b,
                                         const std::string& function) {
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
  const bool weight = function.empty() && weights_.contains(change.place.name);
  CHECK_OK(compare_attrs(a, b, !weight, change));
  const bool same = a.op == b.op && !change.inputs && change.attrs.empty() && !change.device;
  if (!same) difference_.changed.push_back(std::move(change));
  return Unit{};
}

Status StructureComparison::compare_nodes(const std::vector<Node>& a, const std::vector<Node>& b,
                                          const std::string& function) {
  const EveryName names_a(a);
  const EveryName names_b(b);
  Ordinals in_a(names_a);
  for (const Node& node : a) {
    const uint32_t other = names_b.find(node.name, in_a.next(node.name));
    if (other == kNoNode) {
      difference_.removed.push_back({std::string(node.name), function});
    } else {
      CHECK_OK(compare_node(node, b[other], function));
    }
  }
  Ordinals in_b(names_b);
  for (const Node& node : b) {
    if (names_a.find(node.name, in_b.next(node.name)) != kNoNode) continue;
    difference_.added.push_back({std::string(node.name), function});
  }
  return Unit{};
}

// A FunctionDef without its nodes.
std::string head_of(const Function& function) {
  FunctionEditor editor(function);
  editor.nodes.clear();
  return editor.finish();
}

Status StructureComparison::compare_function(const Function& a, const Function& b) {
  if (a.bytes == b.bytes && !holds_handles(a.bytes)) return Unit{};
  const std::string name(a.name);
  const size_t before =
      difference_.added.size() + difference_.removed.size() + difference_.changed.size();
  TRY(nodes_a, body_nodes(a));
  TRY(nodes_b, body_nodes(b));
  CHECK_OK(compare_nodes(nodes_a, nodes_b, name));
  TRY(same_head,
      same_message("tensorflow.FunctionDef", head_of(a), *a_.payloads, head_of(b), *b_.payloads));
  const size_t after =
      difference_.added.size() + difference_.removed.size() + difference_.changed.size();
  if (!same_head || after > before) difference_.functions.changed.push_back(name);
  return Unit{};
}

Status StructureComparison::compare_functions() {
  const FunctionsByName in_a = functions_by_name(a_.graph);
  const FunctionsByName in_b = functions_by_name(b_.graph);
  for (const auto& each : in_a) {
    const auto other = in_b.find(each.first);
    if (other == in_b.end()) {
      difference_.functions.removed.emplace_back(each.second->name);
    } else {
      CHECK_OK(compare_function(*each.second, *other->second));
    }
  }
  for (const auto& each : in_b) {
    if (!in_a.contains(each.first)) difference_.functions.added.emplace_back(each.second->name);
  }
  return Unit{};
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

void StructureComparison::compare_signatures() {
  const std::map<std::string, std::string> in_a = signatures_of(a_);
  const std::map<std::string, std::string> in_b = signatures_of(b_);
  for (const auto& each : in_a) {
    const auto other = in_b.find(each.first);
    if (other == in_b.end()) {
      difference_.signatures.removed.push_back(each.first);
    } else if (other->second != each.second) {
      difference_.signatures.changed.push_back(each.first);
    }
  }
  for (const auto& each : in_b) {
    if (!in_a.contains(each.first)) difference_.signatures.added.push_back(each.first);
  }
}

Result<StructureDifference> StructureComparison::run() {
  CHECK_OK(compare_nodes(a_.graph.nodes(), b_.graph.nodes(), ""));
  CHECK_OK(compare_functions());
  compare_signatures();
  return std::move(difference_);
}

}  // namespace

Result<StructureDifference> structure_difference(const Model& a, const Model& b,
                                                 const std::set<std::string>& weights) {
  return StructureComparison(a, b, weights).run();
}

}  // namespace cryo
