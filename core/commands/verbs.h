#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/node_rows.h"
#include "commands/options.h"
#include "commands/report.h"
#include "model/model.h"

namespace cryo {

class OpRegistry;

// Exit statuses of the command line; the JavaScript API uses them, too.
enum ExitStatus { kDone = 0, kNo = 1, kBadCommandLine = 2, kCannot = 3 };

// Returns the exit status for an error.
ExitStatus status_of(const Diagnostic& error);

// The result of a verb: a report for people and scripts, and for passes the new model.
struct Outcome {
  Report report = {};
  ExitStatus status = kDone;
  std::optional<Model> model = {};
  std::vector<OutputFile> files = {};     // draw: the picture
  std::optional<NodeRows> nodes = {};     // list nodes: the last member of the report
  std::vector<std::string> outputs = {};  // of the model: those that a pass made it for
};

// Runs a verb on a model. Other models are in the options. `opening` has the findings of opening
// the model. `ops` may be null: checks that need the definitions of ops are then skipped.
Outcome run_verb(std::string_view verb, const Model& model, const Options& options,
                 const OpRegistry* ops, const Diagnostics& opening);

// Fails with "bad-option" if these options request a format without signatures: for a model that
// just got some.
Status check_signatures_held(const Model& made, const WriteOptions& options);

// The report of a verb that could not be done.
Outcome cannot(std::string_view verb, const std::string& model, const Diagnostic& error,
               const Diagnostics& before = {});

}  // namespace cryo
