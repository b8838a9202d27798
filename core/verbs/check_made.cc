#include "verbs/check_made.h"

#include <algorithm>

#include "base/text.h"
#include "validate/validate.h"

namespace cryo {

Status check_made(std::string_view verb, const Model& model, const Model& made,
                  const OpRegistry* ops) {
  if (&made.graph.index() == &model.graph.index()) return Unit{};
  Diagnostics before;
  Diagnostics after;
  if (!made.has_graph || validate(made, ops, after) || !validate(model, ops, before)) return Unit{};
  const auto error = std::find_if(after.all().begin(), after.all().end(), [](const auto& each) {
    return each.severity == Severity::kError;
  });
  return failure(
      "broken-graph",
      cat(verb, " made a graph that TensorFlow refuses, of one that it takes: ", error->message),
      error->where, "name other inputs or outputs; if none cause it, report it, with the model");
}

}  // namespace cryo
