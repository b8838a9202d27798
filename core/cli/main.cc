// The native program: options in, one verb, reports and files out. What a verb does is in verbs.cc,
// for every host the same.

#include <google/protobuf/stubs/logging.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <map>

#include "base/text.h"
#include "cli/command_table.h"
#include "cli/embedded_ops.h"
#include "cli/gather.h"
#include "cli/save.h"
#include "cli/text.h"
#include "cli/verbs.h"
#include "graph/op_registry.h"

namespace cryo {
namespace {

constexpr std::string_view kVersion = "cryograph " CRYOGRAPH_VERSION;

std::atomic<bool> stopped = false;

// What stood on the command line.
struct CommandLine {
  const VerbRow* verb = nullptr;
  std::string path = {};
  Json options = Json::object();
};

// A verb that is left out is inspect.
std::vector<std::string> with_verb(std::vector<std::string> arguments) {
  const bool option = arguments.empty() || (arguments[0].starts_with("-") && arguments[0] != "-");
  if (!option && find_verb(arguments[0]) == nullptr) arguments.insert(arguments.begin(), "inspect");
  return arguments;
}

// Parses by the table. Throws CLI::ParseError.
CommandLine parse(std::vector<std::string> arguments) {
  CommandLine line;
  CLI::App app;
  app.set_help_flag();
  app.require_subcommand(1);
  std::map<std::string, std::vector<std::string>> values;
  std::map<std::string, bool> flags;
  std::string what;
  for (const VerbRow& verb : verb_table()) {
    CLI::App* sub = app.add_subcommand(std::string(verb.name));
    sub->set_help_flag();
    sub->callback([&line, &verb] { line.verb = &verb; });
    sub->add_option("PATH", line.path)->required();
    if (verb.positional.ends_with("WHAT")) sub->add_option("WHAT", what)->required();
    for (const OptionRow& option : option_table()) {
      if (!takes(verb, option)) continue;
      const std::string key(option.key);
      if (option.value.empty()) {
        sub->add_flag(std::string(option.name), flags[key]);
        continue;
      }
      CLI::Option* added = sub->add_option(std::string(option.name), values[key]);
      added->allow_extra_args(false)->required(option.key == "out");
      if (!option.list) added->expected(1)->take_last();
    }
  }
  std::reverse(arguments.begin(), arguments.end());
  app.parse(std::move(arguments));
  for (const OptionRow& option : option_table()) {
    const std::string key(option.key);
    if (flags[key]) line.options[key] = true;
    if (values[key].empty()) continue;
    line.options[key] = option.list ? Json(values[key]) : Json(values[key].back());
  }
  if (!what.empty()) line.options["what"] = what;
  return line;
}

void print_progress(uint64_t done, uint64_t total) {
  std::cerr << "\r" << human_bytes(done) << " of " << human_bytes(total) << "\x1b[K";
  if (done == total) std::cerr << "\r\x1b[K";
}

// Writes what a pass made, and says so in its report.
void write_outputs(const Options& options, Outcome& outcome) {
  Diagnostics diagnostics;
  const auto refuse = [&](const Diagnostic& error) {
    diagnostics.add(error);
    add_diagnostics(outcome.report, diagnostics);
    outcome.status = status_of(error);
  };
  Result<std::vector<OutputFile>> files = write(*outcome.model, options.write, diagnostics);
  if (!files) return refuse(files.error());
  const bool quiet = options.quiet || options.json || isatty(STDERR_FILENO) == 0;
  const Status saved =
      save(*files, options.write.out, options.force, stopped, [&](uint64_t done, uint64_t total) {
        if (!quiet) print_progress(done, total);
      });
  if (!saved) return refuse(saved.error());
  add_diagnostics(outcome.report, diagnostics);
  add_outputs(outcome.report, *files);
}

Outcome run(const CommandLine& line, const Options& options) {
  const std::string verb(line.verb->name);
  Result<Gathered> gathered = gather(line.path, options.open.checkpoint, stopped);
  if (!gathered) return cannot(verb, line.path, gathered.error());
  OpenOptions asked = options.open;
  asked.path = gathered->asked;
  Diagnostics opening;
  const Result<Model> model = open(gathered->files, asked, opening);
  if (!model) return cannot(verb, line.path, model.error(), opening);
  const Result<OpRegistry> ops = OpRegistry::parse(std::string(embedded_ops()));
  Outcome outcome = run_verb(verb, *model, options, ops ? &*ops : nullptr, opening);
  if (line.verb->writes && outcome.model) write_outputs(options, outcome);
  return outcome;
}

void print(const Outcome& outcome, const Options& options) {
  if (options.json) {
    std::cout << to_string(outcome.report) << "\n";
    return;
  }
  std::cerr << diagnostics_text(outcome.report, options.quiet, options.verbose);
  const bool told = outcome.status == kDone || outcome.status == kNo;
  if (told) std::cout << report_text(outcome.report, options.verbose);
}

int main_with(const std::vector<std::string>& arguments) {
  const auto has = [&](std::string_view flag) {
    return std::find(arguments.begin(), arguments.end(), flag) != arguments.end();
  };
  if (has("--version")) {
    std::cout << kVersion << "\n";
    return kDone;
  }
  if (arguments.empty() || has("--help")) {
    std::cout << help_text(arguments.empty() ? nullptr : find_verb(arguments[0]));
    return arguments.empty() ? kBadCommandLine : kDone;
  }
  CommandLine line;
  try {
    line = parse(with_verb(arguments));
  } catch (const CLI::ParseError& error) {
    std::cerr << "error: " << error.what() << "\n  fix: see cryograph --help\n";
    return kBadCommandLine;
  }
  const Result<Options> options = parse_options(to_string(line.options));
  if (!options) {
    std::cerr << to_text(options.error()) << "\n";
    return kBadCommandLine;
  }
  const Outcome outcome = run(line, *options);
  print(outcome, *options);
  return outcome.status;
}

}  // namespace
}  // namespace cryo

int main(int argc, char** argv) {
  google::protobuf::SetLogHandler(nullptr);  // what it refuses we report
  std::signal(SIGINT, [](int) { cryo::stopped = true; });
  try {
    return cryo::main_with({argv + 1, argv + argc});
  } catch (const std::exception& error) {  // out of memory, above all
    std::fprintf(stderr, "error: %s\n", error.what());
    return cryo::kCannot;
  }
}
