#include <algorithm>

#include "base/sort.h"
#include "base/text.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/checkpoint_data.h"
#include "checkpoint/checkpoint_index.h"
#include "checkpoint/checkpoint_slices.h"
#include "checkpoint/tensor_slice.h"
#include "checkpoint/unmerged.h"

namespace cryo {
namespace {

Status fill(CheckpointEntry& entry, const CheckpointIndex& index, const CheckpointData& data,
            const IndexRecord& record) {
  TRY(spec, read_spec(record, record.key));
  entry.shape = spec.shape;
  entry.bytes = spec.bytes();
  if (record.entry.slices_size() > 0) {
    TRY(joined, join_tensor(index, data, record, spec));
    entry.content = std::move(joined.content);
    entry.parts = std::move(joined.parts);
    return Unit{};
  }
  if (spec.element_size == 0 && record.entry.size() > 0) {
    entry.bytes = static_cast<uint64_t>(record.entry.size());
  }
  TRY(part, data.find_part(record, spec, record.key));
  TRY(content, data.content(part, spec, record.key));
  entry.content = Splice(std::move(content));
  entry.parts.push_back(std::move(part));
  return Unit{};
}

void add_checks(CheckpointEntry& entry) {
  for (const CheckpointPart& part : entry.parts) {
    if (part.check != nullptr) entry.checks.push_back(part.check);
  }
}

// Tensors that share bytes: TensorFlow reads them, but never writes them.
void warn_of_overlaps(const Checkpoint& checkpoint, Diagnostics& diagnostics) {
  struct FileRange {
    const CheckpointPart* part;
    const CheckpointEntry* entry;
  };
  std::vector<FileRange> all;
  for (const CheckpointEntry& entry : checkpoint.entries) {
    for (const CheckpointPart& part : entry.parts) {
      if (part.bytes.size > 0) all.push_back({&part, &entry});
    }
  }
  sort(all, [](const FileRange& a, const FileRange& b) {
    return a.part->shard != b.part->shard ? a.part->shard < b.part->shard
                                          : a.part->bytes.offset < b.part->bytes.offset;
  });
  for (size_t i = 1; i < all.size(); ++i) {
    const CheckpointPart& one = *all[i - 1].part;
    const CheckpointPart& next = *all[i].part;
    if (one.shard != next.shard || one.bytes.offset + one.bytes.size <= next.bytes.offset) continue;
    diagnostics.warn("shared-bytes",
                     cat("shares bytes with '", printable_key(all[i - 1].entry->key),
                         "', and there may be more like it"),
                     {.file = next.bytes.source->name(),
                      .offset = next.bytes.offset,
                      .tensor = all[i].entry->key},
                     "check what wrote the checkpoint: TensorFlow gives each tensor its own bytes");
    return;
  }
}

// `file`: the name of the index.
Result<Checkpoint> read_tensors(const CheckpointIndex& index, const std::string& file,
                                FindShard find_shard, Diagnostics& diagnostics, Checks* checks) {
  const CheckpointData data(index, file, find_shard, checks);
  Checkpoint checkpoint;
  checkpoint.prefix = checkpoint_prefix(file);
  checkpoint.num_shards = index.header.num_shards();
  checkpoint.missing_shards = data.missing();
  if (!data.missing().empty()) {
    const Failure missing = data.missing_shards();
    diagnostics.warn(missing->code, missing->message, missing->where, missing->fix);
  }
  for (const IndexRecord& record : index.records) {
    if (is_slice_key(record.key)) continue;
    CheckpointEntry entry;
    entry.key = record.key;
    entry.dtype = static_cast<DType>(record.entry.dtype());
    if (const Status status = fill(entry, index, data, record); !status) {
      Diagnostic fault = status.error();
      if (fault.where.file.empty()) fault.where.file = file;
      if (fault.code != "missing-shard") diagnostics.add(fault);
      entry.fault = std::make_shared<const Diagnostic>(std::move(fault));
    }
    add_checks(entry);
    checkpoint.entries.push_back(std::move(entry));
  }
  warn_of_overlaps(checkpoint, diagnostics);
  return checkpoint;
}

// Sets the number of shards of an index without a header, by the data files that are there.
void set_shards(CheckpointIndex& index, FindShard find_shard) {
  constexpr int kMaxTried = 1000;
  if (index.header.num_shards() > 0) return;
  int last = 0;
  for (const IndexRecord& record : index.records) {
    const int shard = record.entry.shard_id();
    if (shard < kMaxTried) last = std::max(last, shard);
  }
  int count = last + 1;
  while (count < kMaxTried && find_shard(last, count) == nullptr) ++count;
  index.header.set_num_shards(count == kMaxTried ? last + 1 : count);
}

}  // namespace

Result<Checkpoint> read_checkpoint(const SourcePtr& index_source, FindShard find_shard,
                                   Diagnostics& diagnostics, Checks* checks, DamagedParts* losses) {
  TRY(index, read_checkpoint_index(index_source, losses));
  set_shards(index, find_shard);
  return read_tensors(index, index_source->name(), find_shard, diagnostics, checks);
}

Result<Checkpoint> read_unmerged_checkpoint(const std::vector<SourcePtr>& indexes,
                                            const std::string& prefix, FindData find_data,
                                            Diagnostics& diagnostics, Checks* checks,
                                            DamagedParts* losses) {
  const auto find_in_part = [&](size_t part, int shard, int count) {
    const std::string part_prefix = checkpoint_prefix(indexes[part]->name());
    return find_data(checkpoint_shard_name(part_prefix, shard, count));
  };
  std::vector<CheckpointIndex> parts;
  std::vector<int> counts;  // of shards
  for (const SourcePtr& source : indexes) {
    TRY(part, read_checkpoint_index(source, losses));
    set_shards(part, [&](int i, int n) { return find_in_part(parts.size(), i, n); });
    counts.push_back(part.header.num_shards());
    parts.push_back(std::move(part));
  }
  TRY(merged, merge_indexes(std::move(parts), indexes.front()->name()));
  const auto find_shard = [&](int shard, int) -> SourcePtr {
    size_t part = 0;
    while (part + 1 < counts.size() && shard >= counts[part]) shard -= counts[part++];
    return find_in_part(part, shard, counts[part]);
  };
  return read_tensors(merged, cat(prefix, ".index"), find_shard, diagnostics, checks);
}

}  // namespace cryo
