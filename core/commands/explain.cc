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
  Outcome outcome{{"validate"}};
  JsonWriter& members = outcome.report.members;
  members.members("code", code, "explanation", explanation);
  write_texts(members, {{"fix", info == nullptr ? std::string_view() : info->fix}});
  members.member("repair", info == nullptr ? std::string_view() : info->repair);
  return outcome;
}

}  // namespace cryo
