#pragma once

#include "base/pattern/globs.h"

namespace cryo {

// The constants that are taken for weights.
struct WeightSelection {
  Globs constants = {};  // these, instead of those that detection finds; "auto": those too
  Globs exclude = {};    // but for these
};

}  // namespace cryo
