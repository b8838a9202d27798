#pragma once

#include <string_view>
#include <vector>

namespace cryo {

// What a check found wrong with a node and how it can be mended without a guess, by the finding's
// code (validate/repair.h does it). Views into the graph's own bytes: `node` names its node by
// where it lies too, for two may have one name.
struct Repair {
  std::string_view code;
  std::string_view function;  // empty: the main graph
  std::string_view node;
  int input;
  std::string_view attr;
};
using Repairs = std::vector<Repair>;

}  // namespace cryo
