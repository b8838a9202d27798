#pragma once

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/graph_change.h"

namespace cryo {

class OpRegistry;

// Joins a second model to a graph:
//
//     image -> net -> probs                            connect "pre/out=image"
//     bytes -> decode -> out        scope "pre"
//
//     pre/bytes -> pre/decode -> pre/out -> image: Identity -> net -> probs
//
// A placeholder that is connected becomes an Identity of its name, so that its consumers stay as
// they are; other nodes of the first stay byte for byte. Nodes, shared names and checkpoint keys of
// the second are put under the scope (scoped_model.h), functions are joined (joined_functions.h),
// and what surrounds the graphs (joined_meta.h). Variables of both keep their values.
//
// The producer version is the older one, which accepts more; the consumers those of both.
//
// Fails as read_connections() does; with "name-taken" for names that both models have; with
// "not-frozen" for assets and saved tables of a second model.
// `second` is null where options of a second model came without one: that fails.
Result<Model> join(const Model& model, const Model* second, const std::vector<std::string>& connect,
                   const std::string& scope, const OpRegistry* ops, GraphChanges& changes,
                   Diagnostics& diagnostics);

}  // namespace cryo
