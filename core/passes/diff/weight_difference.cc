#include "passes/diff/weight_difference.h"

#include "base/text.h"
#include "bytes/splice_reader.h"
#include "tensor/content.h"

namespace cryo {
namespace {

// Compares tensors without a fixed element size: strings one by one, others as a whole.
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
  DifferenceTaker taker(a.dtype);
  PairedSteps steps(a.content, b.content);
  while (!steps.done()) {
    CHECK_OK(steps.next());
    taker.take(steps.a(), steps.b());
  }
  CHECK_OK(verify(a));
  CHECK_OK(verify(b));
  return taker.difference();
}

}  // namespace cryo
