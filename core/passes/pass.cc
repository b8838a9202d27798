#include "passes/pass.h"

#include <algorithm>
#include <array>

#include "base/text.h"
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

// The model as it is, to be written in another format.
Result<Model> convert(const Model& model, const PassOptions& options, PassLog& log) {
  if (!options.salvage) return with_cast_weights(model, options, log);
  TRY(whole, salvaged_model(model, log));
  return with_cast_weights(whole, options, log);
}

constexpr std::array kPasses = {
    Pass{"prune", "keep what the outputs need, back to the inputs", prune},
    Pass{"freeze", "variables become constants", freeze},
    Pass{"unfreeze", "constants become variables, with a checkpoint of their values", unfreeze},
    Pass{"transfer", "weights of one model into the variables of another, by name", transfer, true,
         true},
    Pass{"edit", "other names, types, shapes and values of nodes", edit, false},
    Pass{"weights", "the name -> array dictionary, as .npz, .safetensors or a checkpoint",
         extract_weights, false},
    Pass{"convert", "the same model in another format", convert, false},
};

}  // namespace

std::span<const Pass> passes() { return kPasses; }

const Pass* find_pass(std::string_view name) {
  const auto named = [&](const Pass& pass) { return pass.name == name; };
  const auto found = std::find_if(kPasses.begin(), kPasses.end(), named);
  return found == kPasses.end() ? nullptr : &*found;
}

Result<Model> run_pass(const Pass& pass, const Model& model, const PassOptions& options,
                       PassLog& log) {
  Model own = model;
  own.payloads = std::make_shared<Payloads>(model.payloads);
  TRY(made, pass.run(own, options, log));
  if (made.payloads->adds_nothing()) made.payloads = model.payloads;
#ifdef CRYOGRAPH_CHECK_PASSES
  CHECK_OK(check_made(pass, model, made, options.ops));
#endif
  if (!log.outputs.empty()) made.outputs = log.outputs;
  made.checks = model.checks;
  std::vector<const Model*> others = options.more;
  if (options.other != nullptr) others.push_back(options.other);
  for (const Model* other : others) {
    made.checks.insert(made.checks.end(), other->checks.begin(), other->checks.end());
  }
  if (options.salvage) made.checks = sound_checks(made.checks);
  return std::move(made);
}

Status check_made(const Pass& pass, const Model& model, const Model& made, const OpRegistry* ops) {
  Diagnostics before;
  Diagnostics after;
  if (!made.has_graph || validate(made, ops, after) || !validate(model, ops, before)) return Unit{};
  const auto error = std::find_if(after.all().begin(), after.all().end(), [](const auto& each) {
    return each.severity == Severity::kError;
  });
  return failure("broken-graph",
                 cat("the pass ", pass.name,
                     " made a graph that TensorFlow refuses of one that it "
                     "takes: ",
                     error->message),
                 error->where, "report it, with the model and the options");
}

}  // namespace cryo
