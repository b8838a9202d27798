#pragma once

#include <span>
#include <string_view>

#include "commands/options.h"
#include "model/model.h"
#include "passes/pass_log.h"

namespace cryo {

class OpRegistry;

// A verb that makes a new model of one, which it leaves as it is. A verb on two models makes a new
// version of the first; the others are in the options.
struct ModelVerb {
  std::string_view name;  // "freeze"
  bool needs_graph;
  bool needs_other;  // fails without a second model; others may take it
  Result<Model> (*make)(const Model& model, const Options& options, const OpRegistry* ops,
                        PassLog& log);
};

std::span<const ModelVerb> model_verbs();

// Returns nullptr if there is none of the name.
const ModelVerb* find_model_verb(std::string_view name);

// Runs a verb. A debug build checks its result.
Result<Model> make_model(const ModelVerb& verb, const Model& model, const Options& options,
                         const OpRegistry* ops, PassLog& log);

// Fails if TensorFlow would import the graph before a verb, and not the graph after it: a bug. The
// error has the name of the verb, and the fault.
Status check_made(std::string_view verb, const Model& model, const Model& made,
                  const OpRegistry* ops);

}  // namespace cryo
