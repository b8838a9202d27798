#include "picture/groups/folding.h"

#include <algorithm>

#include "graph/roles.h"
#include "graph/tensor_info.h"

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

}  // namespace

// Finds the hosts from the last reads of weights back to the weights.
class Folder {
 public:
  Folder(const Scene& scene, const std::vector<NodeRole>& roles, Folding& folding)
      : scene_(scene), roles_(roles), hosts_(folding.hosts_), chained_(scene.size(), false) {}

  void run() {
    for (uint32_t i = 0; i < scene_.size(); ++i) {
      if (is_source(i)) chain(i);
    }
    size_t done = 0;  // chain() appends
    while (done < order_.size()) {
      for (const Consumer& consumer : scene_.consumers().of(order_[done++])) {
        const bool reads = !consumer.control && consumer.input == 0;
        if (reads && is_read(scene_.node(consumer.node).op)) chain(consumer.node);
      }
    }
    for (size_t at = order_.size(); at-- > 0;) fold(order_[at]);
    for (uint32_t i = 0; i < scene_.size(); ++i) {
      if (scene_.node(i).op == "NoOp") fold_no_op(i);
    }
  }

 private:
  // A constant, a variable, or an argument that is read as one.
  bool is_source(uint32_t node) const {
    const std::string_view op = scene_.node(node).op;
    if (op != "_Arg") return op == "Const" || is_variable(op);
    const auto type = type_attr(scene_.node(node), "T");
    if (type) return *type == static_cast<int>(DType::kResource);
    const auto consumers = scene_.consumers().of(node);
    return !consumers.empty() &&
           std::all_of(consumers.begin(), consumers.end(), [&](const Consumer& consumer) {
             return scene_.node(consumer.node).op == "ReadVariableOp";
           });
  }

  void chain(uint32_t node) {
    if (chained_[node]) return;
    chained_[node] = true;
    order_.push_back(node);
  }

  // A weight of the inference subgraph is drawn there, whatever else trains or saves it.
  bool counts(uint32_t node, const Consumer& consumer) const {
    return !consumer.control && roles_[consumer.node] == roles_[node];
  }

  // Folds a NoOp into the first node of its role that waits for it and is not a NoOp.
  void fold_no_op(uint32_t node) {
    for (const Consumer& consumer : scene_.consumers().of(node)) {
      const bool counts = scene_.node(consumer.node).op != "NoOp" &&
                          roles_[consumer.node] == roles_[node] && consumer.node != node;
      if (!counts) continue;
      hosts_[node] = hosts_[consumer.node] == kNoNode ? consumer.node : hosts_[consumer.node];
      return;
    }
  }

  void fold(uint32_t node) {
    uint32_t host = kNoNode;
    for (const Consumer& consumer : scene_.consumers().of(node)) {
      if (!counts(node, consumer)) continue;
      const uint32_t by = hosts_[consumer.node] == kNoNode ? consumer.node : hosts_[consumer.node];
      if (by == node) return;
      if (host != kNoNode && host != by && !has_few_elements(scene_.node(node))) return;
      host = host == kNoNode ? by : std::min(host, by);
    }
    hosts_[node] = host;
  }

  const Scene& scene_;
  const std::vector<NodeRole>& roles_;
  std::vector<uint32_t>& hosts_;
  std::vector<bool> chained_;
  std::vector<uint32_t> order_;
};

Folding::Folding(const Scene& scene, const std::vector<NodeRole>& roles) : Folding(scene.size()) {
  Folder(scene, roles, *this).run();
}

}  // namespace cryo
