#include "model/format.h"

#include <algorithm>
#include <array>

#include "model/formats/arrays.h"
#include "model/formats/checkpoint.h"
#include "model/formats/graph_def.h"
#include "model/formats/meta_graph.h"
#include "model/formats/saved_model.h"
#include "model/formats/tfjs.h"
#include "wire/elide.h"
#include "wire/text_reader.h"

namespace cryo {
namespace {

// A file that is a whole model.
bool owns_nothing(std::string_view, std::string_view) { return false; }

constexpr std::array kFormats = {
    Format{"savedmodel-pbtxt", "saved_model.pbtxt", FileKind::kSavedModel, nullptr,
           write_saved_model_text, is_saved_model_part},
    Format{"meta-pbtxt", ".meta.pbtxt", FileKind::kMetaGraph, nullptr, write_meta_graph_text,
           is_meta_graph_part},
    Format{"savedmodel", "/", FileKind::kSavedModel, read_saved_model, write_saved_model,
           is_saved_model_part},
    Format{"tfjs", ".json", FileKind::kTfjs, read_tfjs, write_tfjs, is_tfjs_part},
    Format{"pb", ".pb", FileKind::kGraphDef, read_graph_def, write_graph_def, owns_nothing},
    Format{"pbtxt", ".pbtxt", FileKind::kGraphDef, nullptr, write_graph_def_text, owns_nothing},
    Format{"meta", ".meta", FileKind::kMetaGraph, read_meta_graph, write_meta_graph,
           is_meta_graph_part},
    Format{"checkpoint-v1", "", FileKind::kCheckpointV1, read_checkpoint_v1_model,
           write_checkpoint_v1_model, is_checkpoint_v1_part},
    Format{"checkpoint", ".ckpt", FileKind::kCheckpointIndex, read_checkpoint_model,
           write_checkpoint_model, is_checkpoint_part},
    Format{"npz", ".npz", FileKind::kNpz, read_npz_model, write_npz_model, owns_nothing},
    Format{"", "", FileKind::kNpy, read_npy_model, nullptr, owns_nothing},
    Format{"safetensors", ".safetensors", FileKind::kSafetensors, read_safetensors_model,
           write_safetensors_model, owns_nothing},
};

}  // namespace

std::span<const Format> formats() { return kFormats; }

const Format* find_format(FileKind kind) {
  const auto found = std::find_if(kFormats.begin(), kFormats.end(), [&](const Format& format) {
    return format.kind == kind && format.read != nullptr;
  });
  return found == kFormats.end() ? nullptr : &*found;
}

SourcePtr Opening::find(std::string_view name) const {
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const SourcePtr& file) { return file->name() == name; });
  return found == files.end() ? nullptr : *found;
}

Result<std::string> read_structure(const SourcePtr& file, const MessageSchema& schema,
                                   Payloads& payloads, Diagnostics& diagnostics) {
  TRY(head, read_up_to(*file, 0, kHeadBytes));
  return is_text(head) ? read_text(whole(file), schema, payloads, diagnostics)
                       : elide(whole(file), schema, payloads);
}

}  // namespace cryo
