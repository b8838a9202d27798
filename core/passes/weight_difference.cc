#include "passes/weight_difference.h"

#include "base/text.h"
#include "bytes/crc32c.h"
#include "bytes/splice_reader.h"
#include "tensor/content.h"

namespace cryo {
namespace {

// The checksum of a content that is being read, compared with the stored one at the end.
class RunningChecksum {
 public:
  // Compares at once what does not cover the content as it is read.
  static Result<RunningChecksum> begin(const CheckpointEntry& entry) {
    RunningChecksum checksum(entry, known_checksum(entry));
    if (!checksum.stored_) CHECK_OK(verify(entry));
    return checksum;
  }

  void take(std::string_view bytes) {
    if (stored_) crc_ = crc32c_extend(crc_, bytes);
  }

  // Bytes that are, with all before them, those that `twin` took.
  void take_alike(const RunningChecksum& twin, std::string_view bytes) {
    if (!twin.stored_) return take(bytes);
    crc_ = twin.crc_;
  }

  Status finish() const {
    if (!stored_ || unmask_crc(*stored_) == crc_) return Unit{};
    const Slice& first = entry_->parts.front().bytes;
    return failure("checksum",
                   cat("Checksum does not match: stored ", unmask_crc(*stored_),
                       " vs. calculated on the restored bytes ", crc_),
                   {.file = first.source->name(), .offset = first.offset, .tensor = entry_->key},
                   "the data file is damaged, or is not the index's: copy both again");
  }

 private:
  RunningChecksum(const CheckpointEntry& entry, std::optional<uint32_t> stored)
      : entry_(&entry), stored_(stored) {}

  const CheckpointEntry* entry_;
  std::optional<uint32_t> stored_;
  uint32_t crc_ = 0;
};

// Of what has no elements of a fixed size: strings one by one, all else as a whole.
Result<Difference> difference_of_unsized(const CheckpointEntry& a, const CheckpointEntry& b) {
  CHECK_OK(verify(a));
  CHECK_OK(verify(b));
  TRY(count, element_count(a.shape));
  if (a.dtype == DType::kString) return difference_of_strings(a.content, b.content, count);
  TRY(same, same_bytes(a.content, b.content));
  Difference difference;
  difference.count = same ? 0 : 1;
  return difference;
}

Failure bad_size(const CheckpointEntry& entry) {
  return failure("bad-content",
                 cat("expected the bytes of ", dtype_name(entry.dtype), " ", to_text(entry.shape),
                     "; found ", entry.content.size()),
                 {.tensor = entry.key}, "the model is damaged: get it again from its source");
}

}  // namespace

Result<Difference> difference_of(const CheckpointEntry& a, const CheckpointEntry& b) {
  if (a.fault) return *a.fault;
  if (b.fault) return *b.fault;
  const DTypeInfo* type = find_dtype(a.dtype);
  if (type == nullptr || type->size == 0) return difference_of_unsized(a, b);
  TRY(count, element_count(a.shape));
  for (const CheckpointEntry* entry : {&a, &b}) {
    const uint64_t size = entry->content.size();
    if (size % type->size != 0 || size / type->size != count) return bad_size(*entry);
  }
  TRY(checksum_a, RunningChecksum::begin(a));
  TRY(checksum_b, RunningChecksum::begin(b));
  DifferenceTaker taker(a.dtype);
  PairedSteps steps(a.content, b.content);
  while (!steps.done()) {
    CHECK_OK(steps.next());
    taker.take(steps.a(), steps.b());
    checksum_a.take(steps.a());
    const bool alike = taker.difference().count == 0;
    alike ? checksum_b.take_alike(checksum_a, steps.b()) : checksum_b.take(steps.b());
  }
  CHECK_OK(checksum_a.finish());
  CHECK_OK(checksum_b.finish());
  return taker.difference();
}

}  // namespace cryo
