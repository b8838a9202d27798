#include "commands/make_model.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "passes/common/new_model.h"
#include "passes/edit/edit.h"
#include "passes/freeze/freeze.h"
#include "passes/prune.h"
#include "passes/transfer/transfer.h"
#include "passes/unfreeze/unfreeze.h"
#include "passes/weights/extract.h"
#include "passes/weights/salvage.h"
#include "validate/validate.h"

namespace cryo {
namespace {

Result<Model> make_pruned(const Model& model, const Options& options, const OpRegistry* ops,
                          PassLog& log) {
  return prune(model, options.prune, ops, log);
}

Result<Model> make_frozen(const Model& model, const Options& options, const OpRegistry* ops,
                          PassLog& log) {
  return freeze(model, options.freeze, {ops, options.compat.histories}, log);
}

Result<Model> make_unfrozen(const Model& model, const Options& options, const OpRegistry*,
                            PassLog& log) {
  return unfreeze(model, options.unfreeze, log);
}

Result<Model> make_edited(const Model& model, const Options& options, const OpRegistry* ops,
                          PassLog& log) {
  return edit(model, options.other(), options.edit, ops, log);
}

Result<Model> make_transferred(const Model& model, const Options& options, const OpRegistry*,
                               PassLog& log) {
  return transfer(model, *options.other(), options.transfer, log);
}

Result<Model> make_weights(const Model& model, const Options& options, const OpRegistry* ops,
                           PassLog& log) {
  return new_model(model, log, [&](const Model& own) {
    return extract_weights(own, options.others, options.weights, ops, log);
  });
}

// The model as it is, to be written in another format.
Result<Model> make_converted(const Model& model, const Options& options, const OpRegistry*,
                             PassLog& log) {
  return new_model(model, log, [&](const Model& own) -> Result<Model> {
    TRY(whole, options.convert.salvage ? salvaged_model(own, log) : own);
    return with_cast_weights(whole, options.convert.cast, log);
  });
}

constexpr std::array kModelVerbs = {
    ModelVerb{"prune", true, false, make_pruned},
    ModelVerb{"freeze", true, false, make_frozen},
    ModelVerb{"unfreeze", true, false, make_unfrozen},
    ModelVerb{"transfer", true, true, make_transferred},
    ModelVerb{"edit", false, false, make_edited},
    ModelVerb{"weights", false, false, make_weights},
    ModelVerb{"convert", false, false, make_converted},
};

}  // namespace

std::span<const ModelVerb> model_verbs() { return kModelVerbs; }

const ModelVerb* find_model_verb(std::string_view name) {
  const auto named = [&](const ModelVerb& verb) { return verb.name == name; };
  const auto found = std::find_if(kModelVerbs.begin(), kModelVerbs.end(), named);
  return found == kModelVerbs.end() ? nullptr : &*found;
}

Result<Model> make_model(const ModelVerb& verb, const Model& model, const Options& options,
                         const OpRegistry* ops, PassLog& log) {
  TRY(made, verb.make(model, options, ops, log));
#ifdef CRYOGRAPH_CHECK_PASSES
  CHECK_OK(check_made(verb.name, model, made, ops));
#endif
  made.checks = model.checks;
  for (const Model* other : options.others) {
    made.checks.insert(made.checks.end(), other->checks.begin(), other->checks.end());
  }
  if (options.open.salvage) made.checks = sound_checks(made.checks);
  return std::move(made);
}

Status check_made(std::string_view verb, const Model& model, const Model& made,
                  const OpRegistry* ops) {
  Diagnostics before;
  Diagnostics after;
  if (!made.has_graph || validate(made, ops, after) || !validate(model, ops, before)) return Unit{};
  const auto error = std::find_if(after.all().begin(), after.all().end(), [](const auto& each) {
    return each.severity == Severity::kError;
  });
  return failure(
      "broken-graph",
      cat(verb, " made a graph that TensorFlow refuses of one that it takes: ", error->message),
      error->where, "report it, with the model and the options");
}

}  // namespace cryo
