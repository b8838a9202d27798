// Every verb with its options, over fixtures that were changed: one model, or two. Reports are JSON
// whose codes are explained, their texts hold nothing that a terminal obeys, a failure has an
// error, and what is written is opened again.

#include "commands/verbs.h"

#include <cstdlib>
#include <iostream>

#include "base/text.h"
#include "base/utf8.h"
#include "command.h"
#include "commands/command_line.h"
#include "commands/explain.h"
#include "commands/text/diagnostics_text.h"
#include "commands/text/outcome_text.h"
#include "commands/text/report_text.h"
#include "edits.h"
#include "fixtures.h"
#include "formats/open.h"
#include "formats/write.h"
#include "graph/op_registry.h"
#include "input.h"
#include "native/embedded_compat.h"
#include "native/embedded_ops.h"
#include "targets.h"

namespace cryo::fuzz {
namespace {

void print(std::string_view text) {
  if (std::getenv("FUZZ_PRINT") != nullptr) std::cerr << text << '\n';
}

bool is_plain(std::string_view text) {
  for (const std::string_view line : split(text, '\n')) {
    if (printable(line, line.size()) != line) return false;
  }
  return true;
}

void check_report(const Outcome& outcome) {
  const JsonTree tree = report_tree(outcome.report);  // which asserts that it is JSON
  for (const Diagnostic& each : outcome.report.diagnostics.all()) {
    assert(explain(each.code).status == kDone);
  }
  const size_t errors = outcome.report.diagnostics.count(Severity::kError);
  assert(outcome.status < kBadCommandLine || errors > 0);
  for (const bool verbose : {false, true}) {
    assert(is_plain(diagnostics_text(tree.root(), {.verbose = verbose})));
    if (outcome.status < kBadCommandLine)
      assert(is_plain(report_text(tree.root(), {.verbose = verbose})));
  }
}

// The files with their bytes; none where one cannot be read, or all are too large.
std::vector<SourcePtr> contents_of(const std::vector<OutputFile>& files) {
  std::vector<SourcePtr> sources;
  uint64_t bytes = 0;
  for (const OutputFile& file : files) bytes += file.content.size();
  if (bytes > kMaxBytes) return {};
  for (const OutputFile& file : files) {
    const auto content = file.content.read_all();
    if (!content) return {};
    sources.push_back(std::make_shared<MemorySource>(*content, file.path));
  }
  return sources;
}

void write_and_open(const Model& model, const Options& options) {
  Diagnostics diagnostics;
  const auto files = write(model, options.write, diagnostics);
  if (!files) return;
  const std::vector<SourcePtr> written = contents_of(*files);
  // A folder of arrays is as many models.
  if (written.empty() || written.front()->name().ends_with(".npy")) return;
  const auto again = open(written, {}, diagnostics);
  if (!again) print(to_text(again.error()));
  assert(again.ok());
}

// One of the fixtures, changed.
Result<Model> some_model(FuzzedDataProvider& choices, const OpenOptions& options,
                         Diagnostics& diagnostics) {
  const auto& all = fixtures();
  const Fixture& fixture = all[choices.ConsumeIntegralInRange<size_t>(0, all.size() - 1)];
  print(fixture.name);
  TRY(model, open(edited(fixture.files, choices), options, diagnostics));
  return edited(model, choices);
}

}  // namespace

void fuzz_verbs(std::string_view input) {
  static const auto ops = OpRegistry::parse(std::string(embedded_ops()));
  FuzzedDataProvider choices(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  Diagnostics opening;
  const auto model = some_model(choices, {}, opening);
  if (!model) return check_report(cannot("inspect", "m", model.error(), opening));
  const std::vector<std::string> command = command_of(*model, choices);
  print(join(command, " "));
  const auto line = parse_command_line(command);
  if (!line) return check_report(cannot("", "", line.error()));
  if (line->verb == nullptr || line->verb->alone) return;  // --version, help: of no model
  const auto parsed = options_of(line->options);
  if (!parsed) return check_report(cannot(line->verb->name, "m", parsed.error()));
  Options options = *parsed;
  if (!options.explain.empty()) return check_report(explain(options.explain));
  options.compat = {embedded_histories(), embedded_runtimes()};
  const auto other = some_model(choices, options.open, opening);
  if (!line->others.empty() && other) options.others = {&*other};
  const Outcome outcome = run_verb(line->verb->name, *model, options, &*ops, opening);
  check_report(outcome);
  if (outcome.model) write_and_open(*outcome.model, options);
}

}  // namespace cryo::fuzz
