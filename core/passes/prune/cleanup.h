#pragma once

#include "base/diagnostic.h"
#include "model/model.h"

namespace cryo {

class OpRegistry;

// Optional cleanups of prune and freeze. None changes the values of outputs. Outputs, nodes without
// consumers and nodes that the MetaGraphDef names are kept. In functions' bodies nodes without
// consumers run too; there they are removed if they are checks.

// No node, in functions neither, asks for a device any more.
Model without_devices(const Model& model);

// Assert, Print, PrintV2, CheckNumerics and CheckNumericsV2 of the main graph are removed;
// consumers of their output take their input:
//
//     before  x --> CheckNumerics --> Relu        after  x --> Relu
//             Assert(p) --(control)---^
//
// Prune afterwards: nodes that only they needed are not needed any more.
Model without_checks(const Model& model, const std::vector<std::string>& outputs);

// Removes Identities of the main graph if that is safe: not if they have control inputs or read a
// reference, nor after a Switch, where they show which branch is alive.
Model without_identities(const Model& model, const std::vector<std::string>& outputs);

// Removes attributes that have the op's default, in functions too, as TensorFlow's own
// strip_default_attrs does: an older TensorFlow that does not know them yet can then read the
// graph.
Model without_defaults(const Model& model, const OpRegistry& ops);

// The cleanups that are requested.
struct Cleanup {
  bool drop_checks = false;
  bool splice_identities = false;
  bool clear_devices = false;
  bool strip_defaults = false;
};

// Makes the requested cleanups, in functions' bodies too if `ops`, which may be null, has their
// ops. REQUIRES: the model is pruned to the outputs.
Result<Model> clean(const Model& model, const Cleanup& cleanup,
                    const std::vector<std::string>& outputs, const OpRegistry* ops,
                    Diagnostics& diagnostics);

}  // namespace cryo
