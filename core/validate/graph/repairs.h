#pragma once

#include <string_view>
#include <vector>

namespace cryo {

// A finding that can be repaired without a guess, by its code (validate/repair.h applies it). Views
// into the graph's own bytes: the address of `node` identifies the node, for two may have one name.
struct Repair {
  std::string_view code;
  std::string_view function;  // empty: the main graph
  std::string_view node;
  int input;
  std::string_view attr;
};
using Repairs = std::vector<Repair>;

}  // namespace cryo
