#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "model/model.h"
#include "passes/common/selection.h"
#include "passes/prune/cleanup.h"
#include "verbs/graph_result.h"

namespace cryo {

class OpRegistry;

struct PruneOptions {
  Selection selection = {};
  std::vector<std::string> set = {};  // "NAME=VALUE" (passes/set/set_values.h)
  Cleanup cleanup = {};
  bool inference = false;        // ready to serve (passes/inference/inference.h)
  bool like_tensorflow = false;  // as extract_sub_graph does (passes/tf_compat/like_tensorflow.h)
};

// The verb `prune`: keeps what the outputs need, back to the inputs (passes/prune/pruner.h). Values
// are set before (passes/set/set_values.h), cleanups made after (passes/prune/cleanup.h). The
// outputs are chosen and reported as in passes/common/select_outputs.h.
// `ops` may be null: what needs the definitions of ops is then not done.
Result<GraphResult> prune(const Model& model, const PruneOptions& options, const OpRegistry* ops,
                          Diagnostics& diagnostics);

}  // namespace cryo
