#include "cli/verbs.h"

#include <unordered_set>

#include "base/text.h"
#include "cli/inspect.h"
#include "cli/list.h"
#include "model/pairing.h"
#include "model/stats.h"
#include "passes/pass.h"
#include "passes/validate.h"
#include "table/value_slices.h"

namespace cryo {
namespace {

// Reads every weight; true if all checksums are right.
bool verify_checksums(const Model& model, Diagnostics& diagnostics) {
  if (model.checkpoint == nullptr) return true;
  const size_t before = diagnostics.count(Severity::kError);
  for (const CheckpointEntry& entry : model.checkpoint->entries) {
    const Status verified = verify(entry);
    if (!verified) diagnostics.add(verified.error());
  }
  for (const SourcePtr& table : model.checkpoint->tables) {
    const Status verified = verify_blocks(table);
    if (!verified) diagnostics.add(verified.error());
  }
  return diagnostics.count(Severity::kError) == before;
}

Outcome run_inspect(const Model& model, const Options& options, const OpRegistry* ops,
                    Diagnostics diagnostics) {
  const bool good = !options.checksum || verify_checksums(model, diagnostics);
  Outcome outcome{new_report("inspect", model.name, diagnostics), good ? kDone : kCannot};
  inspect(model, ops, outcome.report);
  return outcome;
}

Outcome run_list(const Model& model, const Options& options, const OpRegistry* ops,
                 const Diagnostics& diagnostics) {
  Outcome outcome{new_report("list", model.name, diagnostics)};
  outcome.report["what"] = options.what;
  const Status listed = list(model, options.what, ops, outcome.report);
  if (!listed) return cannot("list", model.name, listed.error(), diagnostics);
  return outcome;
}

Outcome run_validate(const Model& model, const Options& options, const OpRegistry* ops,
                     Diagnostics diagnostics) {
  const Validity validity = validate(model, ops, diagnostics);
  const bool checked = !options.checksum || verify_checksums(model, diagnostics);
  const bool sound = validity.sound && checked;
  const bool yes = validity.valid && (sound || !options.strict);
  Outcome outcome{new_report("validate", model.name, diagnostics), yes ? kDone : kNo};
  outcome.report["valid"] = validity.valid;
  outcome.report["sound"] = sound;
  for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kNote}) {
    outcome.report[cat(severity_name(severity), "s")] = diagnostics.count(severity);
  }
  return outcome;
}

Json stats_json(const Model& model) {
  const Stats stats = stats_of(model);
  return {{"nodes", stats.nodes},
          {"variables", stats.variables},
          {"constants", stats.constants},
          {"bytes", to_json(stats.bytes)}};
}

// Names of nodes that the new model has no more, in the old one's order.
Json removed_nodes(const Model& before, const Model& after) {
  std::unordered_set<std::string_view> kept;
  for (const Node& node : after.graph.nodes()) kept.insert(node.name);
  Json removed = Json::array();
  for (const Node& node : before.graph.nodes()) {
    if (!kept.contains(node.name)) removed.push_back(node.name);
  }
  return removed;
}

Json converted_json(const PassLog& log) {
  Json list = Json::array();
  for (const Conversion& each : log.converted) {
    Json item = {{"name", each.name},
                 {"from", each.from},
                 {"to", each.to},
                 {"dtype", dtype_name(each.dtype)},
                 {"shape", to_json(each.shape)},
                 {"bytes", to_json(each.bytes)}};
    if (!each.why.empty()) item["why"] = each.why;
    list.push_back(std::move(item));
  }
  return list;
}

// What TensorFlow's tools have no word for. What they write is a GraphDef.
Status check_like_tensorflow(const Options& options) {
  const auto refuse = [](std::string_view option) {
    return failure("bad-option", cat("--like-tensorflow and ", option, " make no sense together"),
                   {}, "leave out one of them");
  };
  const PassOptions& pass = options.pass;
  if (!pass.inputs.empty()) return refuse("--inputs");
  if (!pass.set.empty()) return refuse("--set");
  if (!pass.variables.empty()) return refuse("--variables");
  if (!pass.keep_variables.empty()) return refuse("--keep-variables");
  const std::string& as = options.write.as;
  if (!as.empty() && as != "pb" && as != "pbtxt") return refuse(cat("--as ", as));
  std::string_view out = options.write.out;
  if (out.ends_with(".zip")) out.remove_suffix(4);
  const bool text = out.ends_with(".pbtxt") && !out.ends_with(".meta.pbtxt");
  const bool graph = (text || out.ends_with(".pb")) && !base_name(out).starts_with("saved_model.");
  if (as.empty() && !out.empty() && !graph) return refuse(cat("-o ", out));
  return Unit{};
}

Outcome run_pass(const Pass& pass, const Model& model, const Options& options,
                 const OpRegistry* ops, const Diagnostics& opening) {
  const Status graph = require_graph(model);
  if (pass.needs_graph && !graph) return cannot(pass.name, model.name, graph.error(), opening);
  const Status like = options.pass.like_tensorflow ? check_like_tensorflow(options) : Unit{};
  if (!like) return cannot(pass.name, model.name, like.error(), opening);
  PassLog log;
  log.diagnostics = opening;
  PassOptions pass_options = options.pass;
  pass_options.ops = ops;
  Result<Model> made = pass.run(model, pass_options, log);
  if (!made) return cannot(pass.name, model.name, made.error(), log.diagnostics);
  Outcome outcome{new_report(pass.name, model.name, log.diagnostics)};
  if (!log.outputs.empty()) outcome.report["graphOutputs"] = log.outputs;
  outcome.report["before"] = stats_json(model);
  outcome.report["after"] = stats_json(*made);
  outcome.report["removed"] = made->has_graph ? removed_nodes(model, *made) : Json::array();
  outcome.report["converted"] = converted_json(log);
  outcome.model = std::move(*made);
  return outcome;
}

}  // namespace

Outcome run_verb(std::string_view verb, const Model& model, const Options& options,
                 const OpRegistry* ops, const Diagnostics& opening) {
  if (verb == "inspect") return run_inspect(model, options, ops, opening);
  if (verb == "list") return run_list(model, options, ops, opening);
  if (verb == "validate") return run_validate(model, options, ops, opening);
  if (const Pass* pass = find_pass(verb)) return run_pass(*pass, model, options, ops, opening);
  return cannot(verb, model.name, *failure("bad-option", cat("there is no verb '", verb, "'")));
}

Outcome cannot(std::string_view verb, const std::string& model, const Diagnostic& error,
               const Diagnostics& before) {
  Diagnostics all = before;
  all.add(error);
  return {new_report(verb, model, all), status_of(error)};
}

ExitStatus status_of(const Diagnostic& error) {
  const bool command_line = error.code == "bad-option" || error.code == "unknown-form";
  return command_line ? kBadCommandLine : kCannot;
}

}  // namespace cryo
