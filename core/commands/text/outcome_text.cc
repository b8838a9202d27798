#include "commands/text/outcome_text.h"

#include "base/text.h"
#include "commands/text/report_text.h"

namespace cryo {
namespace {

// Writes an array of `count` values, each made when it is its turn.
template <typename Row>
bool write_rows(size_t count, Row row, const Put& put) {
  bool fine = put("[");
  for (size_t i = 0; fine && i < count; ++i) fine = put(i == 0 ? "" : ",") && put(row(i));
  return fine && put("]");
}

bool write_value(const Json& value, const Put& put) {
  if (!value.is_array()) return put(to_string(value));
  return write_rows(
      value.size(), [&](size_t i) { return to_string(value[i]); }, put);
}

}  // namespace

bool write_json(const Outcome& outcome, const Put& put) {
  bool fine = put("{");
  const char* separator = "";
  for (const auto& [key, value] : outcome.report.items()) {
    fine = fine && put(cat(separator, to_string(Json(key)), ":")) && write_value(value, put);
    separator = ",";
  }
  if (fine && outcome.nodes) {
    fine = put(cat(separator, "\"nodes\":")) &&
           write_rows(
               outcome.nodes->size(), [&](size_t i) { return outcome.nodes->json(i); }, put);
  }
  return fine && put("}");
}

bool write_text(const Outcome& outcome, const Look& look, const Put& put) {
  if (!outcome.nodes) return put(report_text(outcome.report, look));
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

}  // namespace cryo
