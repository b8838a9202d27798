#pragma once

#include "sstable/block.h"

namespace cryo {

// Reads a table from beginning to end: footer, index, each data block once. Every checksum is
// verified. Keys are strictly increasing, in bytes; blocks do not overlap; both are enforced. So
// what it costs in time and memory is in proportion to the file.
Status for_each_entry(const ByteSource& source, EntryVisitor visit);

}  // namespace cryo
