#include "formats/format.h"

#include <algorithm>
#include <array>

#include "base/sort.h"
#include "base/text.h"
#include "checkpoint/checkpoint_v1.h"
#include "formats/arrays/arrays.h"
#include "formats/events/event_file.h"
#include "formats/pairing.h"
#include "formats/tensorflow/checkpoint_files.h"
#include "formats/tensorflow/graph_def.h"
#include "formats/tensorflow/meta_graph.h"
#include "formats/tensorflow/salvaged_message.h"
#include "formats/tensorflow/saved_model.h"
#include "formats/tfjs/tfjs.h"
#include "formats/tflite/tflite.h"
#include "wire/elide.h"
#include "wire/text/text_reader.h"

namespace cryo {
namespace {

std::string folder(std::string_view file) { return std::string(folder_of(file)); }

constexpr FormatFacts kFacts[] = {
#include "surface_formats.inc"
};

// REQUIRES: surface.json has a row of the name.
constexpr FormatFacts facts_of(std::string_view name) {
  size_t row = 0;
  while (kFacts[row].name != name) ++row;
  return kFacts[row];
}

// Only read, so no row under "formats".
constexpr FormatFacts kTflite{"tflite", ".tflite", false, true, true};

// In the order in which messages list them.
constexpr std::array kFormats = {
    Format{facts_of("savedmodel-pbtxt"), FileKind::kSavedModel, nullptr, write_saved_model_text,
           is_saved_model_part, folder},
    Format{facts_of("meta-pbtxt"), FileKind::kMetaGraph, nullptr, write_meta_graph_text,
           is_meta_graph_part, prefix_of},
    Format{facts_of("savedmodel"), FileKind::kSavedModel, read_saved_model, write_saved_model,
           is_saved_model_part, folder},
    Format{facts_of("tfjs"), FileKind::kTfjs, read_tfjs, write_tfjs, is_tfjs_part, folder},
    Format{kTflite, FileKind::kTflite, read_tflite, nullptr, nullptr, nullptr},
    Format{facts_of("pb"), FileKind::kGraphDef, read_graph_def, write_graph_def, nullptr, nullptr},
    Format{facts_of("pbtxt"), FileKind::kGraphDef, nullptr, write_graph_def_text, nullptr, nullptr},
    Format{facts_of("meta"), FileKind::kMetaGraph, read_meta_graph, write_meta_graph,
           is_meta_graph_part, prefix_of},
    Format{facts_of("checkpoint-v1"), FileKind::kCheckpointV1, read_checkpoint_v1_model,
           write_checkpoint_v1_model, is_checkpoint_v1_part, prefix_of_v1},
    Format{facts_of("checkpoint"), FileKind::kCheckpointIndex, read_checkpoint_model,
           write_checkpoint_model, is_checkpoint_part, prefix_of},
    Format{facts_of("npz"), FileKind::kNpz, read_npz_model, write_npz_model, nullptr, nullptr},
    Format{facts_of("npy"), FileKind::kNpy, read_npy_model, write_npy_model, nullptr, nullptr},
    Format{facts_of("safetensors"), FileKind::kSafetensors, read_safetensors_model,
           write_safetensors_model, nullptr, nullptr},
    Format{{"events", "", false, false, false},
           FileKind::kEvents,
           read_event_file,
           nullptr,
           nullptr,
           nullptr,
           true},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

const Format* find_format(FileKind kind) {
  const auto found = std::find_if(kFormats.begin(), kFormats.end(), [&](const Format& format) {
    return format.kind == kind && format.read != nullptr;
  });
  return found == kFormats.end() ? nullptr : &*found;
}

OpenContext::OpenContext(const std::vector<SourcePtr>& all, const OpenOptions& asked,
                         Diagnostics& log, Checks& list, DamagedParts& lost)
    : files(all), options(asked), diagnostics(log), checks(list), losses(lost) {
  for (const SourcePtr& file : files) by_name_.push_back(&file);
  sort(by_name_, [](const SourcePtr* a, const SourcePtr* b) {
    const int order = (*a)->name().compare((*b)->name());
    return order != 0 ? order < 0 : a < b;
  });
}

SourcePtr OpenContext::find(std::string_view name) const {
  const auto found = std::lower_bound(
      by_name_.begin(), by_name_.end(), name,
      [](const SourcePtr* file, std::string_view other) { return (*file)->name() < other; });
  const bool there = found != by_name_.end() && (**found)->name() == name;
  return there ? **found : nullptr;
}

Result<std::string> read_structure(const OpenContext& context, const SourcePtr& file,
                                   const MessageSchema& schema, Model& model) {
  TRY(head, read_up_to(*file, 0, kHeadBytes));
  if (is_text(head)) return read_text(whole(file), schema, *model.payloads, context.diagnostics);
  Result<std::string> structure = elide(whole(file), schema, *model.payloads);
  const bool damaged = !structure && structure.error().code == "malformed-message";
  if (!damaged || !context.options.salvage) return structure;
  TRY(salvaged, salvage_message(whole(file), schema));
  if (salvaged.message.size == 0) return structure;
  model.lost = std::move(salvaged.lost);
  *model.payloads = Payloads();
  return elide(salvaged.message, schema, *model.payloads);
}

}  // namespace cryo
