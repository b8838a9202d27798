#pragma once

#include <string_view>

#include "model/model.h"

namespace cryo {

class OpRegistry;

// Fails if TensorFlow would import the graph before a verb, or a stage of one, and not the graph
// after it: a bug. The error has the name of the verb, and the fault. `ops` may be null.
Status check_made(std::string_view verb, const Model& model, const Model& made,
                  const OpRegistry* ops);

}  // namespace cryo
