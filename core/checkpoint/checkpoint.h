#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "bytes/checks.h"
#include "bytes/damaged_part.h"
#include "bytes/splice.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {

// A V2 checkpoint, TensorFlow's TensorBundle (tensorflow/core/util/tensor_bundle): names to
// tensors.
//
//     model.ckpt.index                  a table: "" -> BundleHeaderProto, name -> BundleEntryProto
//                                {dtype, shape, shard, offset, size, crc}
//     model.ckpt.data-00000-of-00002    the tensors' bytes, one after the other
//     model.ckpt.data-00001-of-00002
//
// Big-endian checkpoints (BundleHeaderProto.endianness) are supported: their numbers are swapped
// while they are read. Written checkpoints are little-endian.

// Bytes of a data file that have one checksum: a tensor, or one slice of it.
struct CheckpointPart {
  Slice bytes = {};
  int shard = 0;
  uint64_t elements = 0;
  uint32_t masked_crc = 0;

  // Set if a big-endian machine wrote the part: its bytes differ from the content
  // (checkpoint/big_endian.h).
  bool big_endian = false;

  // Compares the checksum when `bytes` are read through it; null if there is nothing to check.
  std::shared_ptr<const CheckedSlice> check = {};

  Slice checked_bytes() const { return check == nullptr ? bytes : whole(check); }
};

struct CheckpointEntry {
  std::string key = {};  // bytes, not always text
  DType dtype = DType::kInvalid;
  Shape shape = {};
  uint64_t bytes = 0;  // of the content, also if it is unavailable

  // The tensor's bytes, as content_checksum.h draws them; slices joined whole. Nothing of it has
  // been read.
  Splice content = {};

  // The ranges that the checksums cover, by ascending offset: one part, or one for each slice of a
  // partitioned variable.
  std::vector<CheckpointPart> parts = {};

  // All checksums that cover the content: those of the parts; of a V1 checkpoint the blocks', of an
  // array in a zip file the member's.
  std::vector<std::shared_ptr<const Checked>> checks = {};

  // The reason why there is no content (which is then empty), e.g. a missing data file, or an index
  // that points outside its data; null if there is content.
  std::shared_ptr<const Diagnostic> fault = {};
};

struct Checkpoint {
  std::string prefix = {};  // "model.ckpt"
  int num_shards = 1;
  std::vector<std::string> missing_shards =
      {};  // names of the data files that entries need and that are not there
  std::vector<CheckpointEntry> entries = {};  // by ascending key

  // nullptr if there is none of this key.
  const CheckpointEntry* find(std::string_view key) const;
};

// Returns the data file of a shard; null if it is missing.
using FindShard = FunctionRef<SourcePtr(int shard, int num_shards)>;

// Reads the index, and only the sizes of the data files. Fails if the file is not an index or is
// damaged. A problem of one tensor becomes that entry's fault and is reported in `diagnostics`;
// missing shards are reported there once. `checks` may be null: contents are then checked too.
// `losses`: null, or receives what is not whole of a damaged index.
Result<Checkpoint> read_checkpoint(const SourcePtr& index, FindShard find_shard,
                                   Diagnostics& diagnostics, Checks* checks = nullptr,
                                   DamagedParts* losses = nullptr);

// Reads the parts of a save that was not merged (checkpoint/unmerged.h), in their order, as the
// checkpoint PREFIX; their shards are numbered consecutively. `find_data` returns a data file by
// its name, null if it is missing.
using FindData = FunctionRef<SourcePtr(const std::string& name)>;
Result<Checkpoint> read_unmerged_checkpoint(const std::vector<SourcePtr>& indexes,
                                            const std::string& prefix, FindData find_data,
                                            Diagnostics& diagnostics, Checks* checks = nullptr,
                                            DamagedParts* losses = nullptr);

// Reads the bytes of a tensor that were not read yet, in bounded steps, and compares the checksums.
// Fails with "checksum"; with "bad-content" if the bytes do not follow the layout of the type; with
// the entry's fault.
Status verify(const CheckpointEntry& entry);

// Returns the masked checksum of an entry's whole content if the stored ones determine it without
// reading: the content is its parts one after the other. nullopt if slices interleave, or if there
// is no content.
std::optional<uint32_t> known_checksum(const CheckpointEntry& entry);

// Returns a data file of the checkpoint verbatim; its tensors are checked when they are read.
Splice checked_file(const Checkpoint& checkpoint, const SourcePtr& file);

// "model.ckpt", 0, 2 -> "model.ckpt.data-00000-of-00002".
std::string checkpoint_shard_name(std::string_view prefix, int shard, int num_shards);

// Returns the prefix: "model.ckpt.index" -> "model.ckpt"; a name that does not end in ".index"
// unchanged.
std::string checkpoint_prefix(std::string_view index_name);

}  // namespace cryo
