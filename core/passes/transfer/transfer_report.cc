#include "passes/transfer/transfer_report.h"

#include <set>

#include "base/reference.h"
#include "base/text.h"
#include "model/analysis/optimizer_state.h"

namespace cryo {

// A warning where it is not only what training keeps for itself.
void report_initial(const Model& model, const std::vector<InitialValue>& initial,
                    Diagnostics& diagnostics) {
  if (initial.empty()) return;
  const std::set<std::string> training = training_state(model);
  std::vector<std::string> names;
  bool only_training = true;
  for (const InitialValue& each : initial) {
    names.push_back(each.name);
    only_training = only_training && training.contains(each.name);
  }
  const std::string text =
      cat(plural(names.size(), "variable"), names.size() == 1 ? " takes" : " take",
          " the initial value of '", model.name, "': ", join(names, ", ", kMaxListed));
  only_training ? diagnostics.note("initial-values", text)
                : diagnostics.warn("initial-values", text, {},
                                       "find weights for them with " OPTION("--rename", "FROM=TO") ", or write the "
                                       "matched variables alone with " SETTING("--partial", ""));
}

Status check_matched(const Model& model, const Model& from, bool strict,
                     const std::vector<VariableMatch>& matches) {
  size_t left = 0;
  size_t matched = 0;
  for (const VariableMatch& match : matches) {
    if (match.kind == VariableMatch::kMatched) ++matched;
    if (match.kind == VariableMatch::kMismatched || match.kind == VariableMatch::kUnmatched) ++left;
  }
  if (left == 0 || (matched > 0 && !strict)) return Unit{};
  constexpr std::string_view kFix =
      "name their weights with " OPTION("--rename", "FROM=TO") ", pair them with " SETTING("--match", "value") " or " SETTING("--match", "shape") ", or "
      "exclude them with " OPTION("--exclude", "GLOB");
  if (matched == 0) {
    return failure("nothing-matched",
                   cat("no weight of '", from.name, "' belongs to any of the ",
                       plural(matches.size(), "variable"), " of '", model.name, "'"),
                   {}, kFix);
  }
  return failure("not-all-matched",
                 cat(left, " of ", plural(matches.size(), "variable"), " of '", model.name,
                     "' found no weight that fits"),
                 {}, kFix);
}

}  // namespace cryo
