// Checkpoints of both kinds. The tensors that are written in either kind are read again as they
// were.

#include <map>

#include "formats/open.h"
#include "formats/write.h"
#include "input.h"
#include "model/variables.h"
#include "targets.h"

namespace cryo::fuzz {
namespace {

// Key -> bytes, of the tensors that are written and can be read. A graph names those it has
// variables for; the others are not written.
std::map<std::string, std::string> tensors_of(const Model& model) {
  std::map<std::string, std::string> tensors;
  for (const CheckpointEntry* entry : values_to_write(model)) {
    if (entry->fault != nullptr || entry->content.size() > kMaxBytes) continue;
    const auto content = entry->content.read_all();
    if (content && verify(*entry)) tensors[entry->key] = *content;
  }
  return tensors;
}

void write_and_read(const Model& model, const char* format) {
  Diagnostics diagnostics;
  const auto files = write(model, {format, "o.ckpt"}, diagnostics);
  if (!files) return;
  std::vector<SourcePtr> sources;
  for (const OutputFile& file : *files) {
    if (file.content.size() > kMaxBytes) return;
    const auto content = file.content.read_all();
    if (!content) return;
    sources.push_back(std::make_shared<MemorySource>(*content, file.path));
  }
  const auto again = open(sources, {}, diagnostics);
  assert(again.ok() && again->checkpoint != nullptr);
  assert(tensors_of(*again) == tensors_of(model));
}

}  // namespace

void fuzz_checkpoints(std::string_view input) {
  Diagnostics diagnostics;
  const auto model = open(files_of(input), {}, diagnostics);
  if (!model || model->checkpoint == nullptr) return;
  for (const char* format : {"checkpoint", "checkpoint-v1"}) write_and_read(*model, format);
}

}  // namespace cryo::fuzz
