#pragma once

#include "base/function_ref.h"
#include "bytes/checks.h"
#include "bytes/damaged_part.h"
#include "sstable/footer.h"

namespace cryo {

// A value of a table.
struct StoredValue {
  Slice bytes = {};  // as stored, to read structure from

  // The block that holds them; null if everything has been checked.
  std::shared_ptr<const CheckedSlice> block = {};

  // Returns a slice of `bytes`, or of the source that its source is a view of, which is checked
  // when it is read.
  Slice checked(const Slice& slice) const;
};

// Called for each entry in order; the key is good during the call only. An error ends the walk.
using ValueVisitor = FunctionRef<Status(std::string_view key, const StoredValue& value)>;

// Reads a table whose values are large (a V1 checkpoint: tensors), each as the slice of the file
// where it is stored. Only keys and lengths of a block are read. `checks` receives the blocks'
// checksums. A compressed block is unpacked and its checksum compared; its values are slices of
// memory. Lengths are checked as for_each_entry does, but not the order of the keys.
//
// With `losses` reads on after damage (sstable/table_salvage.h); a block is lost if its form is
// damaged. Its checksum is compared when its values are read, as ever.
Status for_each_value(const SourcePtr& source, ValueVisitor visit, Checks* checks = nullptr,
                      DamagedParts* losses = nullptr);

}  // namespace cryo
