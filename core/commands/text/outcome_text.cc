#include "commands/text/outcome_text.h"

#include <cassert>
#include <utility>

#include "commands/text/report_text.h"

namespace cryo {

bool write_json(const Outcome& outcome, const Put& put) {
  JsonWriter head;
  add_head(head, outcome.report);
  const std::string& members = outcome.report.members.text();
  bool fine = put("{") && put(head.text());
  if (!members.empty()) fine = fine && put(",") && put(members);
  if (!outcome.nodes) return fine && put("}");
  fine = fine && put(",\"nodes\":[");
  for (size_t row = 0; fine && row < outcome.nodes->size(); ++row) {
    fine = put(row == 0 ? "" : ",") && put(outcome.nodes->json(row));
  }
  return fine && put("]}");
}

bool write_text(const Outcome& outcome, const JsonValue& report, const Look& look, const Put& put) {
  if (!outcome.nodes) return put(report_text(report, look));
  const NodeRows& rows = *outcome.nodes;
  return write_table(
      rows.size(), [&](size_t row) { return rows.cells(row); }, look, put);
}

std::string to_string(const Outcome& outcome) {
  std::string text;
  write_json(outcome, [&](std::string_view piece) {
    text += piece;
    return true;
  });
  return text;
}

JsonTree report_tree(const Report& report) {
  Result<JsonTree> tree = JsonTree::parse(json_of(report), "");
  assert(tree.ok());
  return std::move(*tree);
}

}  // namespace cryo
