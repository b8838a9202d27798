#pragma once

#include "sstable/block.h"

namespace cryo {

// Reads a table from beginning to end: footer, index, each data block once. Verifies every
// checksum. Checks that keys strictly increase, in bytes, and that blocks do not overlap, so that
// time and memory are in proportion to the file.
Status for_each_entry(const ByteSource& source, EntryVisitor visit);

}  // namespace cryo
