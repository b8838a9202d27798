#include "commands/transfer_fates.h"

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
  report["initial"] = Json::array();
  for (const InitialValue& each : log.initial) {
    report["initial"].push_back({{"name", each.name},
                                 {"dtype", dtype_name(each.dtype)},
                                 {"shape", to_json(each.shape)},
                                 {"from", each.from}});
  }
  report["unused"] = log.unused;
}

}  // namespace cryo
