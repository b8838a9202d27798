#pragma once

#include <string_view>

#include "base/diagnostic.h"

namespace cryo {

// Reports a warning or an error with the code's own advice (base/codes/codes.h).
void warn_by_code(std::string_view code, const LocationRef& at, std::string_view message,
                  Diagnostics& diagnostics);
void error_by_code(std::string_view code, const LocationRef& at, std::string_view message,
                   Diagnostics& diagnostics);

}  // namespace cryo
