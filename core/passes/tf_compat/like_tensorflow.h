#pragma once

#include "passes/pass.h"

namespace cryo {

// The results of TensorFlow's own tools, node for node and byte for byte: proof that we know what
// they do, and for who compares. Our own passes do better.
//
// The result is a plain graph: signatures, collections, assets and the checkpoint are not in it.
// Fails with "tensorflow-fails" where the tool cannot make anything of the graph. Where it only
// cannot import or restore the model, or run it (an op that it does not have, a scalar string), we
// go on.

// What extract_sub_graph returns: as prune, but colocation is followed, nothing is changed, and the
// whole library stays.
Result<Model> prune_like_tensorflow(const Model& model, const PassOptions& options, PassLog& log);

// What freeze_graph writes: the graph is imported (default attributes are put in, devices taken
// out), extracted as above, and its variables made constants (session_freeze.h). Fails with
// "ops-not-loaded" without the definitions of ops.
Result<Model> freeze_like_tensorflow(const Model& model, const PassOptions& options, PassLog& log);

}  // namespace cryo
