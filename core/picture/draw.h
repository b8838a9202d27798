#pragma once

#include <string>
#include <unordered_map>

#include "base/result.h"
#include "graph/graph.h"
#include "picture/groups/opening.h"
#include "picture/picture.h"
#include "picture/write/colors.h"

namespace cryo {

struct DrawOptions {
  ViewChoice opening = {};
  bool raw = false;           // folds nothing
  std::string function = {};  // whose body is drawn; empty: the main graph
  ColorBy color = ColorBy::kOp;
  ViewEnds ends = {};  // tensors that are fed and fetched
  Pane pane = {};      // that the first view fits
  // Marks of nodes, by name: "added", "removed", "changed"; nodes that are not listed are "same".
  // They replace `color`. Empty: `color` applies.
  std::unordered_map<std::string, std::string> marks = {};
};

// A graph as boxes and edges: its roles and scopes, what is folded, what repeats, which groups are
// open, their rows, then places from the innermost group outwards. The first view opens as many
// groups, by benefit, as its pane holds. Time is O((V + E) log V). Fails with "not-in-graph" when
// there is no such function.
Result<Picture> draw(const Graph& graph, const DrawOptions& options);

}  // namespace cryo
