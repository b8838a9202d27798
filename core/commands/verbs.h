#pragma once

#include <optional>
#include <string>

#include "commands/options.h"
#include "commands/report.h"
#include "model/model.h"

namespace cryo {

class OpRegistry;

// Exit statuses of the command line, and what the JavaScript API goes by.
enum ExitStatus { kDone = 0, kNo = 1, kBadCommandLine = 2, kCannot = 3 };

// What a call ends with that an error ended.
ExitStatus status_of(const Diagnostic& error);

// What a verb gave: a report for people and scripts, and for passes the new model.
struct Outcome {
  Json report = {};
  ExitStatus status = kDone;
  std::optional<Model> model = {};
  std::vector<OutputFile> files = {};  // draw: the picture
};

// Runs inspect, list, validate, diff or a pass of the pass table on a model; what takes two models
// finds the second in the options (PassOptions::other). `opening` is what was found
// while it was opened. `ops` may be null: then nothing that needs the definitions of ops is told.
Outcome run_verb(std::string_view verb, const Model& model, const Options& options,
                 const OpRegistry* ops, const Diagnostics& opening);

// The report of a verb that could not be done.
Outcome cannot(std::string_view verb, const std::string& model, const Diagnostic& error,
               const Diagnostics& before = {});

}  // namespace cryo
