#pragma once

#include <functional>
#include <map>
#include <string>

#include "model/model.h"

namespace cryo {

// New names of nodes, by the old.
using NewNames = std::map<std::string, std::string, std::less<>>;

// Gives nodes of the main graph other names, and changes what names them: inputs, control inputs,
// colocations, `shared_name` of a variable that has its node's name; signatures, collections, the
// saver, assets, initializers. Tensors of the checkpoint keep their keys: the variables read the
// same ones as before.
Model with_renamed_nodes(const Model& model, const NewNames& names);

}  // namespace cryo
