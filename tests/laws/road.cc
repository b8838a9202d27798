#include "road.h"

#include <google/protobuf/stubs/logging.h>

#include <filesystem>

#include "base/text.h"
#include "formats/write.h"
#include "source_folder.h"

namespace cryo::laws {
namespace {

namespace fs = std::filesystem;

// Silences protobuf, as the hosts do: our diagnostics report its errors.
[[maybe_unused]] auto* const kLoggedBefore = google::protobuf::SetLogHandler(nullptr);

}  // namespace

Opened::Opened(const Case& of) : model(failure("not-opened", "")) {
  std::vector<SourcePtr> sources;
  for (const auto& entry : fs::directory_iterator(fs::path(of.path).parent_path())) {
    if (!entry.is_regular_file()) continue;
    files.push_back(std::make_shared<CountedFile>(entry.path().string()));
    sources.push_back(files.back());
  }
  model = open(sources, {of.path}, diagnostics);
}

uint64_t Opened::bytes_read() const {
  uint64_t bytes = 0;
  for (const auto& file : files) bytes += file->bytes_read();
  return bytes;
}

const Opened& Road::opened() {
  if (!opened_) opened_.emplace(of_);
  return *opened_;
}

const Made& Road::once(const std::string& step, const char* pass, const Model& model,
                       const Options& options) {
  const auto found = made_.find(step);
  if (found != made_.end()) return found->second;
  MadeModel report;
  Result<Model> made = run(pass, model, options, report);
  return made_.emplace(step, Made{std::move(made), std::move(report)}).first->second;
}

const Made& Road::pruned() { return once("pruned", "prune", model(), with_outputs(of_.outputs)); }

const Made& Road::frozen() { return once("frozen", "freeze", model(), with_outputs(of_.outputs)); }

const Made& Road::unfrozen() { return once("unfrozen", "unfreeze", model(), {}); }

const Made& Road::unfrozen_again() {
  return once("unfrozen again", "unfreeze", *frozen().model, {});
}

const Made& Road::redacted() {
  Options options;
  options.edit.redact = true;
  return once("redacted", "edit", model(), options);
}

Road& Road::second() {
  if (!second_) second_ = std::make_unique<Road>(of_);
  return *second_;
}

const OpRegistry& ops() {
  static const Result<OpRegistry> registry =
      OpRegistry::parse(bytes_of(cat(source_folder(), "/core/data/ops.bin")));
  return *registry;
}

Options with_outputs(const std::vector<std::string>& outputs) {
  Options options;
  options.prune.selection.outputs = options.freeze.selection.outputs = outputs;
  return options;
}

Result<Model> run(const char* verb, const Model& model, const Options& options, MadeModel& report) {
  Diagnostics diagnostics;
  Status made = make_model(*find_model_verb(verb), model, options, &ops(), diagnostics, report);
  if (!made) return std::move(made).failure();
  return std::move(report.model);
}

Result<Model> run(const char* verb, const Model& model, const std::vector<std::string>& outputs) {
  MadeModel report;
  return run(verb, model, with_outputs(outputs), report);
}

Written written(const Model& model, const std::string& form) {
  Diagnostics diagnostics;
  const auto files = write(model, {form, "out"}, diagnostics);
  if (!files) return {{"", files.error().code}};
  Written all;
  for (const OutputFile& file : *files) {
    const auto bytes = file.content.read_all();
    all[file.path] = bytes ? *bytes : bytes.error().code;
  }
  return all;
}

}  // namespace cryo::laws
