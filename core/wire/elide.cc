#include "wire/elide.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>
#include <vector>

#include "base/text.h"
#include "bytes/coding.h"
#include "wire/cursor.h"
#include "wire/window.h"

namespace cryo {
namespace {

constexpr uint64_t kMaxHeader = 5 + kMaxVarint64;  // tag and length

struct Header {
  uint32_t number = 0;
  WireType type = WireType::kVarint;
  uint64_t value = 0;  // of a varint; the length of length-delimited bytes
  size_t tag_size = 0;
  size_t size = 0;  // tag and value or length
};

// Tag, and varint or length, at the front of `bytes`; false if they are malformed or cut short.
bool read_header(std::string_view bytes, Header& header) {
  const size_t available = bytes.size();
  uint64_t tag = 0;
  if (!take_varint(bytes, tag) || tag > std::numeric_limits<uint32_t>::max()) return false;
  header.number = static_cast<uint32_t>(tag >> 3);
  header.type = static_cast<WireType>(tag & 7);
  header.tag_size = available - bytes.size();
  header.value = 0;
  const bool valued = header.type == WireType::kVarint || header.type == WireType::kBytes;
  if (valued && !take_varint(bytes, header.value)) return false;
  header.size = available - bytes.size();
  return header.number != 0 && (tag & 7) <= 5;
}

// Bytes after the header, where the header tells; a group's are not told.
uint64_t body_size(const Header& header) {
  switch (header.type) {
    case WireType::kBytes:
      return header.value;
    case WireType::kFixed64:
      return 8;
    case WireType::kFixed32:
      return 4;
    default:
      return 0;
  }
}

// The schema of a nested message; nullptr where the field is anything else.
const MessageSchema* nested_schema(const FieldSchema* field, WireType type) {
  const bool nested = field != nullptr && field->message != nullptr && type == WireType::kBytes;
  return nested ? field->message : nullptr;
}

// REQUIRES: the field is not a nested message.
bool is_bulk(const MessageSchema& schema, const FieldSchema* field, const Header& header) {
  if (header.type != WireType::kBytes) return false;
  if (field != nullptr && field->type == FieldType::kString) return false;
  return header.value > (schema.name == "tensorflow.TensorProto" ? kBulkTensorBytes : kBulkBytes);
}

class Elider {
 public:
  Elider(const Slice& message, Payloads& payloads) : window_(message), payloads_(payloads) {}

  Result<std::string> run(const MessageSchema& schema) {
    CHECK_OK(message(schema, window_.left(), 0));
    return std::move(skeleton_);
  }

 private:
  Status message(const MessageSchema& schema, uint64_t end, int depth);
  Status field(const MessageSchema& schema, const Header& header, uint64_t end, int depth);
  Status nested(const MessageSchema& schema, const Header& header, int depth);
  Status group(const Header& start, uint64_t end, int depth);
  Status take_out(const Header& header);
  Status next_header(uint64_t end, Header& header);
  Status copy(uint64_t count);
  Failure malformed(std::string_view what) const;

  Window window_;
  Payloads& payloads_;
  std::string skeleton_;
};

Failure Elider::malformed(std::string_view what) const {
  if (!window_.ok()) return failure(window_.error());
  return failure("malformed-message", cat("the file is not a valid protobuf message: ", what),
                 {.file = window_.slice().source->name(),
                  .offset = window_.slice().offset + window_.position()},
                 "it is damaged, cut short, or another kind of file: get it again from its source");
}

Status Elider::next_header(uint64_t end, Header& header) {
  const uint64_t room = end - window_.position();
  const std::string_view ahead = window_.peek(std::min(kMaxHeader, room));
  if (!read_header(ahead.substr(0, static_cast<size_t>(std::min(room, kMaxHeader))), header)) {
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
    Header header;
    CHECK_OK(next_header(end, header));
    CHECK_OK(field(schema, header, end, depth));
  }
  return Unit{};
}

Status Elider::field(const MessageSchema& schema, const Header& header, uint64_t end, int depth) {
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
Status Elider::nested(const MessageSchema& schema, const Header& header, int depth) {
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

// Groups are not TensorFlow's: kept as they are, bulk and all.
Status Elider::group(const Header& start, uint64_t end, int depth) {
  if (depth > kMaxDepth) return malformed("groups nest deeper than 100");
  CHECK_OK(copy(start.size));
  while (window_.position() < end) {
    Header header;
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

Status Elider::take_out(const Header& header) {
  const uint64_t size = header.size + body_size(header);
  const Slice& from = window_.slice();
  Payload payload{header.number, static_cast<uint32_t>(header.size), {}};
  payload.record.append({from.source, from.offset + window_.position(), size});
  put_varint_field(skeleton_, kPayloadField, payloads_.add(std::move(payload)));
  window_.skip(size);
  return Unit{};
}

// How a handle's tag lies on the wire; where these two bytes are not, no handle is.
constexpr std::string_view kHandleTag = "\xF8\x7F";

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

bool holds_handles(std::string_view message) {
  return message.find(kHandleTag) != std::string_view::npos;
}

bool is_handle(const WireField& field) {
  return field.number == kPayloadField && field.type == WireType::kVarint;
}

// Bytes that a nested message's tag takes: what is left of its record without body and length.
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
                   "keep the weights outside of the graph: write a checkpoint (-o NAME.ckpt), "
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

Result<std::string> elide(const Slice& message, const MessageSchema& schema, Payloads& payloads) {
  return Elider(message, payloads).run(schema);
}

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
