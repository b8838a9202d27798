#include "picture/groups/folding.h"

#include <algorithm>

#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "graph/walk.h"

namespace cryo {
namespace {

// A constant with at most so many elements is an axis, a shape, a rate.
constexpr uint64_t kFewElements = 8;

bool is_read(std::string_view op) {
  return op == "Identity" || op == "ReadVariableOp" || op == "Enter" || op == "RefEnter" ||
         op == "Cast" || op == "Dequantize";
}

bool has_few_elements(const Node& node) {
  const auto count = element_count(output_shape(node, 0));
  return node.op == "Const" && count.ok() && *count <= kFewElements;
}

// A constant, a variable, or an argument that is read as one.
bool is_weight_source(const Scene& scene, uint32_t node) {
  const std::string_view op = scene.node(node).op;
  if (op != "_Arg") return op == "Const" || is_variable(op);
  const auto type = type_attr(scene.node(node), "T");
  if (type) return *type == static_cast<int>(DType::kResource);
  const auto consumers = scene.consumers().of(node);
  return !consumers.empty() &&
         std::all_of(consumers.begin(), consumers.end(), [&](const Consumer& consumer) {
           return scene.node(consumer.node).op == "ReadVariableOp";
         });
}

void add_to_chain(uint32_t node, NodeSet& chained, std::vector<uint32_t>& order) {
  if (chained[node]) return;
  chained[node] = true;
  order.push_back(node);
}

// Folds a NoOp into the first node of its role that waits for it and is not a NoOp.
void fold_no_op(const Scene& scene, const std::vector<NodeRole>& roles, uint32_t node,
                std::vector<uint32_t>& hosts) {
  for (const Consumer& consumer : scene.consumers().of(node)) {
    const bool counts = scene.node(consumer.node).op != "NoOp" &&
                        roles[consumer.node] == roles[node] && consumer.node != node;
    if (!counts) continue;
    hosts[node] = hosts[consumer.node] == kNoNode ? consumer.node : hosts[consumer.node];
    return;
  }
}

// A weight of the inference subgraph is drawn there, whatever else trains or saves it.
bool is_of_same_role(const std::vector<NodeRole>& roles, uint32_t node, const Consumer& consumer) {
  return !consumer.control && roles[consumer.node] == roles[node];
}

void fold_node(const Scene& scene, const std::vector<NodeRole>& roles, uint32_t node,
               std::vector<uint32_t>& hosts) {
  uint32_t host = kNoNode;
  for (const Consumer& consumer : scene.consumers().of(node)) {
    if (!is_of_same_role(roles, node, consumer)) continue;
    const uint32_t by = hosts[consumer.node] == kNoNode ? consumer.node : hosts[consumer.node];
    if (by == node) return;
    if (host != kNoNode && host != by && !has_few_elements(scene.node(node))) return;
    host = host == kNoNode ? by : std::min(host, by);
  }
  hosts[node] = host;
}

// Finds the hosts from the last reads of weights back to the weights.
std::vector<uint32_t> hosts_of(const Scene& scene, const std::vector<NodeRole>& roles) {
  NodeSet chained(scene.size());
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < scene.size(); ++i) {
    if (is_weight_source(scene, i)) add_to_chain(i, chained, order);
  }
  size_t done = 0;  // add_to_chain() appends
  while (done < order.size()) {
    for (const Consumer& consumer : scene.consumers().of(order[done++])) {
      const bool reads = !consumer.control && consumer.input == 0;
      if (reads && is_read(scene.node(consumer.node).op)) {
        add_to_chain(consumer.node, chained, order);
      }
    }
  }
  std::vector<uint32_t> hosts(scene.size(), kNoNode);
  for (size_t at = order.size(); at-- > 0;) fold_node(scene, roles, order[at], hosts);
  for (uint32_t i = 0; i < scene.size(); ++i) {
    if (scene.node(i).op == "NoOp") fold_no_op(scene, roles, i, hosts);
  }
  return hosts;
}

}  // namespace

Folding::Folding(const Scene& scene, const std::vector<NodeRole>& roles)
    : hosts_(hosts_of(scene, roles)) {}

}  // namespace cryo
