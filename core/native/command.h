#pragma once

#include <string>

#include "commands/command_line.h"
#include "commands/verbs.h"

namespace cryo {

// Carries out a verb on one of the models of a command line: opens it, runs the verb, and writes
// what it made. All errors are in the outcome's report.
Outcome run_command(const CommandLine& line, const std::string& path, const PrintOptions& printing);

}  // namespace cryo
