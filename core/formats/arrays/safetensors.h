#pragma once

#include <string_view>
#include <vector>

#include "checkpoint/checkpoint.h"

namespace cryo {

// A `.safetensors` file (github.com/huggingface/safetensors, its format.md):
//
//     18 00 00 00 00 00 00 00 | {"w":{"dtype":"F32", ...}}    | 00 00 80 3F ...
//     the header's length     | JSON, blanks at its end       | the tensors' bytes, without gaps

// Does a file of this size that begins like this look like one? Nine bytes of `head` are enough.
bool looks_like_safetensors(std::string_view head, uint64_t size);

// The tensors by ascending name. Reads the header alone; contents are slices of the file.
//
// "bad-safetensors" where the header is no such JSON, names a tensor twice, or where the tensors do
// not fill the file one after the other without gaps, each of the size that its dtype and shape ask
// for: as safetensors' own reader checks. "too-large" for a header of more than 100 MB. A type that
// TensorFlow does not have is that entry's fault, "unsupported-dtype", told in `diagnostics`.
Result<Checkpoint> read_safetensors(const SourcePtr& file, Diagnostics& diagnostics);

// What safetensors' own writer writes of these tensors: ordered by type and name, so that all are
// aligned. Contents are the slices they were; nothing is read.
//
// Left out with a warning: strings, resources, variants, complex128, names that are not text.
// Quantized types and integers of 4 bits are written as plain integers of the same bits, with a
// warning. Fails as to_export does, and with "too-large" for names of 100 MB.
Result<Splice> write_safetensors(const std::vector<CheckpointEntry>& entries,
                                 Diagnostics& diagnostics);

}  // namespace cryo
