// The native program: options in, one verb, reports and files out. The verbs are in verbs.cc, the
// same for every host.

#include <fcntl.h>
#include <google/protobuf/stubs/logging.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>

#include "base/text.h"
#include "commands/command_line.h"
#include "commands/completion.h"
#include "commands/text/diagnostics_text.h"
#include "commands/text/outcome_text.h"
#include "commands/text/report_text.h"
#include "commands/verbs.h"
#include "native/command.h"
#include "native/terminal.h"
#include "native/unfinished.h"

namespace cryo {
namespace {

// Longer lines are hard to read.
constexpr size_t kMaxHelpWidth = 100;

constexpr std::string_view kVersion = "cryograph " CRYOGRAPH_VERSION "\n";

// Returns the exit status of a result, which is another one when it could not be printed.
int result_of(bool printed, int status) {
  if (printed) return status;
  put(STDERR_FILENO,
      cat("error: cannot write to standard output: ", std::strerror(errno), " [write-failed]\n"));
  return kCannot;
}

int print_result(std::string_view text, int status) {
  return result_of(put(STDOUT_FILENO, text), status);
}

// A descriptor that is written to in large pieces.
class Pieces {
 public:
  explicit Pieces(int descriptor) : descriptor_(descriptor) {}

  bool add(std::string_view text) {
    constexpr size_t kPiece = size_t{1} << 16;
    piece_ += text;
    return piece_.size() < kPiece || flush();
  }
  bool flush() {
    const bool written = put(descriptor_, piece_);
    piece_.clear();
    return written;
  }

 private:
  int descriptor_;
  std::string piece_;
};

Look look_at(int descriptor, const PrintOptions& printing) {
  return {printing.quiet, printing.verbose, has_color(descriptor, printing.color),
          terminal_width(descriptor)};
}

// Prints the outcomes of a command, each when it is there.
class Printer {
 public:
  // `line`: null if it is wrong.
  Printer(const CommandLine* line, const PrintOptions& printing)
      : line_(line),
        printing_(printing),
        results_(line != nullptr && is_to_standard_output(*line) ? STDERR_FILENO : STDOUT_FILENO) {}

  // Returns the worst exit status so far.
  int add(const std::string& path, const Outcome& outcome) {
    const int status = printing_.json ? print_json(outcome) : print(path, outcome);
    return status_ = std::max(status_, status);
  }

  // Ends the JSON. Returns the exit status.
  int finish() {
    if (!printing_.json) return status_;
    return print_result(is_one_of_several() ? "]}\n" : "\n", status_);
  }

 private:
  bool is_one_of_several() const { return line_ != nullptr && line_->paths.size() > 1; }

  // Prints one object for several models:
  // {"verb", "model": "", "diagnostics": [], "reports": [...]}
  int print_json(const Outcome& outcome) {
    Pieces out(STDOUT_FILENO);
    if (is_one_of_several()) {
      JsonWriter head;
      add_head(head, {std::string(line_->verb->name)});
      out.add(count_++ > 0 ? "," : cat("{", head.text(), ",\"reports\":["));
    }
    const Put put_piece = [&](std::string_view piece) { return out.add(piece); };
    return result_of(write_json(outcome, put_piece) && out.flush(), outcome.status);
  }

  int print(const std::string& path, const Outcome& outcome) {
    const bool several = is_one_of_several();
    const Look look = look_at(results_, printing_);
    Pieces out(results_);
    const JsonTree tree = report_tree(outcome.report);
    const JsonValue report = tree.root();
    bool printed = !several || out.add(heading_text(path, look));
    if (printing_.github) {
      printed = printed && out.add(annotations_text(report, look, path));
    }
    printed = printed && out.flush();
    if (!printing_.github) {
      put(STDERR_FILENO,
          diagnostics_text(report, look_at(STDERR_FILENO, printing_), several ? path : ""));
    }
    if (outcome.status == kDone || outcome.status == kNo) {
      const Put put_piece = [&](std::string_view piece) { return out.add(piece); };
      printed = printed && write_text(outcome, report, look, put_piece) && out.flush();
    }
    return result_of(printed, outcome.status);
  }

  const CommandLine* line_;
  const PrintOptions& printing_;
  int results_;
  int status_ = kDone;
  size_t count_ = 0;  // of the reports that were printed as JSON
};

// The running command, for the report of an out-of-memory error.
struct Running {
  const CommandLine* line = nullptr;
  const PrintOptions* printing = nullptr;
  const std::string* path = nullptr;
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
  const Failure error = failure("out-of-memory", "there is not enough memory for this model", {},
                                "use a machine with more memory, or a part of the model");
  Printer printer(nullptr, *running.printing);
  printer.add(*running.path, cannot(running.line->verb->name, *running.path, *error));
  _exit(printer.finish());
}

int run(const CommandLine& line, const PrintOptions& printing) {
  constexpr size_t kReserve = size_t{1} << 20;
  Printer printer(&line, printing);
  std::vector<std::string> paths = line.paths;
  if (paths.empty()) paths.emplace_back();  // --explain
  for (const std::string& path : paths) {
    running = {&line, &printing, &path, std::make_unique_for_overwrite<char[]>(kReserve)};
    std::set_new_handler(end_without_memory);
    printer.add(path, run_command(line, path, printing));
  }
  return printer.finish();
}

size_t help_width() {
  const size_t width = terminal_width(STDOUT_FILENO);
  return width == 0 ? kHelpWidth : std::min(width, kMaxHelpWidth);
}

int main_with(const std::vector<std::string>& arguments) {
  const PrintOptions printing = print_options(arguments);
  const auto line = parse_command_line(arguments);
  if (!line) {
    Printer printer(nullptr, printing);
    printer.add("", cannot("", "", line.error()));
    return printer.finish();
  }
  if (line->version) return print_result(kVersion, kDone);
  if (line->verb->name == "help") {
    return print_result(help_text(find_verb(line->subject), help_width()),
                        arguments.empty() ? kBadCommandLine : kDone);
  }
  if (line->verb->name == "completion") {
    return print_result(completion_script(line->subject), kDone);
  }
  return run(*line, printing);
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
