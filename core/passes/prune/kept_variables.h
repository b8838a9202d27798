#pragma once

#include <map>
#include <string>
#include <vector>

#include "passes/pass.h"

namespace cryo {

// Freezing some variables and leaving others variables (`options.variables`,
// `options.keep_variables`), which can be initialised, restored and saved as before:
//
//     before  w: VariableV2 --> w/read      init: NoOp(^w/Assign, ^b/Assign)
//             b: VariableV2 --> b/read      collection `variables`: w, b      checkpoint: w, b
//     after   w: Const -------> w/read      init: NoOp(^b/Assign)
//             b: VariableV2 --> b/read      collection `variables`: b         checkpoint: b
//
// The Saver is made anew where the result is written (formats/tensorflow/meta_graph.h), and the
// checkpoint with the values that are still taken.

// Whether it is asked that some stay.
bool is_partial(const PassOptions& options);

// Returns the options with globs for the nodes of weights that are not called as their nodes are
// (model/saved_variables.h), where they name such a weight.
Result<PassOptions> with_variables_by_node(const Model& model, const PassOptions& options);

// Of a variable's name: matches no glob of `variables` where there are any, or one of
// `keep_variables`.
bool stays_variable(const PassOptions& options, std::string_view name);

// Fails with "glob-unused" for a glob that names no variable of the model.
Status check_variable_globs(const Model& model, const PassOptions& options);

// What the collections of variables need of those that stay and that the outputs need: the nodes to
// keep besides (initialisers, initial values, reads, and what initialises all).
struct KeptLoadable {
  Model model;  // what initialises all does so for those that stay
  std::vector<std::string> nodes = {};
};
Result<KeptLoadable> keep_loadable(const Model& model, const PassOptions& options);

// Leaves out of the collections of variables what is no variable any more, and the saver, which
// names them all.
void drop_frozen_variables(Model& model);

}  // namespace cryo
