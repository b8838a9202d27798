#include "formats/arrays/export.h"

#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"

namespace cryo {
namespace {

// "'a' (string), 'b' (string) and 3 more"
std::string keys_text(const std::vector<const CheckpointEntry*>& entries) {
  std::vector<std::string> names;
  for (const CheckpointEntry* entry : entries) {
    names.push_back(cat(quoted(entry->key), " (", dtype_name(entry->dtype), ")"));
  }
  return join(names, ", ", kMaxListed);
}

Status check_content(const CheckpointEntry& entry) {
  if (entry.fault) return *entry.fault;
  TRY(count, element_count(entry.shape));
  const DTypeInfo* info = find_dtype(entry.dtype);
  if (info->size == 0 ||
      (count == entry.content.size() / info->size && entry.content.size() % info->size == 0)) {
    return Unit{};
  }
  return failure("bad-content",
                 cat("expected the bytes of ", info->name, " ", to_text(entry.shape), "; found ",
                     entry.content.size()),
                 {.tensor = entry.key}, "the model is damaged: get it again from its source");
}

}  // namespace

Result<std::vector<const CheckpointEntry*>> to_export(const std::vector<CheckpointEntry>& entries,
                                                      std::string_view format,
                                                      bool (*takes)(const CheckpointEntry&),
                                                      Diagnostics& diagnostics) {
  std::vector<const CheckpointEntry*> taken;
  std::vector<const CheckpointEntry*> left_out;
  for (const CheckpointEntry& entry : entries) {
    const bool is_text = is_utf8(entry.key) && entry.key.find('\0') == std::string::npos;
    if (!is_text || !takes(entry)) {
      left_out.push_back(&entry);
      continue;
    }
    CHECK_OK(check_content(entry));
    taken.push_back(&entry);
  }
  if (taken.empty() && !left_out.empty()) {
    return failure(
        "no-weights",
        cat("none of ", plural(left_out.size(), "tensor"), " can be written to ", format, ": ",
            keys_text(left_out)),
        {}, "write a checkpoint, which holds all types and names: " OPTION("-o", "NAME.ckpt"));
  }
  if (!left_out.empty()) {
    diagnostics.warn("weights-left-out",
                     cat(plural(left_out.size(), "tensor"), " cannot be written to ", format, ": ",
                         keys_text(left_out)),
                     {}, "write a checkpoint, which holds all types and names");
  }
  return taken;
}

void warn_of_raw(const std::vector<const CheckpointEntry*>& raw, std::string_view format,
                 Diagnostics& diagnostics) {
  if (raw.empty()) return;
  diagnostics.warn("raw-numbers",
                   cat(plural(raw.size(), "tensor"), " of types that ", format,
                       " has no name for: written as integers of the same bits: ", keys_text(raw)),
                   {}, "view them as their type after reading, or write a checkpoint");
}

}  // namespace cryo
