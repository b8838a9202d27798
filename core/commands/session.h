#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "bytes/checks.h"
#include "commands/options.h"
#include "commands/verbs.h"
#include "graph/op_registry.h"

namespace cryo {

// The calls by which a host works on models. It supplies files, options and data, and puts the
// files that result where they belong. All decisions are made here:
//
//     Diagnostics opening;
//     open_model(files, options.open, opening)             an OpenModel, or the error
//     run_on(model, "freeze", options, {}, data)           an Outcome: report, status, a new model
//     taken_model(outcome, model, options)                 that model, as one that is open
//     files_of(made, options, diagnostics)                 its files, which the host stores
//     add_written(report, files, checked)                  their part of the report

// Data that a host loads once, for all models.
struct HostData {
  std::optional<OpRegistry> ops = {};
  CompatData compat = {};

  const OpRegistry* known_ops() const { return ops ? &*ops : nullptr; }
};

// A model that a host has open, with what calls need to know of earlier ones.
struct OpenModel {
  Model model = {};
  Diagnostics opening = {};               // the findings of opening it
  std::vector<std::string> outputs = {};  // tensors that a verb made it for
  bool signed_now = false;                // a verb gave it signatures
};

// Opens a model among files, as open() does (formats/open.h). Adds the findings to `diagnostics`,
// also if it fails.
Result<OpenModel> open_model(const std::vector<SourcePtr>& files, const OpenOptions& options,
                             Diagnostics& diagnostics);

// Runs a verb on a model. `others`: the other models, of verbs that take several.
Outcome run_on(const OpenModel& model, std::string_view verb, Options options,
               const std::vector<const OpenModel*>& others, const HostData& data);

// Takes the model that a verb made of `from` out of its outcome. REQUIRES: there is one.
OpenModel taken_model(Outcome& outcome, const OpenModel& from, const Options& options);

// The files that a host stores, and the stored checksums that it compares before they replace
// others.
struct OutputSet {
  std::vector<OutputFile> files = {};
  CheckLists checks = {};
  std::optional<Model> model = {};  // of which the files are; none for a picture
};

// Returns a model as files in the requested format. A format that holds no graph takes the weights,
// and others the collections that they have. Fails if the format does not hold the model.
Result<OutputSet> files_of(const OpenModel& model, const Options& options,
                           Diagnostics& diagnostics);

// Adds "outputs" and "checked" to the report on files. `checked`: what was compared with its stored
// checksum.
void add_written(Report& report, const OutputSet& set, const CheckCount& checked);

// Adds "snippet", if it is requested. `outputs`: the tensors that a verb made the model for.
void add_requested_snippet(Report& report, const OutputSet& set,
                           const std::vector<std::string>& outputs, const Options& options,
                           const HostData& data);

}  // namespace cryo
