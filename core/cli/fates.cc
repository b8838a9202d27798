#include "cli/fates.h"

namespace cryo {

void add_fates(const PassLog& log, Json& report) {
  // In the order of Fate::Kind.
  const char* const kinds[] = {"matched", "excluded", "mismatched", "unmatched"};
  for (const char* kind : kinds) report[kind] = Json::array();
  for (const Fate& fate : log.fates) {
    Json item = {
        {"name", fate.name}, {"dtype", dtype_name(fate.dtype)}, {"shape", to_json(fate.shape)}};
    if (!fate.from.empty()) item["from"] = fate.from;
    item["why"] = fate.why;
    if (fate.kind == Fate::kMatched) item["bytes"] = to_json(fate.bytes);
    report[kinds[fate.kind]].push_back(std::move(item));
  }
  report["unused"] = log.unused;
}

}  // namespace cryo
