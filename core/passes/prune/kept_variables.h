#pragma once

#include <map>
#include <string>
#include <vector>

#include "passes/pass.h"

namespace cryo {

// Freezes some variables and keeps others as variables (`options.variables`,
// `options.keep_variables`), which can be initialized, restored and saved as before:
//
//     before  w: VariableV2 --> w/read      init: NoOp(^w/Assign, ^b/Assign)
//             b: VariableV2 --> b/read      collection `variables`: w, b      checkpoint: w, b
//     after   w: Const -------> w/read      init: NoOp(^b/Assign)
//             b: VariableV2 --> b/read      collection `variables`: b         checkpoint: b
//
// The Saver is rebuilt when the result is written (formats/tensorflow/meta_graph.h), and the
// checkpoint with the values that are still used.

// Returns true if some variables are to be kept.
bool is_partial(const PassOptions& options);

// Returns the options with globs for the nodes of weights that are not called as their nodes are
// (model/saved_variables.h), where they name such a weight.
Result<PassOptions> with_variables_by_node(const Model& model, const PassOptions& options);

// Returns true if freezing keeps the variable of this name: a glob of `keep_variables` matches it,
// or `variables` has globs and none matches.
bool stays_variable(const PassOptions& options, std::string_view name);

// Fails with "glob-unused" for a glob that names no variable of the model.
Status check_variable_globs(const Model& model, const PassOptions& options);

// Extra nodes (initializers, initial values, reads) that the remaining variables need in order to
// be restored, as named by the collections of variables.
struct KeptLoadable {
  Model model;  // the init op now initializes only the remaining variables
  std::vector<std::string> nodes = {};
};
Result<KeptLoadable> keep_loadable(const Model& model, const PassOptions& options);

// Removes frozen variables from the collections of variables, and the saver, which names them all.
void drop_frozen_variables(Model& model);

}  // namespace cryo
