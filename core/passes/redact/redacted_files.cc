#include "passes/redact/redacted_files.h"

#include <algorithm>

#include "base/sort.h"
#include "base/text.h"
#include "base/utf8.h"
#include "checkpoint/object_graph.h"
#include "model/string_tensor.h"
#include "tensor/strings.h"
#include "tensor/views/repeated_source.h"
#include "wire/fields.h"

namespace cryo {
namespace {

constexpr std::string_view kAssets = "assets/";

// Larger files become empty.
constexpr uint64_t kMaxAssetBytes = uint64_t{256} << 20;

// Returns `count` texts as plain content: the given ones, of which the last repeats.
Result<Splice> text_content(const std::vector<std::string>& texts, uint64_t count) {
  return strings_of_values(string_vector(texts), Payloads(), count);
}

Result<Splice> zero_content(const CheckpointEntry& entry, Redaction& redaction) {
  TRY(count, element_count(entry.shape));
  if (entry.dtype != DType::kString) {
    return Splice(repeated(fresh(std::string(1, '\0')), entry.bytes));
  }
  if (entry.key != kObjectGraphKey) return text_content({""}, count);
  const auto objects = read_object_graph(entry);
  if (!objects) return text_content({""}, count);
  return text_content({redaction.message(*objects, "tensorflow.TrackableObjectGraph")}, count);
}

// Returns a text of as many lines and columns, or no text for other bytes.
std::string redacted_text(std::string_view text) {
  std::string made;
  if (!is_utf8(text) || text.find('\0') != std::string_view::npos) return made;
  uint64_t line = 1;
  bool begins = true;
  for (const char c : text) {
    const bool separates = c == '\n' || c == '\r' || c == '\t' || c == ',' || c == ' ';
    if (separates) {
      made += c;
    } else if (begins) {
      made += cat(line);
    }
    begins = separates;
    line += c == '\n' ? 1 : 0;
  }
  return made;
}

}  // namespace

Result<Checkpoint> redacted_checkpoint(const Checkpoint& checkpoint, Redaction& redaction,
                                       NeutralNames& names) {
  Checkpoint made;
  made.prefix = checkpoint.prefix;
  for (const CheckpointEntry& each : checkpoint.entries) {
    if (each.fault != nullptr || each.dtype == DType::kVariant) continue;
    CheckpointEntry entry;
    entry.key = names.name(each.key);
    entry.dtype = each.dtype;
    entry.shape = each.shape;
    TRY(content, zero_content(each, redaction));
    entry.content = std::move(content);
    entry.bytes = entry.content.size();
    if (each.key != kObjectGraphKey) redaction.tensors().remove(each.bytes);
    made.entries.push_back(std::move(entry));
  }
  sort(made.entries,
       [](const CheckpointEntry& a, const CheckpointEntry& b) { return a.key < b.key; });
  return made;
}

Result<std::vector<SavedModelParts::File>> redacted_assets(
    const std::vector<SavedModelParts::File>& files, NeutralNames& names) {
  std::vector<SavedModelParts::File> made;
  for (const SavedModelParts::File& each : files) {
    if (!each.path.starts_with(kAssets)) continue;
    const std::string path = cat(kAssets, names.name(each.path.substr(kAssets.size())));
    std::string text;
    if (each.source->size() <= kMaxAssetBytes) {
      TRY(bytes, read_up_to(*each.source, 0, kMaxAssetBytes));
      text = redacted_text(bytes);
    }
    made.push_back({path, std::make_shared<const MemorySource>(std::move(text), path)});
  }
  return made;
}

}  // namespace cryo
