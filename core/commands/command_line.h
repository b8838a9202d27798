#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "commands/command_table.h"
#include "commands/report.h"

namespace cryo {

// A command line, parsed by the command table. The native program and the npm command share it,
// including the words of errors.
//
//     freeze model.ckpt --outputs logits -o frozen.pb
//     verb "freeze", path "model.ckpt", options {"outputs": ["logits"], "out": "frozen.pb"}
//
// The first word that is not an option is the verb; if it is not a verb, it is the PATH of inspect.
// A value follows its option, or an equals sign (--outputs=logits), or the short option directly
// (-ofrozen.pb). After -- all are words. The last value of an option counts, unless it is a list.
struct CommandLine {
  const VerbRow* verb = nullptr;
  std::string path = {};
  std::string other = {};         // of the second model, of verbs that take two
  Json options = Json::object();  // as parse_options() takes them
};

// Parses a command line. Fails with "usage".
Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments);

}  // namespace cryo
