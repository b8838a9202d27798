#pragma once

#include <string_view>

#include "base/function_ref.h"
#include "sstable/footer.h"

namespace cryo {

// Called for each entry in order: its key, good during the call only, and the place of its value in
// the file. An error ends the walk.
using PlaceVisitor = FunctionRef<Status(std::string_view key, uint64_t offset, uint64_t size)>;

// Walks the entries of a block that is not compressed, where it is stored: keys and lengths are
// read, values are leapt over. Lengths are checked as for_each_block_entry() does; the checksum is
// not compared.
Status for_each_stored_entry(const ByteSource& source, BlockHandle block, PlaceVisitor visit);

}  // namespace cryo
