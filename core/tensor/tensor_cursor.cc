#include "tensor/tensor_cursor.h"

#include <cassert>

#include "base/text.h"

namespace cryo {

bool TensorCursor::next() {
  payload_ = nullptr;
  if (!cursor_.next()) return false;
  const WireField& field = cursor_.field();
  if (field.number == kPayloadField && field.type == WireType::kVarint) {
    payload_ = payloads_.find(field.value);
    assert(payload_ != nullptr);
  }
  return true;
}

bool TensorCursor::is(uint32_t number, WireType type) const {
  if (payload_ != nullptr) return payload_->field == number && type == WireType::kBytes;
  return cursor_.field().number == number && cursor_.field().type == type;
}

uint64_t TensorCursor::size() const {
  return is_bulk() ? payload_->record.size() - payload_->header : bytes().size();
}

Splice TensorCursor::body() const {
  return is_bulk() ? payload_->body() : Splice(fresh(std::string(bytes())));
}

void TensorCursor::append_to(SpliceBuilder& out) const {
  if (is_bulk()) {
    out.add(payload_->body());
  } else {
    out.bytes() += bytes();
  }
}

Failure malformed_tensor(std::string_view what) {
  return failure("malformed-message", cat("the tensor is not a valid TensorProto: ", what), {},
                 "the file is damaged: get it again from its source");
}

}  // namespace cryo
