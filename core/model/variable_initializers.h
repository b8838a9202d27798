#pragma once

#include "model/model.h"

namespace cryo {

// Returns the model without the nodes that only initialize its variables
// (Model::variable_initializers), for a format without collections, which has no use for them. A
// node that another node needs by now is kept.
Model without_variable_initializers(const Model& model);

}  // namespace cryo
