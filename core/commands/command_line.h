#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "commands/command_table.h"
#include "commands/report.h"

namespace cryo {

// What stands on a command line, read by the command table: for the native program and for the npm
// command the same, words of errors included.
//
//     freeze model.ckpt --outputs logits -o frozen.pb
//     verb "freeze", path "model.ckpt", options {"outputs": ["logits"], "out": "frozen.pb"}
//
// The first word that is no option is the verb; where it is none, it is the PATH of inspect. A
// value stands behind its option, or after an equals sign (--outputs=logits), or at once
// (-ofrozen.pb). After -- all are words. Of an option that is given twice the last counts, unless
// it is a list.
struct CommandLine {
  const VerbRow* verb = nullptr;
  std::string path = {};
  std::string other = {};         // of the second model, of verbs that take two
  Json options = Json::object();  // as parse_options() takes them
};

// "usage" for what makes no sense.
Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments);

}  // namespace cryo
