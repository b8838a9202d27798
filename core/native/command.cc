#include "native/command.h"

#include "base/text.h"
#include "commands/explain.h"
#include "commands/session.h"
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

// The place of the files that a command writes.
struct Destination {
  const Options& options;
  const Sources& inputs;
  bool shown;  // progress is
};

// Puts files in place, after their checksums were compared.
Status put_files(const OutputSet& set, const Destination& to) {
  ProgressBar bar("writing", to.shown);
  const auto check_inputs = [&]() -> Status {
    CHECK_OK(finish_checks(set.checks));
    return check_unchanged(to.inputs);
  };
  const auto progress = [&](uint64_t done, uint64_t total) { bar.show(done, total); };
  const std::string& out = to.options.write.out;
  if (out == kStandardOutput) return write_to_standard_output(set.files, check_inputs, progress);
  return save(set.files, out, to.options.force, check_inputs, progress);
}

// Writes the model that a verb made of `from`, or a picture, and reports the files.
Status write_made(const OpenModel& from, Outcome& outcome, const Destination& to,
                  const HostData& data, Diagnostics& diagnostics) {
  OutputSet set{outcome.files};
  if (outcome.model) {
    TRY(files, files_of(taken_model(outcome, from, to.options), to.options, diagnostics));
    set = std::move(files);
  }
  CHECK_OK(put_files(set, to));
  add_written(outcome.report, set, count_checks(set.checks));
  add_requested_snippet(outcome.report, set, outcome.outputs, to.options, data);
  return Unit{};
}

// Opens the model of a path; its files are added to `inputs`.
Result<OpenModel> open_path(const std::string& path, OpenOptions asked, Diagnostics& opening,
                            Sources& inputs, const ReadMeter& meter) {
  TRY(gathered, gather(path, asked.checkpoint));
  meter.watch(gathered.files);
  inputs.insert(inputs.end(), gathered.files.begin(), gathered.files.end());
  asked.path = gathered.asked;
  asked.capped = gathered.capped;
  return open_model(gathered.files, asked, opening);
}

HostData embedded_data() {
  HostData data{.compat = {embedded_histories(), embedded_runtimes()}};
  Result<OpRegistry> ops = OpRegistry::parse(std::string(embedded_ops()));
  if (ops) data.ops = std::move(*ops);
  return data;
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
  const auto open_one = [&](const std::string& from) -> Result<OpenModel> {
    TRY(model, open_path(from, options.open, opening, inputs, meter));
    meter.expect(model.model);
    return std::move(model);
  };
  const Result<OpenModel> model = open_one(path);
  if (!model) return cannot(verb, path, with_near_verb(line, model.error()), opening);
  options.open.checkpoint.clear();  // is the first model's
  std::vector<OpenModel> others;
  for (const std::string& each : line.others) {
    Result<OpenModel> other = open_one(each);
    if (!other) return cannot(verb, each, other.error(), opening);
    others.push_back(std::move(*other));
  }
  std::vector<const OpenModel*> all;
  for (const OpenModel& other : others) all.push_back(&other);
  const HostData data = embedded_data();
  Outcome outcome = run_on(*model, verb, options, all, data);
  meter.end();
  const Status unchanged = check_unchanged(inputs);
  if (!unchanged) return cannot(verb, path, unchanged.error(), opening);
  if (!outcome.model && outcome.files.empty()) return outcome;
  Diagnostics writing;
  const Status written = write_made(*model, outcome, {options, inputs, shown}, data, writing);
  add_diagnostics(outcome.report, writing);
  if (written) return outcome;
  outcome.report.diagnostics.add(written.error());
  outcome.status = status_of(written.error());
  return outcome;
}

}  // namespace cryo
