#include "commands/session.h"

#include <cassert>
#include <utility>

#include "commands/snippet.h"
#include "formats/open.h"
#include "passes/variables/listed_variables.h"
#include "passes/weights/extract.h"

namespace cryo {
namespace {

// Formats that hold no graph take the weights, others the collections that they have.
Result<Model> model_to_write(const Model& model, const WriteOptions& options) {
  if (!model.has_graph) return model;
  if (!is_for_arrays(model, options)) return for_collections(model, options);
  Diagnostics unused;
  TRY(weights, extract_weights(model, {}, {}, nullptr, unused));
  return std::move(weights.model);
}

}  // namespace

Result<OpenModel> open_model(const std::vector<SourcePtr>& files, const OpenOptions& options,
                             Diagnostics& diagnostics) {
  OpenModel opened;
  Result<Model> model = open(files, options, opened.opening);
  for (const Diagnostic& each : opened.opening.all()) diagnostics.add(each);
  if (!model) return std::move(model).failure();
  opened.model = std::move(*model);
  return opened;
}

Outcome run_on(const OpenModel& model, std::string_view verb, Options options,
               const std::vector<const OpenModel*>& others, const HostData& data) {
  Diagnostics opening = model.opening;
  options.others.clear();
  for (const OpenModel* other : others) {
    options.others.push_back(&other->model);
    for (const Diagnostic& each : other->opening.all()) opening.add(each);
  }
  options.compat = data.compat;
  return run_verb(verb, model.model, options, data.known_ops(), opening);
}

OpenModel taken_model(Outcome& outcome, const OpenModel& from, const Options& options) {
  assert(outcome.model);
  return {std::move(*outcome.model), from.opening, outcome.outputs,
          !options.edit.added_signatures.empty()};
}

Result<OutputSet> files_of(const OpenModel& model, const Options& options,
                           Diagnostics& diagnostics) {
  if (model.signed_now) CHECK_OK(check_signatures_held(model.model, options.write));
  TRY(fitted, model_to_write(model.model, options.write));
  TRY(files, write(fitted, options.write, diagnostics));
  return OutputSet{std::move(files), model.model.checks, std::move(fitted)};
}

void add_written(Report& report, const OutputSet& set, const CheckCount& checked) {
  add_outputs(report, set.files);
  add_checked(report, checked);
}

void add_requested_snippet(Report& report, const OutputSet& set,
                           const std::vector<std::string>& outputs, const Options& options,
                           const HostData& data) {
  if (!options.snippet || !set.model) return;
  add_snippet(report.members, {*set.model, options.write, outputs, data.known_ops()});
}

}  // namespace cryo
