#pragma once

#include "model/model.h"

namespace cryo {

// Loaders feed the paths of a SavedModel's assets; those of TensorFlow 2 only to what their objects
// need, so that a placeholder of a path fails every signature of a model without objects. Returns
// the model with constants in place of these placeholders, which every loader replaces:
//
//     before   asset_path: Placeholder          after   asset_path: Const "assets/vocab.txt"
Model with_asset_paths(const Model& model);

// Moves paths of assets to variables. Loaders feed a SavedModel the paths of its assets only while
// they run its init op. Ops that read an asset in every run get its path from a variable that the
// init op sets:
//
//     before   path: Const --> ReadFile
//     after    path: Const --> path/variable/Assign <-- init: NoOp
//              path/variable: VarHandleOp --> path/variable/Read --> ReadFile
//
// Returns the same model if only tables read assets: the init op fills them.
Model with_asset_variables(const Model& model);

}  // namespace cryo
