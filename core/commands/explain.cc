#include "commands/explain.h"

#include "base/codes/codes.h"
#include "base/near_names.h"
#include "base/text.h"

namespace cryo {
namespace {

constexpr size_t kWidth = 80;

// A paragraph in lines; a word that is longer than a line has one of its own.
std::string wrapped(std::string_view text) {
  std::string out;
  size_t column = 0;
  for (const std::string_view word : split(text, ' ')) {
    const bool fits = column == 0 || column + 1 + word.size() <= kWidth;
    if (column > 0) out += fits ? ' ' : '\n';
    column = fits && column > 0 ? column + 1 + word.size() : word.size();
    out += word;
  }
  return out + "\n";
}

Diagnostic unknown_code(std::string_view code) {
  return {Severity::kError,
          "unknown-code",
          cat("there is no code '", code, "'", did_you_mean(code, all_codes())),
          {},
          "take the code of a diagnostic, which is printed in brackets"};
}

}  // namespace

Outcome explain(std::string_view code) {
  const std::string_view explanation = explanation_of(code);
  if (explanation.empty()) return cannot("validate", "", unknown_code(code));
  const CodeInfo* info = find_code(code);
  Outcome outcome{new_report("validate", "", {})};
  outcome.report["code"] = code;
  outcome.report["explanation"] = explanation;
  put_text(outcome.report, "fix", info == nullptr ? "" : info->fix);
  outcome.report["repair"] = info == nullptr ? "" : info->repair;
  return outcome;
}

std::string explain_text(const Json& report) {
  const auto text = [&](const char* key) { return report[key].get<std::string>(); };
  std::string out = cat(text("code"), "\n\n", wrapped(text("explanation")));
  if (!text("fix").empty()) out += cat("\n", wrapped(cat("What to do: ", text("fix"), ".")));
  if (!text("repair").empty()) {
    out += cat("\n", wrapped(cat("What validate --fix does: it ", text("repair"), ".")));
  }
  return out;
}

}  // namespace cryo
