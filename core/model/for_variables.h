#pragma once

#include "model/model.h"

namespace cryo {

// The model without the nodes that only initialize its variables (Model::for_variables), for a
// format without collections, which has no use for them. A node that another one has come to need
// stays.
Model without_nodes_for_variables(const Model& model);

}  // namespace cryo
