#pragma once

#include <string_view>
#include <vector>

#include "checkpoint/checkpoint.h"

namespace cryo {

// Returns the tensors that a format accepts: their names are UTF-8 without zero bytes, and `takes`
// is true for them. One warning, "weights-left-out", reports the others.
//
// Fails with an entry's fault, and with "bad-content" if the size of a content does not match its
// dtype and shape.
Result<std::vector<const CheckpointEntry*>> to_export(const std::vector<CheckpointEntry>& entries,
                                                      std::string_view format,
                                                      bool (*takes)(const CheckpointEntry&),
                                                      Diagnostics& diagnostics);

// Reports in one warning, "raw-numbers", that these are written as plain integers with the same
// bits, because the format has no name for their types.
void warn_of_raw(const std::vector<const CheckpointEntry*>& raw, std::string_view format,
                 Diagnostics& diagnostics);

}  // namespace cryo
