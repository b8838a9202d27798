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

// Reads the tensors, by ascending name. Reads only the header; contents are slices of the file.
//
// Fails with "bad-safetensors" if the header is not such JSON, if it names a tensor twice, or if
// the tensors do not fill the file without gaps, each of the size of its dtype and shape: the
// checks of safetensors' own reader. Fails with "too-large" for a header of more than 100 MB. A
// type that TensorFlow does not have is that entry's fault, "unsupported-dtype", reported in
// `diagnostics`.
Result<Checkpoint> read_safetensors(const SourcePtr& file, Diagnostics& diagnostics);

// Returns the file that safetensors' own writer writes of these tensors: ordered by type and name,
// so that all are aligned. Contents remain the same slices; nothing is read.
//
// Skipped with a warning: strings, resources, variants, complex128, names that are not text.
// Quantized types and 4-bit integers are written as plain integers with the same bits, with a
// warning. Fails as to_export does, and with "too-large" for names of 100 MB.
Result<Splice> write_safetensors(const std::vector<CheckpointEntry>& entries,
                                 Diagnostics& diagnostics);

}  // namespace cryo
