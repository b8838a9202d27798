#pragma once

#include <string_view>

#include "base/result.h"
#include "wire/payloads.h"

namespace cryo {

// Returns true if two attributes of two models, elided AttrValues, have one value: tensors by type,
// shape and elements, however they are encoded; others by canonical message (wire/canonical.h).
// Reads bulk if necessary, in bounded steps. Fails as reading does.
Result<bool> same_attr(std::string_view a, const Payloads& payloads_a, std::string_view b,
                       const Payloads& payloads_b);

// The same of other messages: as their canonical forms.
Result<bool> same_message(std::string_view schema, std::string_view a, const Payloads& payloads_a,
                          std::string_view b, const Payloads& payloads_b);

}  // namespace cryo
