#pragma once

#include <string_view>

#include "base/result.h"
#include "wire/payloads.h"

namespace cryo {

// Whether two elided messages hold the bytes that they show: no handle of bulk is in them.
bool has_bulk(std::string_view message);

// Whether two attributes of two models, elided AttrValues, have one value: tensors by type, shape
// and elements, however they are encoded; all else as its canonical message (wire/canonical.h).
// Reads bulk where it comes to that, in bounded steps. Fails as reading does.
Result<bool> same_attr(std::string_view a, const Payloads& payloads_a, std::string_view b,
                       const Payloads& payloads_b);

// The same of other messages: as their canonical forms.
Result<bool> same_message(std::string_view schema, std::string_view a, const Payloads& payloads_a,
                          std::string_view b, const Payloads& payloads_b);

}  // namespace cryo
