// The native program: options in, one verb, reports and files out. The verbs are in verbs.cc, the
// same for every host.

#include <fcntl.h>
#include <google/protobuf/stubs/logging.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>

#include "base/text.h"
#include "commands/command_line.h"
#include "commands/explain.h"
#include "commands/text/outcome_text.h"
#include "commands/text/report_text.h"
#include "commands/verbs.h"
#include "graph/op_registry.h"
#include "native/embedded_ops.h"
#include "native/file_source.h"
#include "native/gather.h"
#include "native/save.h"
#include "native/unfinished.h"

namespace cryo {
namespace {

// Longer lines are hard to read.
constexpr size_t kMostHelpWidth = 100;

constexpr std::string_view kVersion = "cryograph " CRYOGRAPH_VERSION;

bool has(const std::vector<std::string>& arguments, std::string_view flag) {
  return std::find(arguments.begin(), arguments.end(), flag) != arguments.end();
}

void print_progress(uint64_t done, uint64_t total) {
  const std::string line = cat("\r", human_bytes(done), " of ", human_bytes(total), "\x1b[K");
  std::fputs(line.c_str(), stderr);
  if (done == total) std::fputs("\r\x1b[K", stderr);
}

using Sources = std::vector<SourcePtr>;

// Fails with "source-changed" if a file that was read has changed.
Status check_unchanged(const Sources& inputs) {
  for (const SourcePtr& input : inputs) {
    const auto* file = dynamic_cast<const FileSource*>(input.get());
    if (file != nullptr) CHECK_OK(file->check_unchanged());
  }
  return Unit{};
}

// Returns the files of the model that a pass made, or of the picture.
Result<std::vector<OutputFile>> files_of(const Options& options, const Outcome& outcome,
                                         Diagnostics& diagnostics) {
  if (!outcome.model) return outcome.files;
  return write(*outcome.model, options.write, diagnostics);
}

// Writes what a verb made, and reports the files.
void write_outputs(const Options& options, const Sources& inputs, Outcome& outcome) {
  Diagnostics diagnostics;
  const auto refuse = [&](const Diagnostic& error) {
    diagnostics.add(error);
    add_diagnostics(outcome.report, diagnostics);
    outcome.status = status_of(error);
  };
  Result<std::vector<OutputFile>> files = files_of(options, outcome, diagnostics);
  if (!files) return refuse(files.error());
  const bool quiet = options.quiet || options.json || isatty(STDERR_FILENO) == 0;
  const CheckLists checks = outcome.model ? outcome.model->checks : CheckLists();
  const auto check_inputs = [&]() -> Status {
    CHECK_OK(finish_checks(checks));
    return check_unchanged(inputs);
  };
  const auto progress = [&](uint64_t done, uint64_t total) {
    if (!quiet) print_progress(done, total);
  };
  const Status saved = save(*files, options.write.out, options.force, check_inputs, progress);
  if (!saved) return refuse(saved.error());
  add_diagnostics(outcome.report, diagnostics);
  add_outputs(outcome.report, *files);
  add_checked(outcome.report, count_checks(checks));
}

// Opens the model of a path; its files are added to `inputs`.
Result<Model> open_path(const std::string& path, OpenOptions asked, Diagnostics& opening,
                        Sources& inputs) {
  TRY(gathered, gather(path, asked.checkpoint));
  inputs.insert(inputs.end(), gathered.files.begin(), gathered.files.end());
  asked.path = gathered.asked;
  Result<Model> model = open(gathered.files, asked, opening);
  if (!gathered.capped.empty() && (!model || gathered.asked.empty())) {
    opening.warn("too-many-files",
                 cat("there are more than ", kMaxFiles, " files; only so many were looked at"),
                 {.file = gathered.capped}, "name the model's own file, or give it its own folder");
  }
  return model;
}

Failure for_the_npm_command(std::string_view verb) {
  return failure("npm-command", cat(verb, " needs JavaScript, which this program does not run"), {},
                 cat("install the npm package cryograph: npx cryograph ", verb));
}

Outcome run(const CommandLine& line) {
  const std::string verb(line.verb->name);
  const auto parsed = options_of(line.options);
  if (!parsed) return cannot(verb, line.path, parsed.error());
  if (line.verb->npm_only) return cannot(verb, line.path, *for_the_npm_command(verb));
  Options options = *parsed;
  options.brief = !options.json && !options.verbose;
  if (!options.explain.empty()) return explain(options.explain);
  Sources inputs;
  Diagnostics opening;
  const Result<Model> model = open_path(line.path, options.open, opening, inputs);
  if (!model) return cannot(verb, line.path, model.error(), opening);
  options.open.checkpoint.clear();  // is the first model's
  const Result<Model> other = line.other.empty()
                                  ? Result<Model>(Model())
                                  : open_path(line.other, options.open, opening, inputs);
  if (!other) return cannot(verb, line.other, other.error(), opening);
  if (!line.other.empty()) options.pass.other = &*other;
  const Result<OpRegistry> ops = OpRegistry::parse(std::string(embedded_ops()));
  Outcome outcome = run_verb(verb, *model, options, ops ? &*ops : nullptr, opening);
  const Status unchanged = check_unchanged(inputs);
  if (!unchanged) return cannot(verb, line.path, unchanged.error(), opening);
  if (outcome.model || !outcome.files.empty()) write_outputs(options, inputs, outcome);
  return outcome;
}

// Writes a text to a descriptor. A reader that closes early ("| head") is not an error.
bool put(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno == EPIPE;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Returns the exit status of a result, which is another one when it could not be printed.
int result_of(bool printed, int status) {
  if (printed) return status;
  put(STDERR_FILENO,
      cat("error: cannot write to standard output: ", std::strerror(errno), " [write-failed]\n"));
  return kCannot;
}

int print_result(const std::string& text, int status) {
  return result_of(put(STDOUT_FILENO, text), status);
}

// Standard output, in pieces.
class Pieces {
 public:
  bool add(std::string_view text) {
    constexpr size_t kPiece = size_t{1} << 16;
    piece_ += text;
    return piece_.size() < kPiece || flush();
  }
  bool flush() {
    const bool written = put(STDOUT_FILENO, piece_);
    piece_.clear();
    return written;
  }

 private:
  std::string piece_;
};

// --json counts wherever it is on the command line, whatever else is wrong with that.
int print(const Outcome& outcome, const std::vector<std::string>& arguments) {
  Pieces out;
  const Put put_piece = [&](std::string_view piece) { return out.add(piece); };
  if (has(arguments, "--json")) {
    return result_of(write_json(outcome, put_piece) && out.add("\n") && out.flush(),
                     outcome.status);
  }
  const bool verbose = has(arguments, "--verbose");
  put(STDERR_FILENO, diagnostics_text(outcome.report, has(arguments, "--quiet"), verbose));
  const bool shown = outcome.status == kDone || outcome.status == kNo;
  if (!shown) return outcome.status;
  return result_of(write_text(outcome, verbose, put_piece) && out.flush(), outcome.status);
}

// The running command, for the report of an out-of-memory error.
struct Running {
  const CommandLine* line = nullptr;
  const std::vector<std::string>* arguments = nullptr;
  std::unique_ptr<char[]> reserve = {};  // address space for that report; no page is touched
};

Running running;

// Ends the program when memory runs out. Nothing is thrown: core is compiled without exceptions,
// and many functions of libraries promise to throw none.
[[noreturn]] void end_without_memory() {
  std::set_new_handler([] {
    put(STDERR_FILENO, "error: there is not enough memory [out-of-memory]\n");
    _exit(kCannot);
  });
  remove_unfinished();
  running.reserve.reset();
  const CommandLine& line = *running.line;
  const Failure error = failure("out-of-memory", "there is not enough memory for this model", {},
                                "use a machine with more memory, or a part of the model");
  _exit(print(cannot(line.verb->name, line.path, *error), *running.arguments));
}

// The columns of the terminal that standard output is; kHelpWidth for files and pipes.
size_t terminal_width() {
  winsize size = {};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? std::min<size_t>(size.ws_col, kMostHelpWidth) : kHelpWidth;
}

int main_with(const std::vector<std::string>& arguments) {
  if (has(arguments, "--version")) return print_result(cat(kVersion, "\n"), kDone);
  if (arguments.empty() || has(arguments, "--help")) {
    const VerbRow* verb = arguments.empty() ? nullptr : find_verb(arguments[0]);
    return print_result(help_text(verb, terminal_width()),
                        arguments.empty() ? kBadCommandLine : kDone);
  }
  const auto line = parse_command_line(arguments);
  if (!line) return print(cannot("", "", line.error()), arguments);
  constexpr size_t kReserve = size_t{1} << 20;
  running = {&*line, &arguments, std::make_unique_for_overwrite<char[]>(kReserve)};
  std::set_new_handler(end_without_memory);
  return print(run(*line), arguments);
}

// A standard stream that the caller closed stays one that cannot be written to: otherwise a file
// that is opened gets its number, and the report.
void fill_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);
  }
}

}  // namespace
}  // namespace cryo

int main(int argc, char** argv) {
  google::protobuf::SetLogHandler(nullptr);  // Cryograph reports the errors itself
  cryo::fill_standard_streams();
  cryo::clean_up_on_signals();
  try {
    return cryo::main_with({argv + 1, argv + argc});
  } catch (const std::exception&) {
    std::fputs("error: there is not enough memory [out-of-memory]\n", stderr);
    return cryo::kCannot;
  }
}
