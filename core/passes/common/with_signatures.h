#pragma once

#include "passes/pass.h"

namespace cryo {

// The model with these of its signatures alone, besides those that are reserved for loading and
// training:
//
//     signatures a, b, __saved_model_init_op     keys a     becomes  a, __saved_model_init_op
//
// The model as it is for no keys. Fails with "no-signature" for a key that it does not have.
Result<Model> with_signatures(const Model& model, const std::vector<std::string>& keys);

}  // namespace cryo
