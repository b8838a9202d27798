#pragma once

#include "model/model.h"

namespace cryo {

// Returns the model with only these of its signatures, among its objects too, and those that are
// reserved for loading and training:
//
//     signatures a, b, __saved_model_init_op     keys a     becomes  a, __saved_model_init_op
//
// Returns the same model for no keys. Fails with "no-signature" for a key that it does not have.
Result<Model> with_signatures(const Model& model, const std::vector<std::string>& keys);

}  // namespace cryo
