#include "laws.h"

#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "formats/recognize.h"

namespace cryo::laws {
namespace {

namespace fs = std::filesystem;

// Silences protobuf, as the hosts do: our diagnostics report its errors.
[[maybe_unused]] auto* const kLoggedBefore = google::protobuf::SetLogHandler(nullptr);

// Outputs of the fixtures by their paths; a frozen graph has those of its folder.
struct Known {
  std::vector<std::string> outputs = {};
  bool weightless = false;
};

std::map<std::string, Known> known_models() {
  const std::string folder = cat(source_folder(), "/tests/data/");
  const auto rows = nlohmann::json::parse(bytes_of(cat(folder, "fixtures.json")));
  std::map<std::string, Known> known;
  for (const auto& row : rows) {
    const std::string path = cat(folder, row["path"].get<std::string>());
    Known each{row["outputs"].get<std::vector<std::string>>(),
               row.contains("weightless") || row.contains("assigned")};
    if (row.contains("latest")) known[cat(path, row["latest"].get<std::string>(), ".meta")] = each;
    known[path] = each;
    if (row.contains("frozen"))
      known[cat(folder_of(path), row["frozen"].get<std::string>())] = each;
  }
  known[cat(source_folder(), "/web/samples/digits/model.ckpt.meta")] = {{"probabilities"}, false};
  return known;
}

bool is_graph(const std::string& path) {
  const auto found = recognise(std::make_shared<CountedFile>(path));
  return found && (found->kind == FileKind::kGraphDef || found->kind == FileKind::kMetaGraph);
}

std::vector<Case> find_cases() {
  const std::map<std::string, Known> known = known_models();
  std::vector<Case> all;
  for (const std::string& folder : {cat(source_folder(), "/tests/data"),
                                    cat(source_folder(), "/web/samples"), corpus_folder()}) {
    for (const std::string& path : files_below(folder)) {
      if ((!path.ends_with(".pb") && !path.ends_with(".meta")) || !is_graph(path)) continue;
      const auto found = known.find(path);
      if (found == known.end()) all.push_back({path});
      if (found != known.end())
        all.push_back({path, found->second.outputs, !found->second.weightless});
    }
  }
  return all;
}

}  // namespace

CountedFile::CountedFile(std::string path) : path_(std::move(path)), size_(fs::file_size(path_)) {}

Status CountedFile::read(uint64_t offset, std::span<char> out) const {
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(out.data(), static_cast<std::streamsize>(out.size()));
  read_ += out.size();
  if (!file) return failure("read-failed", cat("cannot read ", path_));
  return Unit{};
}

std::string Case::name() const {
  for (const std::string& folder : {source_folder(), corpus_folder()}) {
    if (!folder.empty() && path.starts_with(folder)) return path.substr(folder.size() + 1);
  }
  return path;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = find_cases();
  return all;
}

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> files;
  if (folder.empty()) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string source_folder() { return CRYOGRAPH_SOURCE_DIR; }

std::string corpus_folder() {
  const std::string folder = cat(source_folder(), "/../shared/corpus");
  return fs::is_directory(folder) ? folder : std::string();
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

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

const OpRegistry& ops() {
  static const Result<OpRegistry> registry =
      OpRegistry::parse(bytes_of(cat(source_folder(), "/core/graph/ops.bin")));
  return *registry;
}

Result<Model> run(const char* pass, const Model& model, const PassOptions& options, PassLog& log) {
  PassOptions with_ops = options;
  with_ops.ops = &ops();
  return run_pass(*find_pass(pass), model, with_ops, log);
}

Result<Model> run(const char* pass, const Model& model, const std::vector<std::string>& outputs,
                  PassLog& log) {
  PassOptions options;
  options.outputs = outputs;
  return run(pass, model, options, log);
}

Result<Model> run(const char* pass, const Model& model, const std::vector<std::string>& outputs) {
  PassLog log;
  return run(pass, model, outputs, log);
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

Tally::~Tally() {
  std::cout << law_ << ": held for " << held_;
  for (const auto& skipped : skipped_)
    std::cout << "; not tried, " << skipped.first << ": " << skipped.second;
  std::cout << std::endl;
}

}  // namespace cryo::laws
