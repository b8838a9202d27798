#pragma once

#include "model/model.h"

namespace cryo {

// The model without the nodes that only initialize its variables (Model::variable_initializers), for a
// format without collections, which has no use for them. A node that another one has come to need
// stays.
Model without_variable_initializers(const Model& model);

}  // namespace cryo
