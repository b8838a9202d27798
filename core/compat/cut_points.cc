#include "compat/cut_points.h"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

#include "base/reference.h"
#include "base/text.h"
#include "graph/analysis/branches.h"
#include "graph/functions/functions_needed.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"

namespace cryo {
namespace {

using Marks = std::vector<bool>;                    // by node
using TensorPlace = std::pair<uint32_t, uint32_t>;  // node, output

// Bounds for walks over the whole graph or library, which a hostile graph would ask for often.
constexpr int kMaxWalks = 100;
constexpr int kMaxCallers = 1000;

// Returns the nodes with blockers without a fix, and those that need a function which has one.
// Returns nullopt if a blocker is no node's.
std::optional<Marks> refused_nodes(const Graph& graph, const TargetVerdict& verdict) {
  Marks refused(graph.nodes().size());
  if (verdict.unfixed.size() >= kMaxUnfixed) return std::nullopt;
  for (const uint32_t each : verdict.unfixed) refused[each] = true;
  std::unordered_set<std::string_view> functions;
  for (const Blocker& each : verdict.blockers) {
    if (!each.fix.empty()) continue;
    if (each.node.empty()) return std::nullopt;
    if (!each.function.empty()) {
      functions.insert(each.function);
    } else if (const uint32_t node = graph.index().names().find(each.node); node != kNoNode) {
      refused[node] = true;
    }
  }
  if (functions.empty()) return refused;
  int callers = 0;
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    const Node& node = graph.nodes()[i];
    if (refused[i] || functions_named_by(node).empty()) continue;
    if (++callers > kMaxCallers) return std::nullopt;
    const std::vector<Function> needed = functions_needed({node}, graph);
    refused[i] = std::any_of(needed.begin(), needed.end(),
                             [&](const Function& each) { return functions.contains(each.name); });
  }
  return refused;
}

class Narrowing {
 public:
  Narrowing(const Graph& graph, const std::vector<std::string>& outputs, const OpRegistry& ops,
            Marks refused)
      : nodes_(graph.nodes()),
        edges_(graph.index().edges()),
        frames_(find_frames(nodes_, edges_, edges_.consumers())),
        branches_(nodes_, edges_, edges_.consumers(), frames_),
        ops_(ops),
        refused_(std::move(refused)),
        is_output_(nodes_.size()),
        needed_(nodes_.size()),
        head_(nodes_.size()),
        tail_(nodes_.size()) {
    for (const std::string& output : outputs) {
      const TensorName name = parse_tensor_name(output);
      const uint32_t node = graph.index().names().find(name.node);
      if (node == kNoNode) continue;
      outputs_.emplace_back(node, name.port);
      is_output_[node] = true;
    }
    for (const auto& [node, port] : outputs_) add_sources(node, needed_);
    has_weights_ = weights(needed_) > 0;
    whole_ = weights(needed_);
  }

  std::optional<CutPoints> run() {
    split();
    widen_head();
    find_outputs();
    if (new_outputs_.empty()) return std::nullopt;
    Marks kept(nodes_.size());
    for (const TensorPlace& each : new_outputs_) add_sources(each.first, kept);
    find_inputs(kept);
    for (const TensorPlace& each : inputs_) {
      if (!can_be_end(each)) return std::nullopt;
    }
    if (inputs_.size() > kMaxEnds || new_outputs_.size() > kMaxEnds) return std::nullopt;
    if (2 * weights(kept) < whole_) return std::nullopt;
    CutPoints ends;
    for (const TensorPlace& each : inputs_) ends.inputs.push_back(name_of(each));
    if (new_outputs_ == outputs_) return ends;
    for (const TensorPlace& each : new_outputs_) ends.outputs.push_back(name_of(each));
    return ends;
  }

 private:
  std::string name_of(const TensorPlace& tensor) const {
    const std::string_view node = nodes_[tensor.first].name;
    return tensor.second == 0 ? std::string(node) : cat(node, ":", tensor.second);
  }

  // Returns true if a tensor can be fed and fetched: a plain value outside of loops and branches.
  bool can_be_end(const TensorPlace& tensor) const {
    const auto& [node, port] = tensor;
    const uint32_t around = branches_.of(node);
    const uint32_t branch = is_exit(nodes_[node].op) ? branches_.all()[around].outer : around;
    if (branch != kRootBranch || branches_.opened({node, port}) != kNoNode) return false;
    const auto type = output_dtype(nodes_[node], port, &ops_);
    return type && *type != DType::kResource && *type != DType::kVariant;
  }

  // In a graph without weights, each node counts.
  uint64_t weight(const Node& node) const {
    if (!has_weights_) return 1;
    if (node.op != "Const") return 0;
    const auto count = element_count(output_shape(node, 0));
    return count ? *count : 0;
  }

  uint64_t weights(const Marks& among) const {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < nodes_.size(); ++i) sum += among[i] ? weight(nodes_[i]) : 0;
    return sum;
  }

  // Adds nodes, and those that are reached from them, to `found`. Returns the nodes that were not
  // yet there. `each_next(node, add)`: calls add() for the nodes that are reached from one.
  template <typename EachNext>
  static std::vector<uint32_t> walk(const std::vector<uint32_t>& from, Marks& found,
                                    EachNext each_next) {
    std::vector<uint32_t> added;
    std::vector<uint32_t> waiting;
    const auto add = [&](uint32_t node) {
      if (found[node]) return;
      found[node] = true;
      added.push_back(node);
      waiting.push_back(node);
    };
    for (const uint32_t node : from) add(node);
    while (!waiting.empty()) {
      const uint32_t node = waiting.back();
      waiting.pop_back();
      each_next(node, add);
    }
    return added;
  }

  // Adds a node and all that it needs, up to and without the head, to `found`. Returns the nodes
  // that were not yet there.
  std::vector<uint32_t> add_sources(uint32_t node, Marks& found) const {
    return walk({node}, found, [&](uint32_t each, const auto& add) {
      for (const Edge& edge : edges_.inputs(each)) {
        if (edge.node != kNoNode && !head_[edge.node]) add(edge.node);
      }
    });
  }

  // Makes a blocker the head's, with all before it, as long as that has less than half of the
  // weights; else it is the tail's.
  void split() {
    Marks before(nodes_.size());
    uint64_t lost = 0;
    int walks = 0;
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (!refused_[i] || !needed_[i]) continue;
      if (is_output_[i] || walks >= kMaxWalks) {
        tail_[i] = true;
        continue;
      }
      const std::vector<uint32_t> added = add_sources(i, before);
      uint64_t more = 0;
      for (const uint32_t each : added) more += weight(nodes_[each]);
      if (2 * (lost + more) < whole_) {
        lost += more;
        head_[i] = true;
        continue;
      }
      for (const uint32_t each : added) before[each] = false;
      tail_[i] = true;
      ++walks;
    }
  }

  // Finds the tensors of the head that the kept nodes read.
  void find_inputs(const Marks& kept) {
    std::set<TensorPlace> found;
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (!kept[i]) continue;
      for (const Edge& edge : edges_.inputs(i)) {
        if (edge.control || edge.node == kNoNode || !head_[edge.node]) continue;
        if (found.emplace(edge.node, edge.port).second) inputs_.emplace_back(edge.node, edge.port);
      }
    }
  }

  // Adds the readers of tensors that can be no inputs to the head.
  void widen_head() {
    std::vector<uint32_t> from;
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (head_[i]) from.push_back(i);
    }
    Marks wide(nodes_.size());
    walk(from, wide, [&](uint32_t node, const auto& add) {
      for (const Consumer& each : edges_.consumers().of(node)) {
        if (each.control || !needed_[each.node] || is_output_[each.node]) continue;
        if (!can_be_end({node, each.port})) add(each.node);
      }
    });
    head_ = std::move(wide);
    for (uint32_t i = 0; i < nodes_.size(); ++i) tail_[i] = tail_[i] && !head_[i];
  }

  // Returns the nodes whose values depend on inputs.
  Marks varying() const {
    std::vector<uint32_t> from;
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (is_placeholder(nodes_[i].op) || head_[i]) from.push_back(i);
    }
    Marks found(nodes_.size());
    walk(from, found, [&](uint32_t node, const auto& add) {
      for (const Consumer& each : edges_.consumers().of(node)) add(each.node);
    });
    return found;
  }

  // Adds a node of the tail and all that needs it to `lost`. Returns the nodes that were not yet
  // there.
  std::vector<uint32_t> add_readers(uint32_t node, Marks& lost) const {
    return walk({node}, lost, [&](uint32_t each, const auto& add) {
      for (const Consumer& consumer : edges_.consumers().of(each)) {
        if (!head_[consumer.node] && needed_[consumer.node]) add(consumer.node);
      }
    });
  }

  // Returns the nodes that are cut off with the tail: those that need it, and those that compute
  // what it reads, up to tensors that can be outputs. `vary`: nodes that depend on inputs.
  Marks lost_with_tail(const Marks& vary) const {
    Marks lost(nodes_.size());
    std::vector<uint32_t> waiting;
    const auto lose = [&](uint32_t node) {
      for (const uint32_t each : add_readers(node, lost)) waiting.push_back(each);
    };
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (tail_[i]) lose(i);
    }
    while (!waiting.empty()) {
      const uint32_t node = waiting.back();
      waiting.pop_back();
      for (const Edge& edge : edges_.inputs(node)) {
        if (edge.control || edge.node == kNoNode || !vary[edge.node] || head_[edge.node]) continue;
        if (!can_be_end({edge.node, edge.port})) lose(edge.node);
      }
    }
    return lost;
  }

  // Finds the outputs that do without the tail, and the tensors that the tail reads.
  void find_outputs() {
    const Marks vary = varying();
    const Marks lost = lost_with_tail(vary);
    for (const TensorPlace& each : outputs_) {
      if (!lost[each.first] && !head_[each.first]) new_outputs_.push_back(each);
    }
    std::set<TensorPlace> found(new_outputs_.begin(), new_outputs_.end());
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (!lost[i]) continue;
      for (const Edge& edge : edges_.inputs(i)) {
        if (edge.control || edge.node == kNoNode || lost[edge.node] || head_[edge.node]) continue;
        if (!vary[edge.node] || is_placeholder(nodes_[edge.node].op)) continue;
        const TensorPlace tensor(edge.node, edge.port);
        if (found.insert(tensor).second) new_outputs_.push_back(tensor);
      }
    }
  }

  const std::vector<Node>& nodes_;
  const Edges& edges_;
  const Frames frames_;
  const Branches branches_;
  const OpRegistry& ops_;
  const Marks refused_;
  Marks is_output_;
  Marks needed_;  // by the outputs
  Marks head_;    // refused nodes that are cut off with what they read
  Marks tail_;    // refused nodes that are cut off with what reads them
  bool has_weights_ = true;
  uint64_t whole_ = 0;
  std::vector<TensorPlace> outputs_;
  std::vector<TensorPlace> inputs_;
  std::vector<TensorPlace> new_outputs_;
};

}  // namespace

std::string CutPoints::fix() const {
  std::string text(kFreezeWith);
  if (!inputs.empty()) text += setting("--inputs", join(inputs, ","));
  if (!inputs.empty() && !outputs.empty()) text += " and ";
  if (!outputs.empty()) text += setting("--outputs", join(outputs, ","));
  return text;
}

std::optional<CutPoints> find_cut_points(const Graph& graph, const TargetVerdict& verdict,
                                         const std::vector<std::string>& outputs,
                                         const OpRegistry& ops) {
  auto refused = refused_nodes(graph, verdict);
  if (!refused) return std::nullopt;
  auto ends = Narrowing(graph, outputs, ops, std::move(*refused)).run();
  if (ends && ends->inputs.empty() && ends->outputs.empty()) return std::nullopt;
  return ends;
}

}  // namespace cryo
