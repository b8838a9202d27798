#include "native/command.h"

#include "base/text.h"
#include "commands/explain.h"
#include "commands/snippet.h"
#include "graph/op_registry.h"
#include "native/embedded_compat.h"
#include "native/embedded_ops.h"
#include "native/file_source.h"
#include "native/gather.h"
#include "native/progress_bar.h"
#include "native/save.h"
#include "native/standard_output.h"

namespace cryo {
namespace {

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

// Counts what is read of all files, and shows it.
class ReadMeter {
 public:
  explicit ReadMeter(bool shown) : bar_("reading", shown) {}

  void watch(const Sources& files) const {
    for (const SourcePtr& each : files) {
      const auto* file = dynamic_cast<const FileSource*>(each.get());
      if (file != nullptr) file->count_reads(&count_);
    }
  }

  // Adds the files of an opened model to those that are going to be read.
  void expect(const Model& model) {
    for (const SourcePtr& file : model.files) total_ += file->size();
  }

  void end() { bar_.end(); }

 private:
  ProgressBar bar_;
  uint64_t done_ = 0;
  uint64_t total_ = 0;
  std::function<void(uint64_t)> count_ = [this](uint64_t bytes) {
    bar_.show(done_ += bytes, total_);
  };
};

// Writes what a verb made, and reports the files.
class Writer {
 public:
  Writer(const Options& options, const Sources& inputs, const OpRegistry* ops, bool shown)
      : options_(options), inputs_(inputs), ops_(ops), bar_("writing", shown) {}

  void run(Outcome& outcome) {
    Diagnostics diagnostics;
    const Status written = write_files(outcome, diagnostics);
    if (!written) {
      diagnostics.add(written.error());
      outcome.status = status_of(written.error());
    }
    add_diagnostics(outcome.report, diagnostics);
  }

 private:
  Status write_files(Outcome& outcome, Diagnostics& diagnostics) {
    TRY(files, files_of(options_, outcome, diagnostics));
    const CheckLists checks = outcome.model ? outcome.model->checks : CheckLists();
    CHECK_OK(put_files(files, checks));
    add_outputs(outcome.report, files);
    add_checked(outcome.report, count_checks(checks));
    if (options_.snippet) {
      add_snippet(outcome.report.members, {*outcome.model, options_.write, outcome.outputs, ops_});
    }
    return Unit{};
  }

  Status put_files(const std::vector<OutputFile>& files, const CheckLists& checks) {
    const auto check_inputs = [&]() -> Status {
      CHECK_OK(finish_checks(checks));
      return check_unchanged(inputs_);
    };
    const auto progress = [&](uint64_t done, uint64_t total) { bar_.show(done, total); };
    const std::string& out = options_.write.out;
    if (out == kStandardOutput) return write_to_standard_output(files, check_inputs, progress);
    return save(files, out, options_.force, check_inputs, progress);
  }

  const Options& options_;
  const Sources& inputs_;
  const OpRegistry* ops_;
  ProgressBar bar_;
};

// Opens the model of a path; its files are added to `inputs`.
Result<Model> open_path(const std::string& path, OpenOptions asked, Diagnostics& opening,
                        Sources& inputs, const ReadMeter& meter) {
  TRY(gathered, gather(path, asked.checkpoint));
  meter.watch(gathered.files);
  inputs.insert(inputs.end(), gathered.files.begin(), gathered.files.end());
  asked.path = gathered.asked;
  Result<Model> model = open(gathered.files, asked, opening);
  if (gathered.warning && (!model || gathered.asked.empty())) opening.add(*gathered.warning);
  return model;
}

Failure for_the_npm_command(std::string_view verb) {
  return failure("npm-command", cat(verb, " needs JavaScript, which this program does not run"), {},
                 cat("install the npm package cryograph: npx cryograph ", verb));
}

}  // namespace

Outcome run_command(const CommandLine& line, const std::string& path,
                    const PrintOptions& printing) {
  const std::string verb(line.verb->name);
  const auto parsed = options_of(line.options);
  if (!parsed) return cannot(verb, path, parsed.error());
  if (line.verb->npm_only) return cannot(verb, path, *for_the_npm_command(verb));
  Options options = *parsed;
  options.brief = !printing.json && !printing.verbose;
  if (!options.explain.empty()) return explain(options.explain);
  const bool shown = !printing.quiet && !printing.json;
  ReadMeter meter(shown);
  Sources inputs;
  Diagnostics opening;
  const auto open_one = [&](const std::string& from) -> Result<Model> {
    TRY(model, open_path(from, options.open, opening, inputs, meter));
    meter.expect(model);
    return std::move(model);
  };
  const Result<Model> model = open_one(path);
  if (!model) return cannot(verb, path, with_near_verb(line, model.error()), opening);
  options.open.checkpoint.clear();  // is the first model's
  std::vector<Model> others;
  for (const std::string& each : line.others) {
    Result<Model> other = open_one(each);
    if (!other) return cannot(verb, each, other.error(), opening);
    others.push_back(std::move(*other));
  }
  std::vector<const Model*> all;
  for (const Model& other : others) all.push_back(&other);
  options.others = std::move(all);
  const Result<OpRegistry> ops = OpRegistry::parse(std::string(embedded_ops()));
  const OpRegistry* known_ops = ops ? &*ops : nullptr;
  options.compat = {embedded_histories(), embedded_runtimes()};
  Outcome outcome = run_verb(verb, *model, options, known_ops, opening);
  meter.end();
  const Status unchanged = check_unchanged(inputs);
  if (!unchanged) return cannot(verb, path, unchanged.error(), opening);
  if (outcome.model || !outcome.files.empty())
    Writer(options, inputs, known_ops, shown).run(outcome);
  return outcome;
}

}  // namespace cryo
