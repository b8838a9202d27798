#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "commands/text/diagnostics_text.h"
#include "commands/text/outcome_text.h"
#include "commands/text/report_text.h"
#include "commands/verbs.h"

namespace cryo {

// Reports as a library reads them, for tests that look into them.
using Json = nlohmann::ordered_json;

inline std::string to_string(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

inline Json report_of(const Report& report) { return Json::parse(json_of(report)); }
inline Json report_of(const Outcome& outcome) { return Json::parse(to_string(outcome)); }

inline std::string report_text(const Json& report, const Look& look = {}) {
  const auto tree = JsonTree::parse(to_string(report), "");
  return report_text(tree->root(), look);
}

inline std::string diagnostics_text(const Json& report, const Look& look = {},
                                    std::string_view path = {}) {
  const auto tree = JsonTree::parse(to_string(report), "");
  return diagnostics_text(tree->root(), look, path);
}

inline std::string annotations_text(const Json& report, const Look& look, std::string_view path) {
  const auto tree = JsonTree::parse(to_string(report), "");
  return annotations_text(tree->root(), look, path);
}

}  // namespace cryo
