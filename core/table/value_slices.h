#pragma once

#include "base/function_ref.h"
#include "bytes/splice.h"
#include "table/footer.h"

namespace cryo {

// Called for each entry in order; the key is good during the call only. An error ends the walk.
using ValueVisitor = FunctionRef<Status(std::string_view key, const Slice& value)>;

// Reads a table whose values are large (a V1 checkpoint: tensors), each as the slice of the file
// where it lies. Of a block only keys and lengths are read, so its checksum is not verified; one
// that is compressed is unpacked, and its values are slices of memory. What the lengths say is
// checked, as for_each_entry does, but not the order of the keys.
Status for_each_value(const SourcePtr& source, ValueVisitor visit);

// Reads all blocks of such a table once, in bounded steps, and compares their checksums. Fails with
// "checksum" at the first that differs.
Status verify_blocks(const SourcePtr& source);

}  // namespace cryo
