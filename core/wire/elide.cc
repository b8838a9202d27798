#include "wire/elide.h"

#include <algorithm>
#include <utility>

#include "base/reference.h"
#include "base/text.h"
#include "bytes/coding.h"
#include "wire/field_header.h"
#include "wire/forward_reader.h"
#include "wire/nested_schema.h"

namespace cryo {
namespace {

// REQUIRES: the field is not a nested message.
bool is_bulk(const MessageSchema& schema, const FieldSchema* field, const FieldHeader& header) {
  if (header.type != WireType::kBytes) return false;
  if (field != nullptr && field->type == FieldType::kString) return false;
  return header.value > (schema.name == "tensorflow.TensorProto" ? kBulkTensorBytes : kBulkBytes);
}

// Most messages are small and hold no bulk: those are copied whole.
constexpr uint64_t kSmallMessage = 1024;

// Returns true if a message is well-formed and has no bulk. Returns false if the walk, field by
// field, is needed to find what is wrong.
bool is_plain(std::string_view message, const MessageSchema& schema, int depth) {
  if (depth > kMaxDepth) return false;
  FieldHeader header;
  while (!message.empty()) {
    if (!read_field_header(message, header) || header.number == kPayloadField) return false;
    if (header.type == WireType::kGroup || header.type == WireType::kEndGroup) return false;
    message.remove_prefix(header.size);
    if (body_size(header) > message.size()) return false;
    const std::string_view body = message.substr(0, static_cast<size_t>(body_size(header)));
    const FieldSchema* known = schema.find(header.number);
    const MessageSchema* inner = nested_schema(known, header.type);
    const bool plain =
        inner != nullptr ? is_plain(body, *inner, depth + 1) : !is_bulk(schema, known, header);
    if (!plain) return false;
    message.remove_prefix(body.size());
  }
  return true;
}

constexpr uint64_t kMaxReserved = uint64_t{64} * 1024 * 1024;

class Elider {
 public:
  Elider(const Slice& message, Payloads& payloads) : window_(message), payloads_(payloads) {}

  // A text that grows is in memory twice while it moves. So room is reserved for a message without
  // bulk, and given back by one that has much; pages that are not written take no memory.
  Result<std::string> run(const MessageSchema& schema) {
    skeleton_.reserve(static_cast<size_t>(std::min(window_.left(), kMaxReserved)));
    CHECK_OK(message(schema, window_.left(), 0));
    if (skeleton_.size() < skeleton_.capacity() / 2) skeleton_.shrink_to_fit();
    return std::move(skeleton_);
  }

 private:
  Status message(const MessageSchema& schema, uint64_t end, int depth);
  Status field(const MessageSchema& schema, const FieldHeader& header, uint64_t end, int depth);
  Status nested(const MessageSchema& schema, const FieldHeader& header, int depth);
  Status group(const FieldHeader& start, uint64_t end, int depth);
  Status take_out(const FieldHeader& header);
  Status next_header(uint64_t end, FieldHeader& header);
  Status copy(uint64_t count);
  Failure malformed(std::string_view what) const;

  ForwardReader window_;
  Payloads& payloads_;
  std::string skeleton_;
};

Failure Elider::malformed(std::string_view what) const {
  if (!window_.ok()) return failure(window_.error());
  return failure("malformed-message", cat("the file is not a valid protobuf message: ", what),
                 {.file = window_.slice().source->name(),
                  .offset = window_.slice().offset + window_.position()},
                 "it is damaged, cut short, or another kind of file: get it again from its "
                 "source" ADVICE("or-salvage"));
}

Status Elider::next_header(uint64_t end, FieldHeader& header) {
  const uint64_t room = end - window_.position();
  const std::string_view ahead = window_.peek(std::min(kMaxFieldHeader, room));
  if (!read_field_header(ahead.substr(0, static_cast<size_t>(std::min(room, kMaxFieldHeader))),
                         header)) {
    return malformed("expected a field's tag and length");
  }
  if (body_size(header) > room - header.size) {
    return malformed(cat("field ", header.number, " of ", plural(body_size(header), "byte"),
                         " does not fit in what is left of its message (", room - header.size,
                         ")"));
  }
  return Unit{};
}

Status Elider::copy(uint64_t count) {
  while (count > 0) {
    const std::string_view ahead = window_.peek(std::min<uint64_t>(count, Splice::kStep));
    if (!window_.ok()) return window_.error();
    const uint64_t step = std::min<uint64_t>(count, ahead.size());
    skeleton_ += ahead.substr(0, static_cast<size_t>(step));
    window_.skip(step);
    count -= step;
  }
  return Unit{};
}

Status Elider::message(const MessageSchema& schema, uint64_t end, int depth) {
  if (depth > kMaxDepth) return malformed("messages nest deeper than 100");
  while (window_.position() < end) {
    FieldHeader header;
    CHECK_OK(next_header(end, header));
    CHECK_OK(field(schema, header, end, depth));
  }
  return Unit{};
}

Status Elider::field(const MessageSchema& schema, const FieldHeader& header, uint64_t end,
                     int depth) {
  if (header.type == WireType::kEndGroup) return malformed("a group ends that did not begin");
  if (header.type == WireType::kGroup) return group(header, end, depth + 1);
  const FieldSchema* known = schema.find(header.number);
  if (const MessageSchema* inner = nested_schema(known, header.type)) {
    return nested(*inner, header, depth);
  }
  if (header.number == kPayloadField || is_bulk(schema, known, header)) return take_out(header);
  return copy(header.size + body_size(header));
}

// A nested message keeps the width of its length, whatever becomes of its value.
Status Elider::nested(const MessageSchema& schema, const FieldHeader& header, int depth) {
  const uint64_t whole = header.size + header.value;
  if (whole <= kSmallMessage) {
    const std::string_view bytes = window_.peek(whole).substr(0, static_cast<size_t>(whole));
    if (window_.ok() && is_plain(bytes.substr(header.size), schema, depth + 1)) return copy(whole);
  }
  const size_t width = header.size - header.tag_size;
  CHECK_OK(copy(header.size));
  const size_t body = skeleton_.size();
  CHECK_OK(message(schema, window_.position() + header.value, depth + 1));
  std::string length;
  put_varint(length, skeleton_.size() - body, width);
  // Only handles for many tiny fields of our own number could make a message grow past its length's
  // width.
  if (length.size() > width) return malformed(cat("unexpected fields numbered ", kPayloadField));
  skeleton_.replace(body - width, width, length);
  return Unit{};
}

// TensorFlow has no groups: they are kept verbatim, including their bulk.
Status Elider::group(const FieldHeader& start, uint64_t end, int depth) {
  if (depth > kMaxDepth) return malformed("groups nest deeper than 100");
  CHECK_OK(copy(start.size));
  while (window_.position() < end) {
    FieldHeader header;
    CHECK_OK(next_header(end, header));
    if (header.type == WireType::kGroup) {
      CHECK_OK(group(header, end, depth + 1));
      continue;
    }
    CHECK_OK(copy(header.size + body_size(header)));
    if (header.type != WireType::kEndGroup) continue;
    if (header.number != start.number) break;
    return Unit{};
  }
  return malformed("a group does not end");
}

Status Elider::take_out(const FieldHeader& header) {
  const uint64_t size = header.size + body_size(header);
  const Slice& from = window_.slice();
  Payload payload{header.number, static_cast<uint32_t>(header.size), {}};
  payload.record.append({from.source, from.offset + window_.position(), size});
  put_varint_field(skeleton_, kPayloadField, payloads_.add(std::move(payload)));
  window_.skip(size);
  return Unit{};
}

}  // namespace

Result<std::string> elide(const Slice& message, const MessageSchema& schema, Payloads& payloads) {
  return Elider(message, payloads).run(schema);
}

}  // namespace cryo
