#include "commands/explain.h"

#include "base/codes/codes.h"
#include "base/suggestions.h"
#include "base/text.h"

namespace cryo {
namespace {

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

}  // namespace cryo
