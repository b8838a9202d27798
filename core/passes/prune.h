#pragma once

#include "passes/common/selection.h"
#include "passes/pass_log.h"
#include "passes/prune/cleanup.h"

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
// outputs are chosen as in passes/common/select_outputs.h, on which the log reports.
// `ops` may be null: what needs the definitions of ops is then not done.
Result<Model> prune(const Model& model, const PruneOptions& options, const OpRegistry* ops,
                    PassLog& log);

}  // namespace cryo
