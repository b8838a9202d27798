#pragma once

#include <string_view>

#include "model/model.h"

namespace cryo {

class OpRegistry;

// Fails if TensorFlow would import the graph before a verb, or a stage of one, and not the graph
// after it ("broken-graph"): with the fault, and the name of the verb. `ops` may be null: then what
// needs the definitions of ops is not checked.
Status check_made(std::string_view verb, const Model& model, const Model& made,
                  const OpRegistry* ops);

}  // namespace cryo
