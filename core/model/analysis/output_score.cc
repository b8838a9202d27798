#include "model/analysis/output_score.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"
#include "graph/analysis/output_names.h"
#include "graph/op_facts.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"

namespace cryo {
namespace {

constexpr int kBool = 10;
constexpr int kString = 7;
constexpr int kInt32 = 3;
constexpr int kInt64 = 9;

constexpr std::array<std::string_view, 3> kActivations = {"Softmax", "Sigmoid", "LogSoftmax"};

constexpr std::array<std::string_view, 12> kChoices = {"ArgMax",
                                                       "TopKV2",
                                                       "TopK",
                                                       "NonMaxSuppressionV2",
                                                       "NonMaxSuppressionV3",
                                                       "CombinedNonMaxSuppression",
                                                       "CTCGreedyDecoder",
                                                       "CTCBeamSearchDecoder",
                                                       "LookupTableFindV2",
                                                       "LookupTableFind",
                                                       "AsString",
                                                       "DetectionPostprocess"};

// The names that Python gives to nodes of an op by default, if they differ from the op's.
struct DefaultName {
  std::string_view op;
  std::string_view name;
};
constexpr std::array<DefaultName, 9> kDefaultNames = {{{"RealDiv", "truediv"},
                                                       {"RealDiv", "div"},
                                                       {"Pack", "stack"},
                                                       {"Unpack", "unstack"},
                                                       {"SelectV2", "where"},
                                                       {"Sum", "sum"},
                                                       {"Select", "where"},
                                                       {"Identity", "checkidentity"},
                                                       {"Identity", "readidentity"}}};

// "Mat_Mul_12" -> "matmul".
std::string plain(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') letters += static_cast<char>(c + 32);
    if (c >= 'a' && c <= 'z') letters += c;
  }
  return letters;
}

// Returns true if the program named the node itself.
bool has_own_name(const Node& node) {
  std::string op = plain(node.op);
  if (node.op.ends_with("V2") || node.op.ends_with("V3")) op.pop_back();
  const std::string name = plain(base_name(node.name));
  if (name.empty() || name == op || name.starts_with("embeddinglookup")) return false;
  return std::none_of(kDefaultNames.begin(), kDefaultNames.end(), [&](const DefaultName& each) {
    return each.op == node.op && each.name == name;
  });
}

bool gives(const Node& node, int dtype) {
  if (dtype == kBool && is_test(node.op)) return true;
  const auto cast = type_attr(node, "DstT");
  const auto type = cast ? cast : type_attr(node, "T");
  return type == dtype;
}

bool is_auxiliary(std::string_view name) {
  return name.find("aux") != std::string_view::npos || name.find("Aux") != std::string_view::npos;
}

}  // namespace

bool is_activation_of_output(std::string_view op) { return is_one_of(op, kActivations); }

bool is_inner_output(const Graph& graph, const InferenceSubgraph& forward, uint32_t node) {
  const Node& at = graph.nodes()[node];
  if (forward.measures.depth[node] == 0) return false;
  const bool own_identity = at.op == "Identity" && at.name.find('/') == std::string_view::npos;
  if (own_identity && has_own_name(at)) return true;
  if (forward.measures.before_layer[node]) return false;
  const bool op = is_activation_of_output(at.op) || at.op == "ArgMax" || at.op == "TopKV2";
  const bool joins = at.op == "ConcatV2";  // the two classes of a binary classifier
  if (!op && (joins || !has_output_word(at.name) || !has_own_name(at))) return false;
  const auto consumers = graph.index().consumers().of(node);
  return std::none_of(consumers.begin(), consumers.end(), [&](const Consumer& consumer) {
    const std::string_view taker = graph.nodes()[consumer.node].op;
    return !consumer.control && (taker == "Mul" || taker.find("MatMul") != std::string_view::npos);
  });
}

uint32_t computed_by(const Graph& graph, uint32_t node) {
  for (int i = 0; i < kMaxSkipped; ++i) {
    const auto inputs = graph.index().edges().inputs(node);
    const bool skips = has_fact(graph.nodes()[node].op, kHandsOn | kReshapes);
    if (!skips || inputs.empty() || inputs[0].node == kNoNode) return node;
    node = inputs[0].node;
  }
  return node;
}

OutputScorer::OutputScorer(const Graph& graph, const InferenceSubgraph& forward, uint32_t deepest)
    : graph_(graph), forward_(forward), deepest_(deepest) {
  for (uint32_t i = 0; i < graph.nodes().size() && !has_batches_; ++i) {
    if (!is_placeholder(graph.nodes()[i].op) || !forward.measures.fed[i]) continue;
    const Shape shape = output_shape(graph.nodes()[i], 0);
    has_batches_ = !shape.unknown_rank && !shape.dims.empty() && shape.dims[0] < 0;
  }
}

// Outputs of a model that takes batches come in batches.
int OutputScorer::points_by_shape(const Node& node) const {
  const Shape shape = output_shape(node, 0);
  if (!has_batches_ || shape.unknown_rank) return 0;
  if (shape.dims.empty()) return -2;
  return shape.dims[0] < 0 ? 1 : 0;
}

int OutputScorer::points_by_name(const Node& node) const {
  int points = 0;
  const bool at_root = node.name.find('/') == std::string_view::npos;
  if (has_output_word(node.name)) {
    points += 4;
  } else if (is_named_output(node.name)) {
    points += 2;
  }
  if (has_own_name(node)) points += at_root ? 2 : 1;
  if (at_root) points += 1;
  if (is_named_loss(node.name)) points -= is_named_loss(base_name(node.name)) ? 6 : 3;
  if (is_auxiliary(node.name)) points -= 4;
  return points;
}

int OutputScorer::points_by_place(uint32_t node, bool is_sink) const {
  const Node& at = graph_.nodes()[node];
  const bool terminal = graph_.index().consumers().of(node).empty();
  const bool at_root = at.name.find('/') == std::string_view::npos;
  int points = is_sink ? 0 : -2;
  if (deepest_ > 0) {
    const uint64_t tenths = uint64_t{10} * forward_.measures.depth[node] / deepest_;
    points += tenths >= 9 ? 4 : tenths >= 5 ? 2 : 0;
  }
  const std::string_view op = graph_.nodes()[computed_by(graph_, node)].op;
  if (is_activation_of_output(op)) points += 3;
  if (is_one_of(op, kChoices)) points += 2;
  if (terminal && at.op == "Identity") points += at_root ? 3 : 1;
  return points;
}

// The first that applies is the one that is reported.
void OutputScorer::object(uint32_t node, OutputScore& score) const {
  const Node& at = graph_.nodes()[node];
  const auto against = [&](bool applies, std::string_view why, int points, bool unlikely) {
    if (!applies) return;
    if (score.against.empty()) score.against = why;
    score.points -= points;
    score.is_unlikely = score.is_unlikely || unlikely;
  };
  const bool scalar = is_scalar(at);
  const bool whole = gives(at, kInt32) || gives(at, kInt64);
  against(gives(at, kBool), "a truth value", 10, true);
  against(is_switch(at.op), "one branch of a condition", 10, true);
  against(forward_.of_shapes[node], "depends on shapes only", 10, !has_output_word(at.name));
  const bool is_loss = is_named_loss(at.name);
  against(!forward_.measures.fed[node], "depends on no input", 8, scalar || is_loss);
  against(scalar && gives(at, kString), "a single string", 8, false);
  against(scalar && whole, "a single whole number, probably a counter", 6, at.op == "Exit");
  against(scalar && !whole && forward_.trains, "a scalar, probably a loss", 6, false);
  against(at.op == "Exit" || at.op == "RefExit", "the last state of a loop", 4, whole);
  against(is_loss, "its name is that of a loss or a metric", 0, false);
  against(is_auxiliary(at.name), "its name is that of an auxiliary output", 0, false);
}

OutputScore OutputScorer::score(uint32_t node, bool is_sink) const {
  const Node& at = graph_.nodes()[node];
  OutputScore score;
  score.points = points_by_name(at) + points_by_place(node, is_sink) + points_by_shape(at);
  if (at.op == "_Retval") {
    score.points += 20;
  } else {
    object(node, score);
  }
  return score;
}

}  // namespace cryo
