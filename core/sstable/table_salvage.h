#pragma once

#include "bytes/damaged_part.h"
#include "sstable/block.h"

namespace cryo {

// Takes the blocks of a damaged table, one after the other.
class BlockVisitor {
 public:
  virtual ~BlockVisitor() = default;

  // Reads a block. It is lost if this fails with an error of the file.
  virtual Status read(BlockHandle block) = 0;

  // Takes the entries of the block that was read last.
  virtual Status take() = 0;
};

// Gives the blocks of a damaged table that `visitor` can read:
//
//     file      block a | block b, damaged | block c | metaindex | index | footer, cut off
//     taken     a, c
//     losses    the directory (no footer), block b
//
// The index gives the places of the blocks. Without it they are found from the beginning on: after
// damage, the next place at which a block begins whose checksum is right. Such a block is not
// compressed: TensorFlow compresses none of a checkpoint.
// Takes time in proportion to the file: gives up on the rest when it has looked at too much.
//
// Fails if the file cannot be read, with the error of take(), and with the table's fault if no
// block is whole.
Status for_each_whole_block(const SourcePtr& source, BlockVisitor& visitor, DamagedParts& losses);

// Gives the entries of the blocks whose checksum is right and whose keys go on from the block
// before. A block is given whole, or is lost.
Status for_each_whole_entry(const SourcePtr& source, EntryVisitor visit, DamagedParts& losses);

}  // namespace cryo
