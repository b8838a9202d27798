#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cryo {

enum class WireType : uint8_t {
  kVarint = 0,
  kFixed64 = 1,
  kBytes = 2,
  kGroup = 3,
  kEndGroup = 4,
  kFixed32 = 5
};

// Nesting beyond this is refused, as libprotobuf does.
constexpr int kMaxDepth = 100;

// The most that protobuf can read or write as one message.
constexpr uint64_t kMaxMessageBytes = 0x7FFFFFFF;

// One field of a message, as encoded.
struct WireField {
  uint32_t number = 0;
  WireType type = WireType::kVarint;
  uint64_t value = 0;            // of a varint or a fixed
  std::string_view bytes = {};   // the body of a length-delimited field or of a group
  std::string_view record = {};  // all of it: tag, length and body
};

// Walks the fields of one message in memory. The error is sticky: loop on next(), then ask ok()
// once.
//
//   for (WireCursor cursor(message); cursor.next();) { ... cursor.field() ... }
class WireCursor {
 public:
  explicit WireCursor(std::string_view message) : rest_(message) {}

  // False at the end of the message and at the first malformed field.
  bool next();
  const WireField& field() const { return field_; }
  bool ok() const { return ok_; }

 private:
  bool read_field();

  std::string_view rest_;
  WireField field_;
  bool ok_ = true;
};

// The last occurrence of a length-delimited field (the one that counts, for a string); empty if
// there is none.
std::string_view last_bytes(std::string_view message, uint32_t number);

// Appends fields to a message being written.
void put_tag(std::string& out, uint32_t number, WireType type);
void put_bytes_field(std::string& out, uint32_t number, std::string_view bytes);
void put_varint_field(std::string& out, uint32_t number, uint64_t value);

}  // namespace cryo
