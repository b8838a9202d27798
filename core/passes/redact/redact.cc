#include "passes/redact/redact.h"

#include "base/text.h"
#include "model/model_ops.h"
#include "passes/redact/redacted_files.h"

namespace cryo {
namespace {

std::vector<std::string> arguments_of(const Model& model) {
  std::vector<std::string> all = arguments_in(model.meta, "tensorflow.MetaGraphDef");
  if (model.saved_model == nullptr) return all;
  for (const std::string* part : {&model.saved_model->before, &model.saved_model->after}) {
    const auto more = arguments_in(*part, "tensorflow.SavedModel");
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

Restores redacted_restores(const Restores& restores, NeutralNames& names) {
  Restores made;
  for (const auto& [variable, from] : restores) {
    made.emplace(names.name(variable), RestoredFrom{names.name(from.key), from.slice});
  }
  return made;
}

Result<SavedModelParts> redacted_parts(const SavedModelParts& parts, Redaction& redaction,
                                       NeutralNames& names) {
  SavedModelParts made;
  made.before = redaction.message(parts.before, "tensorflow.SavedModel");
  made.after = redaction.message(parts.after, "tensorflow.SavedModel");
  TRY(assets, redacted_assets(parts.others, names));
  made.others = std::move(assets);
  return made;
}

void report(const Model& model, const RemovedCounts& counts, Diagnostics& diagnostics) {
  diagnostics.note(
      "redacted",
      cat("replaced ", plural(counts.names, "word"), " of names and the values of ",
          plural(counts.tensors, "tensor"), " (", human_bytes(counts.bytes),
          "); kept are ops, edges, types, shapes, names of attributes and numbers in them, and "
          "whole numbers of at most ",
          kMaxKept, " elements"),
      {.file = model.name}, "look through the result before you publish it");
}

}  // namespace

Result<Redacted> redact(const Model& model, const OpRegistry* known, Diagnostics& diagnostics) {
  if (known == nullptr) {
    return failure("ops-not-loaded",
                   "the definitions of ops, which distinguish their words from names, are missing",
                   {}, "load ops.bin");
  }
  const OpRegistry ops = with_model_ops(model, *known);
  NeutralNames names;
  names.put_in_order(arguments_of(model));
  Redaction redaction(ops, *known, names, *model.payloads);
  Model made = model;
  if (model.has_graph) {
    TRY(graph, Graph::parse(redaction.message(model.graph.skeleton(), "tensorflow.GraphDef")));
    made.graph = std::move(graph);
  }
  if (!model.meta.empty()) {
    made.meta = redaction.message(model.meta, "tensorflow.MetaGraphDef");
  }
  for (std::string& each : made.variable_initializers) each = names.name(each);
  for (std::string& each : made.outputs) each = names.name(each);
  made.restores = redacted_restores(*model.restores, names);
  made.lost = {};
  if (model.checkpoint != nullptr) {
    TRY(checkpoint, redacted_checkpoint(*model.checkpoint, redaction, names));
    made.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  }
  if (model.saved_model != nullptr) {
    TRY(parts, redacted_parts(*model.saved_model, redaction, names));
    made.saved_model = std::make_shared<const SavedModelParts>(std::move(parts));
  }
  if (model.tfjs != nullptr) made.tfjs = std::make_shared<const TfjsParts>();
  const RemovedValues& removed = redaction.tensors().removed();
  const RemovedCounts counts{names.count(), removed.tensors, removed.bytes};
  report(model, counts, diagnostics);
  return Redacted{std::move(made), counts};
}

}  // namespace cryo
