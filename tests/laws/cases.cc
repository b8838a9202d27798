#include "cases.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/text.h"
#include "counted_file.h"
#include "formats/recognize.h"
#include "source_folder.h"

namespace cryo::laws {
namespace {

namespace fs = std::filesystem;

// Small, and each of another kind. Together they give every law something to hold for.
constexpr std::array kNear = {
    "cond_resource/model.ckpt.meta", "functional/model.ckpt.meta",
    "invalid/shape_mismatch.pb",     "objects/keras/saved/saved_model.pb",
    "partitioned/model.ckpt.meta",   "ref/frozen.pb",
    "ref/model.ckpt.meta",           "tflite/conv_int8.tflite",
    "typed_constants/graph.pb",      "v1/model.ckpt.meta",
    "while_trained/frozen.pb",       "while_trained/model.ckpt.meta",
};

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

bool is_near() {
  const char* const wanted = std::getenv("CRYOGRAPH_LAWS");
  return wanted != nullptr && std::string_view(wanted) == "near";
}

std::vector<std::string> model_paths() {
  std::vector<std::string> paths;
  if (is_near()) {
    for (const char* path : kNear) paths.push_back(cat(source_folder(), "/tests/data/", path));
    return paths;
  }
  for (const std::string& folder : {cat(source_folder(), "/tests/data"),
                                    cat(source_folder(), "/web/samples"), corpus_folder()}) {
    for (std::string& path : files_below(folder)) {
      const bool is_model =
          path.ends_with(".pb") || path.ends_with(".meta") || path.ends_with(".tflite");
      if (is_model) paths.push_back(std::move(path));
    }
  }
  return paths;
}

struct Found {
  std::vector<Case> cases = {};
  std::vector<std::string> saved_models = {};
};

Found find_models() {
  const std::map<std::string, Known> known = known_models();
  Found all;
  for (const std::string& path : model_paths()) {
    const auto file = recognise(std::make_shared<CountedFile>(path));
    if (!file) continue;
    if (file->kind == FileKind::kSavedModel) all.saved_models.push_back(path);
    constexpr std::array kCases = {FileKind::kGraphDef, FileKind::kMetaGraph, FileKind::kTflite};
    if (std::find(kCases.begin(), kCases.end(), file->kind) == kCases.end()) continue;
    Case each{path};
    each.place = all.cases.size();
    if (const auto found = known.find(path); found != known.end()) {
      each.outputs = found->second.outputs;
      each.known = !found->second.weightless;
    }
    all.cases.push_back(std::move(each));
  }
  return all;
}

const Found& found() {
  static const Found all = find_models();
  return all;
}

}  // namespace

std::string Case::name() const {
  for (const std::string& folder : {source_folder(), corpus_folder()}) {
    if (!folder.empty() && path.starts_with(folder)) return path.substr(folder.size() + 1);
  }
  return path;
}

std::string test_name(std::string path) {
  std::replace_if(
      path.begin(), path.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return path;
}

const std::vector<Case>& cases() { return found().cases; }

const std::vector<std::string>& saved_models() { return found().saved_models; }

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> files;
  if (folder.empty()) return files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string corpus_folder() {
  const std::string folder = cat(source_folder(), "/../shared/corpus");
  return fs::is_directory(folder) ? folder : std::string();
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace cryo::laws
