#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "bytes/splice.h"

namespace cryo {

// Bulk that was taken out of a message: one whole encoded field, of which only the header was read.
//
//     record:  22 80 80 40  | 00 00 80 3F 00 00 00 40 ...
//              tag, length  | body (a megabyte of tensor_content)
struct Payload {
  uint32_t field = 0;   // its number in the message it was taken from
  uint32_t header = 0;  // bytes of tag and length
  Splice record = {};

  Splice body() const { return record.sub(header, record.size() - header); }
};

// The field number of a handle: `payload = index` (a varint) takes the place of each bulky field
// that was taken out. proto/tensor.proto declares it in TensorProto; elsewhere it is an unknown
// field. A field of this number in the input is itself taken out, so the two are never confused.
constexpr uint32_t kPayloadField = 2047;

// The payloads of a model. The table only grows, so a handle stays good. A pass adds to one of its
// own above that of the model that it is given, which remains as it is:
//
//     opened      0 1 2 3
//     frozen      0 1 2 3 | 4 5         handles below 4 are looked up in the opened model's
class Payloads {
 public:
  Payloads() = default;

  // Has all that `below` has now; what is added to that later is not in it.
  explicit Payloads(std::shared_ptr<const Payloads> below)
      : below_(std::move(below)), first_(below_->size()) {}

  uint32_t add(Payload payload);
  uint32_t size() const { return first_ + static_cast<uint32_t>(all_.size()); }

  // Returns true if nothing was added above the table below.
  bool adds_nothing() const { return all_.empty(); }

  // nullptr for a handle that names nothing.
  const Payload* find(uint64_t handle) const;

 private:
  std::shared_ptr<const Payloads> below_;
  uint32_t first_ = 0;  // the first handle of its own
  std::vector<Payload> all_;
};

// A field made here: `bytes` as field `number` of its message.
Payload make_payload(uint32_t number, const Splice& body);

}  // namespace cryo
