#pragma once

#include "graph/edges.h"
#include "model/model.h"

namespace cryo {

// The lists of names that Save ops have, as constants:
//
//     SaveV2(prefix, ["w", "w"], ["", ""], w, v)     one key twice: saving fails
bool has_saver_lists(const Model& model);
void check_saver_lists(const Model& model, const NodeNames& names, Diagnostics& diagnostics);

}  // namespace cryo
