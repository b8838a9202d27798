#pragma once

#include <string>

#include "wire/json/json_tree.h"

namespace cryo {

// Merges the reports of the steps of one command: the first, with the members that later ones add,
// and the diagnostics of all, each once. `reports`: a list.
//
//     [{"verb":"prune","model":"m","diagnostics":[a],"removed":[]},
//      {"verb":"write","model":"m","diagnostics":[a,b],"outputs":[]}]
//     {"verb":"prune","model":"m","diagnostics":[a,b],"removed":[],"outputs":[]}
std::string merged_reports(const JsonValue& reports);

}  // namespace cryo
