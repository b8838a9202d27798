#pragma once

#include "bytes/loss.h"
#include "sstable/block.h"

namespace cryo {

// Reads the whole blocks of a damaged table: those whose checksum is right and whose keys go on
// from the block before. A block is given whole, or is lost.
//
//     file      block a | block b, damaged | block c | metaindex | index | footer, cut off
//     visited   a's entries, c's entries
//     losses   the directory (no footer), block b
//
// The index gives the places of the blocks. Without it they are found from the beginning on: after
// damage, the next place at which a block begins whose checksum is right. Such a block is not
// compressed: TensorFlow compresses none of a checkpoint's index.
// Takes time in proportion to the file: gives up on the rest when it has looked at too much.
//
// Fails if the file cannot be read, with the error of `visit`, and with the table's fault if no
// block is whole.
Status for_each_whole_entry(const ByteSource& source, EntryVisitor visit, Losses& losses);

}  // namespace cryo
