#include "graph/edges.h"

#include <bit>
#include <functional>

namespace cryo {
namespace {

uint32_t hash_of(std::string_view name) {
  const uint64_t hash = std::hash<std::string_view>()(name);
  return static_cast<uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

NodeNames::NodeNames(const std::vector<Node>& nodes)
    : nodes_(nodes), slots_(std::bit_ceil(nodes.size() * 2 + 1)) {
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const uint32_t hash = hash_of(nodes[i].name);
    Slot& slot = slots_[slot_of(nodes[i].name, hash)];
    if (slot.node == kNoNode) {
      slot = {i, hash};
    } else {
      duplicates_.push_back(i);
    }
  }
}

// Returns the slot that holds the name, or the empty one for it.
size_t NodeNames::slot_of(std::string_view name, uint32_t hash) const {
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  while (slots_[at].node != kNoNode &&
         (slots_[at].hash != hash || nodes_[slots_[at].node].name != name)) {
    at = (at + 1) & mask;
  }
  return at;
}

uint32_t NodeNames::find(std::string_view name) const {
  return slots_[slot_of(name, hash_of(name))].node;
}

// Most inputs name a node that came shortly before, or was named shortly before: those are looked
// for where memory is near.
Edges::Edges(const std::vector<Node>& nodes, const NodeNames& names) {
  constexpr uint32_t kRecent = 4096;
  std::vector<uint32_t> recent(kRecent, kNoNode);
  const bool unique = names.duplicates().empty();
  starts_.reserve(nodes.size() + 1);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    for (const std::string_view input : nodes[i].inputs()) {
      const TensorName name = parse_tensor_name(input);
      uint32_t& found = recent[hash_of(name.node) % kRecent];
      if (found == kNoNode || nodes[found].name != name.node) found = names.find(name.node);
      edges_.push_back({found, name.port, name.control});
    }
    if (unique) recent[hash_of(nodes[i].name) % kRecent] = i;
    starts_.push_back(edges_.size());
  }
}

Edges::Edges(const std::vector<std::vector<Edge>>& inputs) {
  starts_.reserve(inputs.size() + 1);
  for (const std::vector<Edge>& each : inputs) {
    edges_.insert(edges_.end(), each.begin(), each.end());
    starts_.push_back(edges_.size());
  }
}

const Consumers& Edges::consumers() const {
  if (consumers_ == nullptr) consumers_ = std::make_shared<const Consumers>(*this);
  return *consumers_;
}

Consumers::Consumers(const Edges& edges) : starts_(edges.node_count() + 1, 0) {
  const auto count = static_cast<uint32_t>(edges.node_count());
  for (uint32_t node = 0; node < count; ++node) {
    for (const Edge& edge : edges.inputs(node)) {
      if (edge.node != kNoNode) ++starts_[edge.node + 1];
    }
  }
  for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  all_.resize(starts_.back());
  std::vector<size_t> next(starts_.begin(), starts_.end() - 1);
  for (uint32_t node = 0; node < count; ++node) {
    uint32_t input = 0;
    for (const Edge& edge : edges.inputs(node)) {
      if (edge.node != kNoNode) all_[next[edge.node]++] = {node, input, edge.port, edge.control};
      ++input;
    }
  }
}

}  // namespace cryo
