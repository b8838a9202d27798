#pragma once

#include <vector>

#include "graph/edges.h"
#include "model/model.h"

namespace cryo {

// The initializers of a model: nodes that fill tables, and the ops that its meta names for loading.
//
//     hash_table <-- InitializeTableV2 <-- init_all_tables: NoOp --> InitializeTableV2 --> other
//
// A step is an op that does something to a table or a variable, here InitializeTableV2; a group is
// a NoOp that only waits for steps. REQUIRES: the arguments outlive it.
class LoadTime {
 public:
  LoadTime(const Model& model, const NodeNames& names, const Edges& edges);

  // The steps that are not kept, though a table or variable is that they give its content.
  std::vector<uint32_t> missing(const std::vector<bool>& kept) const;

  // The groups that are not kept, though something is that they wait for.
  std::vector<uint32_t> groups(const std::vector<bool>& kept) const;

 private:
  void add(uint32_t root);
  bool is_group(uint32_t node) const;
  bool waits_for_any(uint32_t group, const std::vector<bool>& kept) const;
  bool serves(uint32_t step, const std::vector<bool>& kept) const;
  uint32_t source(const Edge& edge) const;

  const std::vector<Node>& nodes_;
  const Edges& edges_;
  std::vector<bool> seen_;
  std::vector<uint32_t> steps_;
  std::vector<uint32_t> groups_;
};

}  // namespace cryo
