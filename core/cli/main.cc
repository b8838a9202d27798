// The native program: options in, one verb, reports and files out. What a verb does is in verbs.cc,
// for every host the same.

#include <google/protobuf/stubs/logging.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <iostream>

#include "base/text.h"
#include "cli/command_line.h"
#include "cli/embedded_ops.h"
#include "cli/explain.h"
#include "cli/gather.h"
#include "cli/save.h"
#include "cli/text.h"
#include "cli/verbs.h"
#include "graph/op_registry.h"

namespace cryo {
namespace {

constexpr std::string_view kVersion = "cryograph " CRYOGRAPH_VERSION;

std::atomic<bool> stopped = false;

bool has(const std::vector<std::string>& arguments, std::string_view flag) {
  return std::find(arguments.begin(), arguments.end(), flag) != arguments.end();
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

Result<Model> open_path(const std::string& path, OpenOptions asked, Diagnostics& opening) {
  TRY(gathered, gather(path, asked.checkpoint, stopped));
  asked.path = gathered.asked;
  return open(gathered.files, asked, opening);
}

Failure for_the_npm_command(std::string_view verb) {
  return failure("npm-command", cat(verb, " needs JavaScript, which this program does not run"), {},
                 cat("install the npm package cryograph: npx cryograph ", verb));
}

Outcome run(const CommandLine& line) {
  const std::string verb(line.verb->name);
  const auto parsed = parse_options(to_string(line.options));
  if (!parsed) return cannot(verb, line.path, parsed.error());
  if (line.verb->npm_only) return cannot(verb, line.path, *for_the_npm_command(verb));
  Options options = *parsed;
  if (!options.explain.empty()) return explain(options.explain);
  Diagnostics opening;
  const Result<Model> model = open_path(line.path, options.open, opening);
  if (!model) return cannot(verb, line.path, model.error(), opening);
  options.open.checkpoint.clear();  // is the first model's
  const Result<Model> other =
      line.other.empty() ? Result<Model>(Model()) : open_path(line.other, options.open, opening);
  if (!other) return cannot(verb, line.other, other.error(), opening);
  if (!line.other.empty()) options.pass.other = &*other;
  const Result<OpRegistry> ops = OpRegistry::parse(std::string(embedded_ops()));
  Outcome outcome = run_verb(verb, *model, options, ops ? &*ops : nullptr, opening);
  if (outcome.model) write_outputs(options, outcome);
  return outcome;
}

// How it is told stands on the command line, whatever else is wrong with that.
void print(const Outcome& outcome, const std::vector<std::string>& arguments) {
  if (has(arguments, "--json")) {
    std::cout << to_string(outcome.report) << "\n";
    return;
  }
  const bool verbose = has(arguments, "--verbose");
  std::cerr << diagnostics_text(outcome.report, has(arguments, "--quiet"), verbose);
  const bool told = outcome.status == kDone || outcome.status == kNo;
  if (told) std::cout << report_text(outcome.report, verbose);
}

int main_with(const std::vector<std::string>& arguments) {
  if (has(arguments, "--version")) {
    std::cout << kVersion << "\n";
    return kDone;
  }
  if (arguments.empty() || has(arguments, "--help")) {
    std::cout << help_text(arguments.empty() ? nullptr : find_verb(arguments[0]));
    return arguments.empty() ? kBadCommandLine : kDone;
  }
  const auto line = parse_command_line(arguments);
  const Outcome outcome = line ? run(*line) : cannot("", "", line.error());
  print(outcome, arguments);
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
