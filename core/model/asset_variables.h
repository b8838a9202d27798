#pragma once

#include "model/model.h"

namespace cryo {

// Loaders tell a SavedModel where its assets are while they run its init op, and never again. Ops
// that read an asset in every run get its path from a variable that the init op sets:
//
//     before   path: Const --> ReadFile
//     after    path: Const --> path/variable/Assign <-- init: NoOp
//              path/variable: VarHandleOp --> path/variable/Read --> ReadFile
//
// The model itself where only tables read assets: the init op fills them.
Model with_asset_variables(const Model& model);

}  // namespace cryo
