#pragma once

#include <string>
#include <string_view>

#include "commands/text/look.h"
#include "wire/json/json_tree.h"

namespace cryo {

// Texts are escaped as those of reports (report_text.h).

// Returns a report's diagnostics for standard error, a line or two each. `path`: the model among
// several; empty if it is the only one.
std::string diagnostics_text(const JsonValue& report, const Look& look = {},
                             std::string_view path = {});

// Returns a report's diagnostics as annotations of GitHub Actions, a line each. `path`: the model,
// as the command line names it, for diagnostics that are at no file of their own.
//
//     ::error file=models/a.pb,title=cycle::node a is in a cycle%0Aat node a
std::string annotations_text(const JsonValue& report, const Look& look, std::string_view path);

// "node a, input 1": the place of a diagnostic or of a repair.
std::string place_text(const JsonValue& where);

}  // namespace cryo
