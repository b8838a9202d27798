#include "model/analysis/likely_outputs.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "base/sort.h"
#include "base/text.h"
#include "graph/added_nodes.h"
#include "graph/analysis/inference_subgraph.h"
#include "graph/analysis/pipeline.h"
#include "graph/analysis/replicas.h"
#include "graph/attr_value.h"
#include "graph/op_facts.h"
#include "graph/roles.h"
#include "model/analysis/likely_inputs.h"
#include "model/analysis/output_score.h"
#include "model/meta.h"

namespace cryo {
namespace {

// Hands a prediction on, as an output has it in another form.
bool is_skipped(std::string_view op) {
  return has_fact(op, kHandsOn | kReshapes) || op == "ConcatV2" || op == "Cast";
}

// Never an output, even if it is the only end of a graph.
bool is_never_output(const Node& node) {
  return node.op == "Const" || is_variable(node.op) || is_placeholder(node.op) ||
         is_pipeline_read(node.op) || gives_no_value(node.op) ||
         (is_side_effect(node.op) && !is_update(node.op)) || node.op == "ReadVariableOp" ||
         node.op == "VariableShape" || node.op == "LoopCond" ||
         node.op.ends_with("IsInitialized") || node.op.ends_with("IsInitializedOp") ||
         find_attr(node, kAddedAttr).has_value();
}

// The nodes that a candidate is computed from are counted for the best candidates, until the counts
// come to this.
constexpr size_t kMaxCounted = 1'000'000;
constexpr size_t kOneCount = 1'000;  // minimal cost of a count

// An output less likely than the best one by more than this ends another computation. An inner node
// has to be nearer.
constexpr int kSameRank = 4;
constexpr int kSameInnerRank = 2;

struct OutputCandidate {
  uint32_t node = kNoNode;
  uint32_t port = 0;
  bool is_sink = false;
  OutputScore score = {};
  uint32_t needs = 0;  // nodes; 0: not counted
};

// TensorFlow 2 saves and restores by function calls, which look like any other.
bool saves_or_restores(std::string_view node, const tensorflow::SaverDef& saver) {
  return node == parse_tensor_name(saver.save_tensor_name()).node ||
         node == parse_tensor_name(saver.restore_op_name()).node;
}

// How many results of an op people fetch, one by one.
uint32_t results_of(const Node& node) {
  if (node.op == "TopKV2" || node.op == "TopK" || node.op == "NonMaxSuppressionV4") return 2;
  if (node.op == "CombinedNonMaxSuppression" || node.op == "TFLite_Detection_PostProcess") return 4;
  const auto noted = find_attr(node, "_output_shapes");
  if (!noted || !find_attr(node, "Tout") || node.op == "Cast") return 1;
  uint32_t count = 0;
  AttrValue(*noted).each_bytes(AttrKind::kShape, [&](std::string_view) { ++count; });
  return std::max(count, 1U);
}

// The number of nodes that this one is computed from, itself included.
uint32_t ancestors(const Edges& edges, uint32_t node) {
  const NodeSet reached = walk_back(edges, std::span(&node, 1));
  return static_cast<uint32_t>(std::count(reached.begin(), reached.end(), true));
}

// Finds and ranks the likely outputs of a graph without signatures.
class OutputFinder {
 public:
  OutputFinder(const Graph& graph, const InferenceSubgraph& forward,
               const tensorflow::SaverDef& saver)
      : graph_(graph), forward_(forward), saver_(saver) {}

  std::vector<OutputCandidate> find();
  size_t chosen() const { return chosen_; }

 private:
  void add(uint32_t node, bool is_sink);
  void add_inner(uint32_t node);
  void add_logits(uint32_t activation);
  uint32_t reshaped(uint32_t node) const;
  void score_all();
  void drop_unlikely();
  void rank();
  void choose();

  const Graph& graph_;
  const InferenceSubgraph& forward_;
  const tensorflow::SaverDef& saver_;
  std::vector<OutputCandidate> candidates_;
  std::vector<bool> known_;
  size_t chosen_ = 0;  // the first so many
};

// Returns true if the first replica has the same node.
bool is_of_further_replica(const Graph& graph, const Node& node) {
  const auto first = name_in_first_replica(node.name);
  const uint32_t twin = first ? graph.index().names().find(*first) : kNoNode;
  return twin != kNoNode && graph.nodes()[twin].op == node.op;
}

void OutputFinder::add(uint32_t node, bool is_sink) {
  const Node& at = graph_.nodes()[node];
  if (known_[node] || is_of_further_replica(graph_, at) || is_never_output(at) ||
      forward_.measures.in_loop[node] || saves_or_restores(at.name, saver_))
    return;
  known_[node] = true;
  const uint32_t ports = is_sink ? results_of(at) : 1;
  for (uint32_t port = 0; port < ports; ++port) candidates_.push_back({node, port, is_sink});
}

// The node that gives the value its final shape: ArgMax -> ExpandDims.
uint32_t OutputFinder::reshaped(uint32_t node) const {
  for (int i = 0; i < kMaxSkipped; ++i) {
    uint32_t next = kNoNode;
    for (const Consumer& consumer : graph_.index().consumers().of(node)) {
      if (consumer.control || forward_.excluded[consumer.node]) continue;
      if (next != kNoNode || consumer.input != 0) return node;
      next = consumer.node;
    }
    if (next == kNoNode || !has_fact(graph_.nodes()[next].op, kReshapes)) return node;
    node = next;
  }
  return node;
}

// Adds the inputs of a final softmax or sigmoid, with reshapes and copies skipped.
void OutputFinder::add_logits(uint32_t activation) {
  uint32_t node = activation;
  for (int i = 0; i < kMaxSkipped; ++i) {
    const auto inputs = graph_.index().edges().inputs(node);
    // tf.concat([zeros_like(logits), logits], -1) makes two classes of one.
    const size_t at = graph_.nodes()[node].op == "ConcatV2" ? 1 : 0;
    if (inputs.size() <= at || inputs[at].node == kNoNode) return;
    node = inputs[at].node;
    if (!is_skipped(graph_.nodes()[node].op) || forward_.excluded[node]) break;
  }
  const std::string_view op = graph_.nodes()[node].op;
  const bool sums = op == "Add" || op == "AddV2" || op == "AddN";
  if (sums || op.ends_with("MatMul") || forward_.takes_weights[node]) add(node, false);
}

void OutputFinder::add_inner(uint32_t node) {
  const bool inside = !forward_.excluded[node] && !known_[node];
  if (!inside || !is_inner_output(graph_, forward_, node)) return;
  const std::string_view op = graph_.nodes()[node].op;
  const bool is_result = op == "ArgMax" || is_activation_of_output(op);
  add(is_result ? reshaped(node) : node, false);
}

void OutputFinder::score_all() {
  uint32_t deepest = 0;
  for (const OutputCandidate& each : candidates_) {
    deepest = std::max(deepest, forward_.measures.depth[each.node]);
  }
  const OutputScorer scorer(graph_, forward_, deepest);
  for (OutputCandidate& each : candidates_) each.score = scorer.score(each.node, each.is_sink);
}

void OutputFinder::drop_unlikely() {
  const auto likely = [](const OutputCandidate& each) { return !each.score.is_unlikely; };
  if (std::none_of(candidates_.begin(), candidates_.end(), likely)) return;
  std::erase_if(candidates_, [&](const OutputCandidate& each) { return !likely(each); });
}

// Sorts by score, then by depth, then by the nodes that they are computed from.
void OutputFinder::rank() {
  const auto compare = [&](const OutputCandidate& a, const OutputCandidate& b) {
    const auto depth_a = forward_.measures.depth[a.node];
    const auto depth_b = forward_.measures.depth[b.node];
    return std::tuple(b.score.points, depth_b, b.needs) <
           std::tuple(a.score.points, depth_a, a.needs);
  };
  sort(candidates_, compare);
  size_t counted = 0;
  for (OutputCandidate& each : candidates_) {
    if (counted >= kMaxCounted) break;
    each.needs = ancestors(graph_.index().edges(), each.node);
    counted += each.needs + kOneCount;
  }
  sort(candidates_, compare);
}

// The chosen ones move to the front.
void OutputFinder::choose() {
  if (candidates_.empty()) return;
  const auto unopposed =
      std::find_if(candidates_.begin(), candidates_.end(),
                   [](const OutputCandidate& each) { return each.score.against.empty(); });
  if (unopposed == candidates_.end()) {
    chosen_ = 1;
    return;
  }
  const int best = unopposed->score.points;
  const auto ends_with_best = [&](const OutputCandidate& each) {
    const int margin = each.is_sink ? kSameRank : kSameInnerRank;
    return each.score.against.empty() && each.score.points + margin >= best;
  };
  const auto end = std::stable_partition(candidates_.begin(), candidates_.end(), ends_with_best);
  chosen_ = static_cast<size_t>(end - candidates_.begin());
}

std::vector<OutputCandidate> OutputFinder::find() {
  known_.assign(graph_.nodes().size(), false);
  for (const uint32_t sink : forward_.sinks) add(sink, true);
  for (uint32_t i = 0; i < graph_.nodes().size(); ++i) add_inner(i);
  if (candidates_.empty()) {
    for (const uint32_t update : forward_.updates) {
      const bool initializes = is_assignment(graph_.nodes()[update].op);
      if (!initializes) add(update, true);
    }
  }
  const size_t found = candidates_.size();
  for (size_t i = 0; i < found; ++i) {
    const uint32_t node = computed_by(graph_, candidates_[i].node);
    if (is_activation_of_output(graph_.nodes()[node].op)) add_logits(node);
  }
  score_all();
  drop_unlikely();
  rank();
  choose();
  return std::move(candidates_);
}

std::string why_output(const OutputCandidate& candidate) {
  const std::string from = candidate.needs > 0
                               ? cat("; computed from ", plural(candidate.needs, "node"))
                               : std::string();
  const std::string_view place =
      candidate.is_sink ? "not used by any inference node" : "an inner node that is often fetched";
  const std::string_view comma = candidate.score.against.empty() ? "" : "; ";
  return cat(place, from, comma, candidate.score.against);
}

// "scores" -> "probabilities:0" as the person would name it: without ":0".
std::string without_first_port(std::string_view tensor) {
  return to_text(parse_tensor_name(tensor));
}

// `made_for`: the outputs that the graph was pruned to; else the first candidates are chosen.
void endpoints_by_structure(const Graph& graph, const tensorflow::SaverDef& saver,
                            const std::vector<std::string>& made_for, Endpoints& found) {
  const InferenceSubgraph& forward = graph.index().inference();
  OutputFinder finder(graph, forward, saver);
  const std::vector<OutputCandidate> candidates = finder.find();
  std::vector<uint32_t> chosen;
  std::unordered_set<std::string> known;
  for (const std::string& output : made_for) {
    const uint32_t node = graph.index().names().find(parse_tensor_name(output).node);
    if (node == kNoNode || !known.insert(without_first_port(output)).second) continue;
    chosen.push_back(node);
    found.outputs.push_back(
        {without_first_port(output), "an output that the graph was pruned to", true});
  }
  for (const OutputCandidate& each : candidates) {
    std::string name = to_text({graph.nodes()[each.node].name, each.port, false});
    if (known.contains(name)) continue;
    const bool is_chosen = known.empty() && chosen.size() < finder.chosen();
    if (is_chosen) chosen.push_back(each.node);
    found.outputs.push_back({std::move(name), why_output(each), is_chosen});
  }
  found.inputs = likely_inputs(graph, forward, chosen);
  const auto ends = std::count_if(candidates.begin(), candidates.end(),
                                  [](const OutputCandidate& each) { return each.is_sink; });
  found.certain = ends == 1 && chosen.size() == 1 && !forward.has_variables;
}

// The endpoints of signatures, each tensor once.
class SignatureEndpoints {
 public:
  explicit SignatureEndpoints(Endpoints& found) : found_(found) {}

  void add(const tensorflow::MetaGraphDef::SignatureDefEntry& entry) {
    const auto add = [&](std::vector<Endpoint>& to, std::unordered_set<std::string>& known,
                         std::string_view role, const auto& argument) {
      const std::string& tensor = argument.value().name();
      if (tensor.empty() || !known.insert(without_first_port(tensor)).second) return;
      to.push_back({without_first_port(tensor),
                    cat(role, " '", argument.key(), "' of signature '", entry.key(), "'"), true,
                    argument.key()});
    };
    for (const auto& input : entry.value().inputs()) add(found_.inputs, inputs_, "input", input);
    for (const auto& output : entry.value().outputs()) {
      add(found_.outputs, outputs_, "output", output);
    }
  }

 private:
  Endpoints& found_;
  std::unordered_set<std::string> inputs_;
  std::unordered_set<std::string> outputs_;
};

}  // namespace

Endpoints likely_endpoints(const Model& model) {
  Endpoints found;
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  SignatureEndpoints endpoints(found);
  for (const auto& entry : meta.signature_def()) {
    if (!is_reserved_signature(entry.key())) endpoints.add(entry);
  }
  found.certain = !found.outputs.empty();
  if (found.outputs.empty()) {
    endpoints_by_structure(model.graph, meta.saver_def(), model.outputs, found);
  }
  return found;
}

}  // namespace cryo
