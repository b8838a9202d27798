// Models of TensorFlow.js, their manifests and their weights. What is written is read again, and
// written the same.

#include "formats/open.h"
#include "formats/write.h"
#include "input.h"
#include "targets.h"

namespace cryo::fuzz {
namespace {

// Name, bytes; nothing where they cannot be written.
using Written = std::vector<std::pair<std::string, std::string>>;
Written written(const Model& model) {
  Diagnostics diagnostics;
  const auto files = write(model, {"tfjs", "model.json"}, diagnostics);
  Written all;
  if (!files) return all;
  for (const OutputFile& file : *files) {
    if (file.content.size() > kMaxBytes) return {};
    const auto content = file.content.read_all();
    if (!content) return {};
    all.emplace_back(file.path, *content);
  }
  return all;
}

}  // namespace

void fuzz_tfjs(std::string_view input) {
  Diagnostics diagnostics;
  const auto model = open(files_of(input), {}, diagnostics);
  if (!model || model->tfjs == nullptr) return;
  // A model that no pass changed is written as its own files: a copy of it is not.
  Model copy = *model;
  copy.tfjs = nullptr;
  for (const Model& each : {*model, copy}) {
    const Written once = written(each);
    std::vector<SourcePtr> sources;
    for (const auto& [name, bytes] : once)
      sources.push_back(std::make_shared<MemorySource>(bytes, name));
    if (sources.empty()) continue;
    const auto again = open(sources, {}, diagnostics);
    assert(again.ok());
    assert(written(*again) == once);
  }
}

}  // namespace cryo::fuzz
