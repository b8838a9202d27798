#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "base/reference.h"
#include "base/text.h"
#include "bytes/coding.h"
#include "wire/elide.h"
#include "wire/nested_schema.h"

namespace cryo {
namespace {

// Puts bulk back. The first walk measures, so that the second can write each length before its
// message.
class Expander {
 public:
  explicit Expander(const Payloads& payloads) : payloads_(payloads) {}

  Status check(std::string_view skeleton, const MessageSchema& schema) {
    CHECK_OK(measure(skeleton, schema));
    return Unit{};
  }

  Result<Splice> run(std::string_view skeleton, const MessageSchema& schema) {
    CHECK_OK(measure(skeleton, schema));
    emit(skeleton, schema);
    return join();
  }

 private:
  struct Cut {
    uint64_t at;  // in fresh_
    const Payload* payload;
  };

  Result<uint64_t> measure(std::string_view message, const MessageSchema& schema);
  void emit(std::string_view message, const MessageSchema& schema);
  Splice join();
  static size_t length_width(const WireField& field, uint64_t length);

  const Payloads& payloads_;
  std::vector<uint64_t> lengths_;  // of messages that hold handles, in the order of the walk
  size_t next_length_ = 0;
  std::string fresh_;
  std::vector<Cut> cuts_;
};

// Returns the number of bytes of a nested message's tag: its record without body and length.
size_t tag_size(const WireField& field) {
  uint64_t tag = 0;
  std::string_view rest = field.record;
  const bool taken = take_varint(rest, tag);
  assert(taken);
  return field.record.size() - rest.size();
}

size_t Expander::length_width(const WireField& field, uint64_t length) {
  const size_t had = field.record.size() - field.bytes.size() - tag_size(field);
  return std::max(had, varint_size(length));
}

Result<uint64_t> Expander::measure(std::string_view message, const MessageSchema& schema) {
  uint64_t total = 0;
  WireCursor cursor(message);
  while (cursor.next()) {
    const WireField& field = cursor.field();
    const MessageSchema* inner = nested_schema(schema.find(field.number), field.type);
    if (is_handle(field)) {
      const Payload* payload = payloads_.find(field.value);
      assert(payload != nullptr);
      total += payload->record.size();
    } else if (inner != nullptr && holds_handles(field.bytes)) {
      const size_t slot = lengths_.size();
      lengths_.push_back(0);
      TRY(length, measure(field.bytes, *inner));
      lengths_[slot] = length;
      total += tag_size(field) + length_width(field, length) + length;
    } else {
      total += field.record.size();
    }
  }
  assert(cursor.ok());
  if (total > kMaxMessageBytes) {
    return failure("too-large",
                   cat("the message ", schema.name, " would be ", human_bytes(total),
                       "; protobuf, and so TensorFlow, reads at most 2 GiB"),
                   {},
                   "keep the weights outside of the graph: write a checkpoint (" OPTION("-o", "NAME.ckpt") "), "
                   "un-freezing the model first where it is frozen");
  }
  return total;
}

void Expander::emit(std::string_view message, const MessageSchema& schema) {
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    const MessageSchema* inner = nested_schema(schema.find(field.number), field.type);
    if (is_handle(field)) {
      cuts_.push_back({fresh_.size(), payloads_.find(field.value)});
    } else if (inner != nullptr && holds_handles(field.bytes)) {
      const uint64_t length = lengths_[next_length_++];
      fresh_ += field.record.substr(0, tag_size(field));
      put_varint(fresh_, length, length_width(field, length));
      emit(field.bytes, *inner);
    } else {
      fresh_ += field.record;
    }
  }
}

Splice Expander::join() {
  const auto source = std::make_shared<MemorySource>(std::move(fresh_));
  Splice out;
  uint64_t done = 0;
  for (const Cut& cut : cuts_) {
    out.append({source, done, cut.at - done});
    out.append(cut.payload->record);
    done = cut.at;
  }
  out.append({source, done, source->size() - done});
  return out;
}

}  // namespace

Status check_expanded_size(std::string_view skeleton, const MessageSchema& schema,
                           const Payloads& payloads) {
  return Expander(payloads).check(skeleton, schema);
}

Result<Splice> expand(std::string skeleton, const MessageSchema& schema, const Payloads& payloads) {
  if (!holds_handles(skeleton) && skeleton.size() <= kMaxMessageBytes) {
    return Splice(fresh(std::move(skeleton)));
  }
  return Expander(payloads).run(skeleton, schema);
}

}  // namespace cryo
