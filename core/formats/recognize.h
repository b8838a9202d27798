#pragma once

#include <string>

#include "bytes/source.h"

namespace cryo {

// The kind of a file, determined from its content and never from its name.
enum class FileKind {
  kGraphDef,
  kMetaGraph,
  kSavedModel,
  kCheckpointIndex,  // of a V2 checkpoint
  kCheckpointV1,
  kTfjs,  // the model.json of TensorFlow.js, or an older one's weights_manifest.json
  kTflite,
  kCheckpointState,  // the text file `checkpoint`
  kNpz,
  kNpy,
  kSafetensors,
  kEvents,   // of a summary writer, which may hold the graph
  kArchive,  // zip, tar, gzip: of a model, perhaps
  kChunked,  // .cpb: a model in Riegeli records, known and not read
  kOther,    // known by name, but no model that can be opened
  kUnknown,
};

struct Recognition {
  FileKind kind = FileKind::kUnknown;
  std::string what = {};  // in words: "a PNG image", "a GraphDef (binary)"
  std::string fix = {};   // the fix if it cannot be opened
  std::string why = {};   // the reason for this kind if the file could be read as another one too
};

// Returns true if the beginning of a file is text: the only control characters are blanks. In the
// wire format one of the first bytes is a tag or a length that is a control character.
bool is_text(std::string_view head);

// The number of bytes from a file's beginning that determine its kind.
constexpr uint64_t kHeadBytes = 512;

// Cheap (reads the head and the tail) and total: whatever the bytes, there is an answer. A failed
// read is an error.
// `salvage`: a damaged file may be read, all of it, and known by its name.
Result<Recognition> recognise(const SourcePtr& source, bool salvage = false);

}  // namespace cryo
