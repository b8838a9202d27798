#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "graph/edges.h"

namespace cryo {

// Names for new nodes, none of which is taken: the wanted one, else with _1, _2, ... behind it, as
// TensorFlow makes names unique. REQUIRES: `taken` outlives it.
class FreshNames {
 public:
  explicit FreshNames(const NodeNames& taken) : taken_(taken) {}
  std::string take(const std::string& wanted);

 private:
  bool is_taken(const std::string& name) const {
    return taken_.find(name) != kNoNode || given_.contains(name);
  }

  const NodeNames& taken_;
  std::unordered_set<std::string> given_;
  std::unordered_map<std::string, int> next_;  // by wanted name: the number to try
};

// "w_12" -> "w": the name before it was made unique.
std::string_view without_number(std::string_view name);

}  // namespace cryo
