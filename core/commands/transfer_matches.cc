#include "commands/transfer_matches.h"

namespace cryo {

void add_matches(const Matches& matches, Json& report) {
  // In the order of VariableMatch::Kind.
  const char* const kinds[] = {"matched", "excluded", "mismatched", "unmatched"};
  for (const char* kind : kinds) report[kind] = Json::array();
  for (const VariableMatch& match : matches.variables) {
    Json item = {
        {"name", match.name}, {"dtype", dtype_name(match.dtype)}, {"shape", to_json(match.shape)}};
    if (!match.from.empty()) item["from"] = match.from;
    item["why"] = match.why;
    if (match.kind == VariableMatch::kMatched) item["bytes"] = to_json(match.bytes);
    report[kinds[match.kind]].push_back(std::move(item));
  }
  report["initial"] = Json::array();
  for (const InitialValue& each : matches.initial) {
    report["initial"].push_back({{"name", each.name},
                                 {"dtype", dtype_name(each.dtype)},
                                 {"shape", to_json(each.shape)},
                                 {"from", each.from}});
  }
  report["unused"] = matches.unused;
}

}  // namespace cryo
