#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/pattern/globs.h"
#include "model/model.h"
#include "passes/common/selection.h"

namespace cryo {

class OpRegistry;

// Selects the variables that are frozen. The others stay variables, which can be initialized,
// restored and saved as before:
//
//     before  w: VariableV2 --> w/read      init: NoOp(^w/Assign, ^b/Assign)
//             b: VariableV2 --> b/read      collection `variables`: w, b      checkpoint: w, b
//     after   w: Const -------> w/read      init: NoOp(^b/Assign)
//             b: VariableV2 --> b/read      collection `variables`: b         checkpoint: b
//
// The Saver is rebuilt when the result is written (formats/tensorflow/meta_graph.h), and the
// checkpoint with the values that are still used.

struct VariableSelection {
  Globs variables = {};       // these are frozen; empty: all
  Globs keep_variables = {};  // but for these

  // Returns the selection that freezes none.
  static VariableSelection none();

  // Returns true if some variables are to be kept.
  bool is_partial() const { return !variables.empty() || !keep_variables.empty(); }
  // Returns true if the variable of this name stays a variable.
  bool keeps(std::string_view name) const;
};

// Returns the selection with globs for the nodes of weights that are not called as their nodes are
// (model/saved_variables.h), where it names such a weight.
Result<VariableSelection> with_variables_by_node(const Model& model,
                                                 const VariableSelection& selection);

// Fails with "glob-unused" for a glob that names no variable of the model.
Status check_variable_globs(const Model& model, const VariableSelection& selection);

// Extra nodes (initializers, initial values, reads) that the remaining variables need in order to
// be restored, as named by the collections of variables.
struct KeptLoadable {
  Model model;  // the init op now initializes only the remaining variables
  std::vector<std::string> nodes = {};
};
Result<KeptLoadable> keep_loadable(const Model& model, const Ends& ends,
                                   const VariableSelection& selection, const OpRegistry* ops);

// Removes frozen variables from the collections of variables, and the saver, which names them all.
void drop_frozen_variables(Model& model);

}  // namespace cryo
