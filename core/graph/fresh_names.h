#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "graph/edges.h"

namespace cryo {

// Makes names that are not taken: the wanted one, else with _1, _2, ... appended, as TensorFlow
// makes names unique. Time is linear in the names, however many are wanted twice.
class FreshNames {
 public:
  FreshNames() = default;

  // The names of a graph's nodes are taken. REQUIRES: `taken` outlives it.
  explicit FreshNames(const NodeNames& taken) : taken_(&taken) {}

  void set_taken(std::string name) { given_.insert(std::move(name)); }
  std::string take(const std::string& wanted);

 private:
  bool is_taken(const std::string& name) const {
    return given_.contains(name) || (taken_ != nullptr && taken_->find(name) != kNoNode);
  }

  const NodeNames* taken_ = nullptr;
  std::unordered_set<std::string> given_;
  std::unordered_map<std::string, int> next_;  // by requested name: the next number to try
};

// Returns a name that a node may have: "dense 1:0" -> "dense_1_0".
std::string legal_node_name(std::string_view wanted);

// "w_12" -> "w": the name before it was made unique.
std::string_view without_number(std::string_view name);

}  // namespace cryo
