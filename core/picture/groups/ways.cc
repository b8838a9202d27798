#include "picture/groups/ways.h"

#include <algorithm>

#include "graph/op_facts.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "picture/groups/stored_tensor.h"

namespace cryo {
namespace {

// The result does not depend on the value of the input.
bool takes_shape_alone(std::string_view op) { return has_fact(op, kAsksShape | kFills); }

}  // namespace

// Follows the values of inputs, then goes back from the outputs that they reach.
class WayFinder {
 public:
  WayFinder(const Scene& scene, const std::vector<NodeRole>& roles, Ways& ways)
      : scene_(scene),
        roles_(roles),
        ways_(ways),
        fed_(scene.size(), false),
        weighted_(scene.size(), false) {
    ways_.passed_.assign(scene.size(), false);
    ways_.pins_.assign(scene.size(), false);
    ways_.outputs_.assign(scene.size(), false);
  }

  void find(const ViewEnds& ends) {
    for (const ViewEnd& end : ends.inputs) feed(found(end));
    for (uint32_t i = 0; i < scene_.size(); ++i) {
      if (starts(i)) feed(i);
    }
    spread();
    spread_weights();
    for (const ViewEnd& end : ends.outputs) add_output(found(end));
    if (std::none_of(outputs_.begin(), outputs_.end(), [&](uint32_t node) { return fed_[node]; }))
      add_ends();
    go_back();
    if (misses_weights()) {
      for (uint32_t i = 0; i < scene_.size(); ++i) ways_.passed_[i] = is_inference(i);
    }
  }

 private:
  uint32_t found(const ViewEnd& end) {
    const uint32_t node = scene_.source_of(end.tensor);
    if (node != kNoNode && !end.title.empty()) ways_.titles_.emplace(node, end.title);
    return node;
  }

  // Returns true if most variables are off the ways.
  bool misses_weights() const {
    size_t all = 0;
    size_t passed = 0;
    for (uint32_t i = 0; i < scene_.size(); ++i) {
      if (!is_inference(i) || !is_variable(scene_.node(i).op)) continue;
      ++all;
      passed += ways_.passed_[i] ? 1U : 0U;
    }
    return 2 * passed < all;
  }

  bool is_inference(uint32_t node) const { return roles_[node] == NodeRole::kInference; }

  // An input, or the first node that takes the data of a pipeline.
  bool starts(uint32_t node) const {
    if (!is_inference(node)) return false;
    const Node& of = scene_.node(node);
    if (is_placeholder(of.op)) return true;
    if (of.op == "_Arg") return type_attr(of, "T") != static_cast<int>(DType::kResource);
    const auto inputs = scene_.edges().inputs(node);
    return std::any_of(inputs.begin(), inputs.end(), [&](const Edge& edge) {
      return edge.node != kNoNode && !edge.control && roles_[edge.node] == NodeRole::kPipeline;
    });
  }

  void feed(uint32_t node) {
    if (node == kNoNode || !is_inference(node) || fed_[node]) return;
    fed_[node] = true;
    open_.push_back(node);
    if (is_placeholder(scene_.node(node).op)) ways_.pins_[node] = true;
  }

  void spread() {
    any_fed_ = !open_.empty();
    while (!open_.empty()) {
      const uint32_t node = open_.back();
      open_.pop_back();
      for (const Consumer& consumer : scene_.consumers().of(node)) {
        if (consumer.control || fed_[consumer.node] || !is_inference(consumer.node)) continue;
        if (takes_shape_alone(scene_.node(consumer.node).op)) continue;
        fed_[consumer.node] = true;
        open_.push_back(consumer.node);
      }
    }
  }

  bool is_taken(uint32_t node) const {
    for (const Consumer& consumer : scene_.consumers().of(node)) {
      if (is_inference(consumer.node) && !consumer.control) return true;
    }
    return false;
  }

  void add_output(uint32_t node) {
    if (node == kNoNode || !is_inference(node)) return;
    outputs_.push_back(node);
    ways_.outputs_[node] = true;
    if (!is_taken(node)) ways_.pins_[node] = true;
  }

  // Every end that an input reaches; without inputs every end.
  void add_ends() {
    for (uint32_t i = 0; i < scene_.size(); ++i) {
      const bool counts = any_fed_ ? fed_[i] : is_inference(i);
      if (counts && !is_taken(i)) outputs_.push_back(i);
    }
  }

  // Marks weights and all that is computed from them: the scale of a normalization has no input,
  // but is on a way if its consumer is. Constants are weights where no variables infer.
  void spread_weights() {
    bool has_variables = false;
    for (uint32_t i = 0; i < scene_.size(); ++i)
      has_variables = has_variables || (is_inference(i) && is_variable(scene_.node(i).op));
    for (uint32_t i = 0; i < scene_.size(); ++i) {
      const Node& node = scene_.node(i);
      const bool counts = node.op == "Const"
                              ? !has_variables && is_weight(node, stored_tensor(node))
                              : is_variable(node.op) || node.op == "_Arg";
      if (counts) weigh(i);
    }
    while (!open_.empty()) {
      const uint32_t node = open_.back();
      open_.pop_back();
      for (const Consumer& consumer : scene_.consumers().of(node)) {
        if (!consumer.control && !takes_shape_alone(scene_.node(consumer.node).op))
          weigh(consumer.node);
      }
    }
  }

  void weigh(uint32_t node) {
    if (weighted_[node] || !is_inference(node)) return;
    weighted_[node] = true;
    open_.push_back(node);
  }

  // Returns true for a constant, and for the read of a frozen variable.
  bool is_stored(uint32_t node) const {
    const std::string_view op = scene_.node(node).op;
    const auto inputs = scene_.edges().inputs(node);
    if (op == "Const" || inputs.empty() || inputs[0].node == kNoNode) return op == "Const";
    return has_fact(op, kHandsOn) && scene_.node(inputs[0].node).op == "Const";
  }

  bool may_pass(uint32_t node) const {
    if (!is_inference(node)) return false;
    return fed_[node] || !any_fed_ || weighted_[node] || is_stored(node);
  }

  void go_back() {
    for (const uint32_t node : outputs_) pass(node);
    while (!open_.empty()) {
      const uint32_t node = open_.back();
      open_.pop_back();
      for (const Edge& edge : scene_.edges().inputs(node)) {
        if (edge.node != kNoNode && !edge.control) pass(edge.node);
      }
    }
  }

  void pass(uint32_t node) {
    if (ways_.passed_[node] || !may_pass(node)) return;
    ways_.passed_[node] = true;
    open_.push_back(node);
  }

  const Scene& scene_;
  const std::vector<NodeRole>& roles_;
  Ways& ways_;
  std::vector<bool> fed_;
  std::vector<bool> weighted_;
  bool any_fed_ = false;
  std::vector<uint32_t> open_;
  std::vector<uint32_t> outputs_;
};

const std::string& Ways::title(uint32_t node) const {
  static const std::string none;
  const auto found = titles_.find(node);
  return found == titles_.end() ? none : found->second;
}

Ways::Ways(const Scene& scene, const std::vector<NodeRole>& roles, const ViewEnds& ends) {
  WayFinder(scene, roles, *this).find(ends);
}

}  // namespace cryo
