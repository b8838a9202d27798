#include "passes/common/select_outputs.h"

#include <algorithm>
#include <unordered_set>

#include "base/reference.h"
#include "base/text.h"
#include "model/analysis/likely_inputs.h"
#include "model/analysis/likely_outputs.h"
#include "model/meta.h"
#include "passes/common/function_entry.h"

namespace cryo {
namespace {

// Returns nodes whose last part is the requested one's, or contains it, as suggestions.
std::vector<std::string> similar_names(const Graph& graph, std::string_view wanted) {
  const std::string_view last = base_name(wanted);
  std::vector<std::string> same;
  std::vector<std::string> holding;
  for (const Node& node : graph.nodes()) {
    const std::string_view name = base_name(node.name);
    if (name == last) same.emplace_back(node.name);
    if (name != last && !last.empty() && name.find(last) != std::string_view::npos) {
      holding.emplace_back(node.name);
    }
  }
  same.insert(same.end(), holding.begin(), holding.end());
  return same;
}

Failure not_in_graph(const Model& model, const std::string& name) {
  const std::vector<std::string> similar = similar_names(model.graph, parse_tensor_name(name).node);
  const std::string fix = similar.empty() ? std::string(LIST("names", "nodes"))
                                          : cat("there is ", join(similar, ", ", 5));
  return failure("not-in-graph", cat(name, " is not in graph"), {.node = name}, fix);
}

// ", of 9 candidates (x, y and 7 more were not taken)".
std::string rest(const Endpoints& likely) {
  std::vector<std::string> names;
  for (const Endpoint& each : likely.outputs) {
    if (!each.chosen) names.push_back(each.name);
  }
  if (names.empty()) return "";
  return cat("; not taken: ", join(names, ", ", 3));
}

constexpr std::string_view kDefaultSignature = "serving_default";

using Signatures = std::vector<tensorflow::MetaGraphDef::SignatureDefEntry>;

// Returns the signatures that can be run: they have an output, and are not reserved for loading and
// training.
Signatures signatures_of(const Model& model) {
  Signatures signatures;
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  for (const auto& entry : meta.signature_def()) {
    if (!is_reserved_signature(entry.key()) && !entry.value().outputs().empty()) {
      signatures.push_back(entry);
    }
  }
  return signatures;
}

std::string keys_of(const Signatures& signatures) {
  std::vector<std::string> keys;
  for (const auto& each : signatures) keys.push_back(cat("'", each.key(), "'"));
  return keys.empty() ? std::string("none") : join(keys, ", ", 20);
}

// Returns the requested signatures, else the only one, else the one that servers use by default.
Result<Signatures> chosen_signatures(const Model& model, const Selection& requested) {
  const Signatures all = signatures_of(model);
  Signatures chosen;
  for (const std::string& key : requested.signatures) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.key() == key; });
    if (found == all.end()) {
      return failure("no-signature", cat("there is no signature '", key, "' with outputs"), {},
                     cat("signatures there are: ", keys_of(all)));
    }
    chosen.push_back(*found);
  }
  if (!chosen.empty() || all.empty()) return chosen;
  if (all.size() == 1) return all;
  for (const auto& each : all) {
    if (each.key() == kDefaultSignature) return Signatures{each};
  }
  return failure("several-signatures",
                 cat("the model has ", all.size(), " signatures: ", keys_of(all)), {},
                 "choose with " OPTION("--signature", "KEY") ", or " ADVICE("choose-outputs"));
}

// The tensor that an output or an argument of a signature is. Empty: no signature has the name.
struct KeyedTensor {
  std::string signature = {};
  std::string tensor = {};
};

template <typename Arguments>
std::string tensor_of_key(const Arguments& arguments, std::string_view key) {
  for (const auto& argument : arguments) {
    if (argument.key() != key || argument.value().name().empty()) continue;
    return to_text(parse_tensor_name(argument.value().name()));
  }
  return {};
}

bool is_requested(const Selection& requested, std::string_view key) {
  if (requested.signatures.empty()) return key == kDefaultSignature;
  return std::find(requested.signatures.begin(), requested.signatures.end(), key) !=
         requested.signatures.end();
}

Result<KeyedTensor> find_key(const Signatures& all, const Selection& requested,
                             const std::string& key, bool is_output) {
  KeyedTensor found;
  for (const auto& entry : all) {
    const auto& signature = entry.value();
    KeyedTensor each{entry.key(), is_output ? tensor_of_key(signature.outputs(), key)
                                            : tensor_of_key(signature.inputs(), key)};
    if (each.tensor.empty()) continue;
    if (is_requested(requested, entry.key())) return each;
    if (!found.signature.empty() && found.tensor != each.tensor) {
      return failure("several-signatures",
                     cat("'", key, "' is of several signatures: ", keys_of(all)), {},
                     "choose with " OPTION("--signature", "KEY"));
    }
    if (found.signature.empty()) found = each;
  }
  return found;
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// Adds outputs to those that were chosen, each once.
class ChosenOutputs {
 public:
  ChosenOutputs(Selection& chosen, Diagnostics& diagnostics)
      : outputs_(chosen.outputs), diagnostics_(diagnostics) {}

  void add(const std::string& name, const std::string& why) {
    if (!names_.insert(name).second) return;
    diagnostics_.note("output-chosen", cat("output ", name, ": ", why), {.node = name});
    outputs_.push_back(name);
  }

 private:
  std::vector<std::string>& outputs_;
  std::unordered_set<std::string> names_;
  Diagnostics& diagnostics_;
};

void choose_outputs_of(const Signatures& signatures, Selection& chosen, Diagnostics& diagnostics) {
  ChosenOutputs outputs(chosen, diagnostics);
  for (const auto& signature : signatures) {
    chosen.signatures.push_back(signature.key());
    for (const auto& output : signature.value().outputs()) {
      if (output.value().name().empty()) continue;  // a sparse or composite tensor
      outputs.add(to_text(parse_tensor_name(output.value().name())),
                  cat("output '", output.key(), "' of signature '", signature.key(), "'"));
    }
  }
}

// The functions of a SavedModel may be entry points without a signature.
Failure no_outputs(const Model& model) {
  const std::string functions = functions_text(model);
  if (functions.empty()) {
    return failure("no-outputs", "the graph has no node that looks like an output", {},
                   ADVICE("choose-outputs"));
  }
  return failure("no-signature", cat("the SavedModel has no signature", functions), {},
                 "choose one with " OPTION("--function", "NAME"));
}

Status choose_likely_outputs(const Model& model, Selection& chosen, Diagnostics& diagnostics) {
  const Endpoints likely = likely_endpoints(model);
  if (likely.outputs.empty()) return no_outputs(model);
  ChosenOutputs outputs(chosen, diagnostics);
  for (const Endpoint& each : likely.outputs) {
    if (each.chosen) outputs.add(each.name, each.why);
  }
  chosen.guessed = !likely.certain;
  if (chosen.guessed) {
    diagnostics.warn("output-guessed",
                     cat("no output was named; took ", join(chosen.outputs, ", ", 5), rest(likely)),
                     {}, ADVICE("choose-outputs"));
  }
  return Unit{};
}

}  // namespace

Result<Selection> with_signature_keys(const Model& model, const Selection& requested) {
  Selection resolved = requested;
  const Signatures all = signatures_of(model);
  if (all.empty()) return resolved;
  const NodeNames& names = model.graph.index().names();
  for (std::string& output : resolved.outputs) {
    if (names.find(parse_tensor_name(output).node) != kNoNode) continue;
    TRY(found, find_key(all, requested, output, true));
    if (found.signature.empty()) continue;
    output = found.tensor;
    resolved.by_signature = true;
    add_once(resolved.signatures, found.signature);
  }
  for (std::string& input : resolved.inputs) {
    if (input == kAutoInputs || names.find(parse_tensor_name(input).node) != kNoNode) continue;
    TRY(found, find_key(all, requested, input, false));
    if (!found.signature.empty()) input = found.tensor;
  }
  return resolved;
}

Result<Selection> with_chosen_outputs(const Model& model, const Selection& requested,
                                      Diagnostics& diagnostics) {
  Selection chosen = requested;
  if (!chosen.by_signature) chosen.signatures.clear();
  if (chosen.outputs.empty()) {
    TRY(signatures, chosen_signatures(model, requested));
    choose_outputs_of(signatures, chosen, diagnostics);
  }
  if (chosen.outputs.empty()) CHECK_OK(choose_likely_outputs(model, chosen, diagnostics));
  return chosen;
}

Result<Selection> with_outputs_before_set(const Model& model, const Selection& requested,
                                          Diagnostics& diagnostics) {
  if (!requested.outputs.empty()) return requested;
  Diagnostics found = diagnostics;
  TRY(chosen, with_chosen_outputs(model, requested, found));
  if (!chosen.signatures.empty()) return requested;
  diagnostics = std::move(found);
  return chosen;
}

Result<Selection> with_auto_inputs(const Model& model, const Selection& requested,
                                   Diagnostics& diagnostics) {
  Selection resolved = requested;
  if (std::erase(resolved.inputs, kAutoInputs) == 0) return resolved;
  Diagnostics unused;
  TRY(chosen, with_chosen_outputs(model, requested, unused));
  const std::vector<std::string> heads = pipeline_heads(model.graph, chosen.outputs);
  if (heads.empty()) {
    diagnostics.note("no-pipeline", "no input pipeline feeds the outputs: nothing to cut");
    return resolved;
  }
  const auto served = signature_inputs(model, chosen.signatures);
  resolved.inputs.insert(resolved.inputs.end(), heads.begin(), heads.end());
  resolved.inputs.insert(resolved.inputs.end(), served.begin(), served.end());
  return resolved;
}

void warn_of_pipelines(const Model& made, const std::vector<std::string>& outputs,
                       Diagnostics& diagnostics) {
  const std::vector<std::string> heads = pipeline_heads(made.graph, outputs);
  if (heads.empty()) return;
  diagnostics.warn("pipeline-stays",
                   cat("the result still reads its data from an input pipeline (",
                       join(heads, ", ", 3), "), and cannot be fed"),
                   {.node = heads.front()},
                   "begin where the data enters: " SETTING("--inputs", "auto"));
}

std::vector<std::string> signature_inputs(const Model& model,
                                          const std::vector<std::string>& keys) {
  std::vector<std::string> inputs;
  if (keys.empty()) return inputs;
  const NodeNames& names = model.graph.index().names();
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  for (const auto& entry : meta.signature_def()) {
    if (std::find(keys.begin(), keys.end(), entry.key()) == keys.end()) continue;
    for (const auto& input : entry.value().inputs()) {
      const TensorName tensor = parse_tensor_name(input.value().name());
      if (names.find(tensor.node) != kNoNode) inputs.push_back(to_text(tensor));
    }
  }
  return inputs;
}

Result<Edge> find_endpoint(const Model& model, const NodeNames& names, const std::string& name) {
  const TensorName tensor = parse_tensor_name(name);
  const uint32_t node = tensor.control ? kNoNode : names.find(tensor.node);
  if (node == kNoNode) return not_in_graph(model, name);
  return Edge{node, tensor.port, false};
}

}  // namespace cryo
