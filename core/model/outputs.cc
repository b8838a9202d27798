#include "model/outputs.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/sort.h"
#include "base/text.h"
#include "graph/forward_half.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "model/init_op.h"
#include "model/meta.h"

namespace cryo {
namespace {

// Words in names of real outputs, and ops that end networks: only to order candidates.
constexpr std::array<std::string_view, 8> kOutputWords = {"output", "prob",  "pred",   "softmax",
                                                          "logits", "score", "result", "final"};

// Never an output in itself, however alone it stands.
bool is_boring(const Node& node) {
  return node.op == "Const" || is_variable(node.op) || is_placeholder(node.op) ||
         is_side_effect(node.op) || node.op.ends_with("IsInitialized") ||
         node.op == "IsVariableInitialized" || node.op == "VarIsInitializedOp" ||
         node.op == "ReadVariableOp" || node.op == "VariableShape";
}

// Beyond this many candidates, only the first are weighed by what they need.
constexpr size_t kMaxWeighed = 100;

bool has_word(std::string_view name) {
  std::string lower(base_name(name));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return std::any_of(kOutputWords.begin(), kOutputWords.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

struct Candidate {
  uint32_t node;
  uint32_t needs;          // nodes
  bool named;              // like an output
  std::string_view aside;  // what speaks against it; empty for most
};

// TensorFlow 2 saves and restores by function calls, which look like any other.
bool saves_or_restores(std::string_view node, const tensorflow::SaverDef& saver) {
  return node == parse_tensor_name(saver.save_tensor_name()).node ||
         node == parse_tensor_name(saver.restore_op_name()).node;
}

std::string_view reason_against(const ForwardHalf& forward, const Graph& graph, uint32_t node) {
  if (graph.nodes()[node].op == "_Retval") return "";
  if (forward.is_of_shapes(node)) return ", but of tensors only their shapes";
  const Shape shape = output_shape(graph.nodes()[node], 0);
  const bool scalar = !shape.unknown_rank && shape.dims.empty();
  return forward.trains() && scalar ? ", but is one number, as losses are" : "";
}

// Names of the nodes whose values fill tables: freezing gives them from constants.
std::set<std::string_view> table_contents(const std::vector<Node>& nodes) {
  std::set<std::string_view> names;
  for (const Node& node : nodes) {
    if (!imports_table(node.op)) continue;
    for (const std::string_view input : node.inputs()) names.insert(parse_tensor_name(input).node);
  }
  return names;
}

void outputs_by_structure(const Graph& graph, const tensorflow::SaverDef& saver, Endpoints& found) {
  const ForwardHalf forward(graph);
  std::vector<Candidate> candidates;
  for (const uint32_t sink : forward.sinks()) {
    const Node& node = graph.nodes()[sink];
    if (is_boring(node) || saves_or_restores(node.name, saver)) continue;
    const bool weigh = candidates.size() < kMaxWeighed;
    candidates.push_back({sink, weigh ? forward.ancestors(sink) : 1, has_word(node.name),
                          reason_against(forward, graph, sink)});
  }
  sort(candidates, [](const Candidate& a, const Candidate& b) {
    if (a.aside.empty() != b.aside.empty()) return a.aside.empty();
    if (a.named != b.named) return a.named;
    return a.needs != b.needs ? a.needs > b.needs : a.node < b.node;
  });
  for (const Candidate& candidate : candidates) {
    const Node& node = graph.nodes()[candidate.node];
    found.outputs.push_back(
        {std::string(node.name), cat("training and saving aside, no other node uses it; it needs ",
                                     plural(candidate.needs, "node"), candidate.aside)});
  }
  const std::set<std::string_view> contents = table_contents(graph.nodes());
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const Node& node = graph.nodes()[i];
    if (is_placeholder(node.op) && !forward.excluded(i) && !contents.contains(node.name)) {
      found.inputs.push_back({std::string(node.name), cat("a ", node.op)});
    }
  }
  found.certain = found.outputs.size() == 1;
}

// "scores" -> "probabilities:0" as the person would name it: without ":0".
std::string plain(std::string_view tensor) { return to_text(parse_tensor_name(tensor)); }

void add_signature(const tensorflow::MetaGraphDef::SignatureDefEntry& entry, Endpoints& found) {
  const auto add = [&](std::vector<Endpoint>& to, const std::string& tensor, std::string_view role,
                       const std::string& argument) {
    if (tensor.empty()) return;
    const std::string name = plain(tensor);
    const bool known =
        std::any_of(to.begin(), to.end(), [&](const Endpoint& each) { return each.name == name; });
    if (!known)
      to.push_back({name, cat(role, " '", argument, "' of signature '", entry.key(), "'")});
  };
  for (const auto& input : entry.value().inputs()) {
    add(found.inputs, input.value().name(), "input", input.key());
  }
  for (const auto& output : entry.value().outputs()) {
    add(found.outputs, output.value().name(), "output", output.key());
  }
}

}  // namespace

Endpoints likely_endpoints(const Model& model) {
  Endpoints found;
  const tensorflow::MetaGraphDef meta = parse_meta(model);
  for (const auto& entry : meta.signature_def()) {
    if (!is_reserved_signature(entry.key())) add_signature(entry, found);
  }
  found.certain = !found.outputs.empty();
  if (found.outputs.empty()) outputs_by_structure(model.graph, meta.saver_def(), found);
  return found;
}

}  // namespace cryo
