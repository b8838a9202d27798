#pragma once

#include <emscripten/val.h>

#include "commands/node_columns.h"

namespace cryo {

// Columns as typed arrays of their own memory, which JavaScript may keep and transfer, and lists of
// texts.
emscripten::val to_columns(const NodeColumns& columns);

}  // namespace cryo
