#pragma once

#include "model/model.h"

namespace cryo {

// The tags of a SavedModel's MetaGraphDefs: loading asks for a set of them, and gets the first that
// has it, so another of the same set is never loaded.
void check_tags(const Model& model, Diagnostics& diagnostics);

}  // namespace cryo
