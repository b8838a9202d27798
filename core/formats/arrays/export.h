#pragma once

#include <string_view>
#include <vector>

#include "checkpoint/checkpoint.h"

namespace cryo {

// Which of these tensors a format takes that knows names as text and only some types: those that
// it `takes`. The others are told in one warning, "weights-left-out". Names are UTF-8
// without zero bytes.
//
// Fails with an entry's fault, and with "bad-content" where a content is not of the size that dtype
// and shape ask for.
Result<std::vector<const CheckpointEntry*>> to_export(const std::vector<CheckpointEntry>& entries,
                                                      std::string_view format,
                                                      bool (*takes)(const CheckpointEntry&),
                                                      Diagnostics& diagnostics);

// Tells in one warning, "raw-numbers", that these are written as plain integers of the same bits,
// for the format has no name for their types.
void tell_raw(const std::vector<const CheckpointEntry*>& raw, std::string_view format,
              Diagnostics& diagnostics);

}  // namespace cryo
