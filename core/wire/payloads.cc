#include "wire/payloads.h"

#include <utility>

#include "bytes/coding.h"
#include "wire/cursor.h"

namespace cryo {

uint32_t Payloads::add(Payload payload) {
  all_.push_back(std::move(payload));
  return size() - 1;
}

const Payload* Payloads::find(uint64_t handle) const {
  const Payloads* table = this;
  while (handle < table->first_) table = table->below_.get();
  const uint64_t own = handle - table->first_;
  return own < table->all_.size() ? &table->all_[static_cast<size_t>(own)] : nullptr;
}

Payload make_payload(uint32_t number, const Splice& body) {
  std::string header;
  put_tag(header, number, WireType::kBytes);
  put_varint(header, body.size());
  Payload payload{number, static_cast<uint32_t>(header.size()), Splice(fresh(std::move(header)))};
  payload.record.append(body);
  return payload;
}

}  // namespace cryo
