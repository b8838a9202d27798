#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "commands/command_table.h"
#include "commands/options.h"

namespace cryo {

// A command line, parsed by the command table. The native program and the npm command share it,
// including the words of errors.
//
//     freeze model.ckpt --outputs logits -o frozen.pb
//     verb "freeze", paths "model.ckpt", options {"outputs": ["logits"], "out": "frozen.pb"}
//
// The first word that is not an option is the verb; if it is not a verb, all words are PATHs of
// inspect. A value follows its option, or an equals sign (--outputs=logits), or the short option
// directly (-ofrozen.pb). After -- all are words. The last value of an option counts, unless it is
// a list.
struct CommandLine {
  const VerbRow* verb = nullptr;
  std::vector<std::string> paths = {};
  std::vector<std::string> others = {};  // of the other models, of verbs that take several at once
  std::string subject = {};              // help: a verb, or empty; completion: a shell
  std::string near_verb = {};  // the verb that may be meant if the only word is not a file
  bool version = false;        // the version is requested, and nothing else
  GivenOptions options = {};   // by the keys of parse_options()
};

// Parses a command line. Without arguments, and with --help, it is one of help. Fails with "usage".
Result<CommandLine> parse_command_line(const std::vector<std::string>& arguments);

// How results are printed. These options count wherever they are on the command line, whatever else
// is wrong with it.
struct PrintOptions {
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  bool github = false;         // --format github
  std::string color = "auto";  // or "always", "never"
};
PrintOptions print_options(const std::vector<std::string>& arguments);

// Returns the error of opening the only word of a command line, with the verb that may be meant.
Diagnostic with_near_verb(const CommandLine& line, Diagnostic error);

// The output that is standard output.
constexpr std::string_view kStandardOutput = "-";

// Returns true if the result of a verb is printed as a file, and its report elsewhere.
bool is_to_standard_output(const CommandLine& line);

}  // namespace cryo
