#include "commands/make_model.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/reference.h"
#include "base/text.h"
#include "passes/common/new_model.h"
#include "passes/edit/edit.h"
#include "passes/unfreeze/unfreeze.h"
#include "passes/weights/extract.h"
#include "verbs/check_made.h"
#include "verbs/freeze.h"
#include "verbs/prune.h"

namespace cryo {
namespace {

MadeModel made_of(GraphResult result) {
  return {.model = std::move(result.model),
          .outputs = std::move(result.selection.outputs),
          .guessed = result.selection.guessed,
          .converted = std::move(result.converted),
          .changes = std::move(result.changes)};
}

Status make_pruned(const Model& model, const Options& options, const OpRegistry* ops,
                   Diagnostics& diagnostics, MadeModel& made) {
  TRY(pruned, prune(model, options.prune, ops, diagnostics));
  made = made_of(std::move(pruned));
  made.like_tensorflow = options.prune.like_tensorflow;
  return Unit{};
}

Status make_frozen(const Model& model, const Options& options, const OpRegistry* ops,
                   Diagnostics& diagnostics, MadeModel& made) {
  TRY(frozen, freeze(model, options.freeze, {ops, options.compat.histories}, diagnostics));
  made = made_of(std::move(frozen));
  made.like_tensorflow = options.freeze.like_tensorflow;
  return Unit{};
}

Status make_unfrozen(const Model& model, const Options& options, const OpRegistry*,
                     Diagnostics& diagnostics, MadeModel& made) {
  TRY(unfrozen, unfreeze(model, options.unfreeze, diagnostics));
  made = {.model = std::move(unfrozen.model),
          .converted = std::move(unfrozen.converted),
          .candidates = std::move(unfrozen.candidates)};
  return Unit{};
}

Status make_edited(const Model& model, const Options& options, const OpRegistry* ops,
                   Diagnostics& diagnostics, MadeModel& made) {
  TRY(edited, edit(model, options.other(), options.edit, ops, diagnostics));
  made = {.model = std::move(edited.model),
          .changes = std::move(edited.changes),
          .redacted = edited.redacted};
  return Unit{};
}

Status make_transferred(const Model& model, const Options& options, const OpRegistry*,
                        Diagnostics& diagnostics, MadeModel& made) {
  TRY(transferred, transfer(model, *options.other(), options.transfer, made.matches, diagnostics));
  made.model = std::move(transferred);
  return Unit{};
}

Status make_weights(const Model& model, const Options& options, const OpRegistry* ops,
                    Diagnostics& diagnostics, MadeModel& made) {
  TRY(weights, new_model(model, [&](const Model& own) {
        return extract_weights(own, options.others, options.weights, ops, diagnostics);
      }));
  made = {.model = std::move(weights.model),
          .converted = std::move(weights.converted),
          .losses = std::move(weights.losses)};
  return Unit{};
}

// The model as it is, to be written in another format.
Status make_converted(const Model& model, const Options& options, const OpRegistry*,
                      Diagnostics& diagnostics, MadeModel& made) {
  TRY(converted, new_model(model, [&](const Model& own) -> Result<SalvageResult> {
        TRY(whole, options.convert.salvage ? salvaged_model(own, diagnostics)
                                           : Result<SalvageResult>(SalvageResult{own}));
        TRY(cast, with_cast_weights(whole.model, options.convert.cast, diagnostics));
        return SalvageResult{std::move(cast), std::move(whole.losses)};
      }));
  made = {.model = std::move(converted.model), .losses = std::move(converted.losses)};
  return Unit{};
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

namespace {

// freeze_graph keeps the Assign of a variable that is a constant now, and TensorFlow refuses it.
Status check_verb(const ModelVerb& verb, const Model& model, const MadeModel& made,
                  const OpRegistry* ops, Diagnostics& diagnostics) {
  Status checked = check_made(verb.name, model, made.model, ops);
  if (checked || !made.like_tensorflow) return checked;
  Diagnostic fault = checked.error();
  diagnostics.warn(fault.code, cat("as TensorFlow's own tool does, ", fault.message), fault.where,
                   "name other outputs, or do without " OPTION("--like-tensorflow", ""));
  return Unit{};
}

}  // namespace

Status make_model(const ModelVerb& verb, const Model& model, const Options& options,
                  const OpRegistry* ops, Diagnostics& diagnostics, MadeModel& made) {
  CHECK_OK(verb.make(model, options, ops, diagnostics, made));
  CHECK_OK(check_verb(verb, model, made, ops, diagnostics));
  CheckLists& checks = made.model.checks;
  checks = model.checks;
  for (const Model* other : options.others) {
    checks.insert(checks.end(), other->checks.begin(), other->checks.end());
  }
  if (options.open.salvage) checks = sound_checks(checks);
  return Unit{};
}

}  // namespace cryo
