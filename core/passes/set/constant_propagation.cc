#include "passes/set/constant_propagation.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "graph/evaluate/evaluate.h"
#include "graph/op_facts.h"
#include "graph/roles.h"
#include "graph/walk.h"

namespace cryo {
namespace {

// Compute a value and do nothing else.
constexpr std::array<std::string_view, 10> kPlain = {
    "Identity", "RefIdentity", "StopGradient", "PlaceholderWithDefault",
    "NoOp",     "LogicalNot",  "LogicalAnd",   "LogicalOr",
    "Equal",    "NotEqual"};

// Larger constants are not evaluated.
constexpr uint64_t kMaxContent = 1000;

bool casts_to_bool(const Node& node) {
  return node.op == "Cast" && type_attr(node, "DstT") == static_cast<int>(DType::kBool);
}

KnownValues::Value bool_of(bool value, bool scalar = true) {
  return {DType::kBool, std::string(1, value ? '\1' : '\0'), scalar};
}

bool same_tensor(const Edge& a, const Edge& b) { return a.node == b.node && a.port == b.port; }

}  // namespace

// From the seeds to all that a change reaches; each node changes only so often.
KnownValues::KnownValues(const std::vector<Node>& nodes, const Edges& edges,
                         const Payloads& payloads, const std::vector<uint32_t>& seeds,
                         Defaults defaults)
    : nodes_(nodes),
      edges_(edges),
      payloads_(payloads),
      defaults_(defaults),
      marks_(nodes.size(), 0) {
  const Consumers& consumers = edges.consumers();
  std::vector<uint32_t> queue;
  std::vector<bool> waits(nodes.size(), false);
  const auto wake_consumers = [&](uint32_t node) {
    for (const Consumer& consumer : consumers.of(node)) {
      if (waits[consumer.node]) continue;
      waits[consumer.node] = true;
      queue.push_back(consumer.node);
    }
  };
  for (const uint32_t seed : seeds) {
    if (auto known = constant(seed)) values_.emplace(seed, std::move(*known));
    if (settles(seed)) marks_[seed] |= kSettled;
    wake_consumers(seed);
  }
  while (!queue.empty()) {
    for (const uint32_t node : std::exchange(queue, {})) {
      waits[node] = false;
      if (visit(node)) wake_consumers(node);
    }
  }
  mark_conditional();
}

bool KnownValues::may_be_fed(uint32_t node) const {
  return defaults_ == Defaults::kMayBeFed && is_placeholder(nodes_[node].op);
}

// True where something new is known of it.
bool KnownValues::visit(uint32_t node) {
  if (is_dead(node)) return false;
  if (dies(node)) {
    marks_[node] |= kDead;
    return true;
  }
  uint8_t marks = marks_[node];
  if (live_port(node) >= 0) marks |= kChosen;
  if (settles(node)) marks |= kSettled;
  bool changed = marks != marks_[node];
  marks_[node] = marks;
  if (values_.count(node) > 0) return changed;
  if (auto known = computed(node)) changed = values_.emplace(node, std::move(*known)).second;
  return changed;
}

bool KnownValues::is_dead(const Edge& edge) const {
  if (edge.node == kNoNode) return false;
  if (is_dead(edge.node)) return true;
  const int live = edge.control ? -1 : live_port(edge.node);
  return live >= 0 && edge.port < 2 && edge.port != static_cast<uint32_t>(live);
}

bool KnownValues::dies(uint32_t node) const {
  const Node& at = nodes_[node];
  const auto inputs = edges_.inputs(node);
  if (at.op == "ControlTrigger") return false;
  const auto dead = [&](const Edge& edge) { return is_dead(edge); };
  if (!is_merge(at.op)) return std::any_of(inputs.begin(), inputs.end(), dead);
  // The value of a loop's next iteration is alive only if its Merge was.
  bool begins = false;
  for (const Edge& input : inputs) {
    if (input.control) continue;
    if (dead(input)) {
      begins = true;
    } else if (input.node == kNoNode || !nodes_[input.node].op.ends_with("NextIteration")) {
      return false;
    }
  }
  return begins;
}

bool KnownValues::settles(uint32_t node) const {
  const Node& at = nodes_[node];
  if (at.op == "Const") return at.input_count == 0;
  const auto inputs = edges_.inputs(node);
  const bool plain =
      is_one_of(at.op, kPlain) || (is_switch(at.op) && live_port(node) >= 0) || is_merge(at.op);
  if (!plain || inputs.empty() || may_be_fed(node)) return false;
  return std::all_of(inputs.begin(), inputs.end(), [&](const Edge& input) {
    if (is_merge(at.op) && is_dead(input)) return true;
    return input.node != kNoNode &&
           (is_settled(input.node) || (nodes_[input.node].op == "Const" && settles(input.node)));
  });
}

// Returns the live port. -1 also if the condition comes directly from another Switch: it may be
// dead while the data is alive, and then has to be waited for.
int KnownValues::live_port(uint32_t node) const {
  const auto inputs = edges_.inputs(node);
  if (!is_switch(nodes_[node].op) || inputs.size() < 2 || inputs[1].control) return -1;
  const auto known = truth(inputs[1]);
  if (!known) return -1;
  if (is_switch(nodes_[inputs[1].node].op) && !same_tensor(inputs[0], inputs[1])) return -1;
  return *known ? 1 : 0;
}

const KnownValues::Value* KnownValues::value(const Edge& tensor) const {
  if (tensor.control || tensor.node == kNoNode) return nullptr;
  const bool both = is_switch(nodes_[tensor.node].op);
  const auto found = values_.find(tensor.node);
  return found == values_.end() || tensor.port > (both ? 1U : 0U) ? nullptr : &found->second;
}

std::optional<bool> KnownValues::truth(const Edge& tensor) const {
  const Value* known = value(tensor);
  if (known == nullptr || known->dtype == DType::kString || known->content.empty()) {
    return std::nullopt;
  }
  std::string bytes = known->content;
  if (is_floating(known->dtype)) bytes.back() = static_cast<char>(bytes.back() & 0x7F);  // -0
  return bytes.find_first_not_of('\0') != std::string::npos;
}

std::optional<KnownValues::Value> KnownValues::computed(uint32_t node) const {
  const std::string_view op = nodes_[node].op;
  const auto inputs = edges_.inputs(node);
  if (is_merge(op)) return merged(node);
  if (inputs.empty() || inputs[0].control || may_be_fed(node)) return std::nullopt;
  const Value* first = value(inputs[0]);
  if (has_fact(op, kHandsOn)) return first == nullptr ? std::nullopt : std::optional(*first);
  const bool negates = op == "LogicalNot";
  if ((negates || casts_to_bool(nodes_[node])) && first != nullptr) {
    const auto known = truth(inputs[0]);
    return known ? std::optional(bool_of(*known != negates, first->scalar)) : std::nullopt;
  }
  if (auto made = evaluated(node)) return made;
  if (inputs.size() < 2 || inputs[1].control) return std::nullopt;
  if (op == "Select" || op == "SelectV2") return selected(node);
  const std::optional<Value> a = known(inputs[0]);
  const std::optional<Value> b = known(inputs[1]);
  if (op == "LogicalAnd") return combined(a ? &*a : nullptr, b ? &*b : nullptr, false);
  if (op == "LogicalOr") return combined(a ? &*a : nullptr, b ? &*b : nullptr, true);
  if ((op != "Equal" && op != "NotEqual") || !a || !b) return std::nullopt;
  return compared(*a, *b, op == "Equal");
}

// A value that follows from the seeds, or a constant's.
std::optional<KnownValues::Value> KnownValues::known(const Edge& tensor) const {
  if (tensor.control || tensor.node == kNoNode) return std::nullopt;
  const Value* found = value(tensor);
  return found == nullptr ? constant(tensor.node) : std::optional(*found);
}

// Computes a scalar of known ones.
std::optional<KnownValues::Value> KnownValues::evaluated(uint32_t node) const {
  if (!can_evaluate(nodes_[node].op)) return std::nullopt;
  std::vector<KnownTensor> values;
  for (const Edge& input : edges_.inputs(node)) {
    if (input.control) break;
    const auto value = known(input);
    if (!value || !value->scalar) return std::nullopt;
    auto tensor = known_tensor(value->dtype, {}, value->content);
    if (!tensor) return std::nullopt;
    values.push_back(std::move(*tensor));
  }
  std::vector<const KnownTensor*> inputs;
  for (const KnownTensor& value : values) inputs.push_back(&value);
  const auto made = evaluate(nodes_[node], inputs, Arithmetic::kExact, 1);
  if (!made || !made->dims.empty() || !is_wholly_known(*made)) return std::nullopt;
  return Value{made->dtype, content_of(*made)};
}

// Selects one of two scalars: their shape is that of the result.
std::optional<KnownValues::Value> KnownValues::selected(uint32_t node) const {
  const auto inputs = edges_.inputs(node);
  const auto condition = truth(inputs[0]);
  if (!condition || !value(inputs[0])->scalar || inputs.size() < 3) return std::nullopt;
  std::optional<Value> then = known(inputs[1]);
  std::optional<Value> otherwise = known(inputs[2]);
  if (!then || !otherwise || !then->scalar || !otherwise->scalar) return std::nullopt;
  return *condition ? then : otherwise;
}

// One value of all inputs that may live.
std::optional<KnownValues::Value> KnownValues::merged(uint32_t node) const {
  const Value* all = nullptr;
  for (const Edge& input : edges_.inputs(node)) {
    if (input.control || is_dead(input)) continue;
    const Value* one = value(input);
    if (one == nullptr || (all != nullptr && !(*one == *all))) return std::nullopt;
    all = one;
  }
  return all == nullptr ? std::nullopt : std::optional(*all);
}

// If one operand determines the result, the other may have any shape.
std::optional<KnownValues::Value> KnownValues::combined(const Value* a, const Value* b,
                                                        bool absorbing) const {
  const bool scalar = a != nullptr && b != nullptr && a->scalar && b->scalar;
  const Value wanted = bool_of(absorbing);
  for (const Value* each : {a, b}) {
    if (each != nullptr && each->content == wanted.content) return bool_of(absorbing, scalar);
  }
  if (a == nullptr || b == nullptr) return std::nullopt;
  return bool_of(!absorbing, scalar);
}

// Floats are not equal where their bits are.
std::optional<KnownValues::Value> KnownValues::compared(const Value& a, const Value& b,
                                                        bool equal) const {
  if (a.dtype != b.dtype || is_floating(a.dtype)) return std::nullopt;
  return bool_of((a.content == b.content) == equal, a.scalar && b.scalar);
}

std::optional<KnownValues::Value> KnownValues::constant(uint32_t node) const {
  if (nodes_[node].op != "Const") return std::nullopt;
  const Result<Tensor> tensor =
      read_tensor(tensor_attr(nodes_[node], "value").value_or(""), payloads_);
  if (!tensor || tensor->shape.unknown_rank || !tensor->shape.dims.empty()) return std::nullopt;
  if (tensor->content.size() > kMaxContent) return std::nullopt;
  const Result<std::string> content = tensor->content.read_all();
  if (!content) return std::nullopt;
  return Value{tensor->dtype, *content};
}

void KnownValues::mark_conditional() {
  const auto choosing = nodes_where(nodes_.size(), [&](uint32_t node) {
    const bool chooses = is_switch(nodes_[node].op) || nodes_[node].op == "_SwitchN";
    return chooses && live_port(node) < 0 && !is_dead(node);
  });
  const NodeSet reached = walk_forward(
      edges_, choosing, [&](uint32_t, const Consumer& each) { return !is_dead(each.node); });
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (reached[i]) marks_[i] |= kConditional;
  }
}

}  // namespace cryo
