#include "wire/schema_match.h"

#include <algorithm>

#include "bytes/coding.h"
#include "wire/cursor.h"

namespace cryo {
namespace {

// Enough fields to distinguish the kinds of file, few enough to stay cheap on any input.
constexpr int kFieldsLookedAt = 24;
constexpr int kDepthLookedAt = 4;
constexpr uint64_t kHead = 4096;

// Control characters do not occur in the names and texts that TensorFlow's string fields hold.
bool is_text(std::string_view bytes) {
  return std::none_of(bytes.begin(), bytes.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r';
  });
}

// Every node has an op. A message with a name in the same field and no op, among fields that a
// graph does not have, is something else, e.g. the log of TensorFlow's profiler (OpLogProto).
constexpr char kOpTag = 0x12;

class Judge {
 public:
  // `head`: the first bytes of a message of `size` bytes.
  void message(std::string_view head, uint64_t size, const MessageSchema& schema, int depth);
  SchemaMatch result;

 private:
  bool field(std::string_view& head, uint64_t& left, const MessageSchema& schema, int depth);
};

void Judge::message(std::string_view head, uint64_t size, const MessageSchema& schema, int depth) {
  if (depth > kDepthLookedAt) return;
  const bool whole = head.size() == size;
  bool lacks_op = schema.name == "tensorflow.NodeDef";
  for (int i = 0; i < kFieldsLookedAt && !head.empty(); ++i) {
    if (head[0] == kOpTag) lacks_op = false;
    if (!field(head, size, schema, depth)) return;
  }
  if (whole && lacks_op && result.unknown > 0) ++result.unknown;
}

// Judges the first field of `head` and removes it; false if the message cannot be followed further.
bool Judge::field(std::string_view& head, uint64_t& left, const MessageSchema& schema, int depth) {
  const size_t before = head.size();
  uint64_t tag = 0;
  uint64_t value = 0;
  if (!take_varint(head, tag)) return false;
  const auto type = static_cast<WireType>(tag & 7);
  const FieldSchema* known =
      schema.find(static_cast<uint32_t>(std::min<uint64_t>(tag >> 3, 1U << 29)));
  const bool good = known != nullptr && fits_wire(*known, type);
  ++(good ? result.known : result.unknown);
  if ((tag & 7) > 5 || type == WireType::kGroup || type == WireType::kEndGroup) return false;
  const bool valued = type == WireType::kVarint || type == WireType::kBytes;
  if (valued && !take_varint(head, value)) return false;
  const uint64_t body = type == WireType::kBytes     ? value
                        : type == WireType::kFixed64 ? 8
                        : type == WireType::kFixed32 ? 4
                                                     : 0;
  left -= before - head.size();
  if (body > left) {
    if (depth == 0) result.ends_early = true;
    if (depth > 0) ++result.unknown;
    return false;
  }
  const std::string_view bytes =
      head.substr(0, static_cast<size_t>(std::min<uint64_t>(body, head.size())));
  if (good && known->message != nullptr) message(bytes, body, *known->message, depth + 1);
  if (good && known->type == FieldType::kString && !is_text(bytes)) ++result.unknown;
  head.remove_prefix(bytes.size());
  left -= body;
  return bytes.size() == body;
}

}  // namespace

Result<SchemaMatch> match_schema(const Slice& message, const MessageSchema& schema) {
  std::string head(static_cast<size_t>(std::min(message.size, kHead)), '\0');
  CHECK_OK(read_exactly(*message.source, message.offset, head));
  Judge judge;
  judge.message(head, message.size, schema, 0);
  return judge.result;
}

}  // namespace cryo
