#pragma once

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bytes/coding.h"
#include "wire/cursor.h"
#include "wire/schema.h"

namespace cryo {

// Messages as lists of fields, before they are bytes: what the wire format lets a writer choose
// (how wide a varint is, in which order fields come) is chosen when they are written.

struct WireMessage;

struct LogicalField {
  uint32_t number = 1;
  WireType type = WireType::kVarint;
  uint64_t value = 0;                               // of a varint or a fixed
  std::string bytes = {};                           // of a length-delimited field
  std::shared_ptr<const WireMessage> message = {};  // a nested one or a group, in place of bytes
};

inline LogicalField holder(uint32_t number, WireType type, WireMessage inner);

struct WireMessage {
  std::vector<LogicalField> fields = {};

  WireMessage& varint(uint32_t number, uint64_t value) {
    fields.push_back({number, WireType::kVarint, value});
    return *this;
  }
  WireMessage& bytes(uint32_t number, std::string bytes) {
    fields.push_back({number, WireType::kBytes, 0, std::move(bytes)});
    return *this;
  }
  WireMessage& message(uint32_t number, WireMessage inner, WireType type = WireType::kBytes) {
    fields.push_back(holder(number, type, std::move(inner)));
    return *this;
  }
};

inline LogicalField holder(uint32_t number, WireType type, WireMessage inner) {
  return {number, type, 0, {}, std::make_shared<const WireMessage>(std::move(inner))};
}

// How wide each varint is written: never, always or at random wider than need be.
class Widths {
 public:
  Widths() = default;
  explicit Widths(size_t padding) : padding_(padding) {}
  explicit Widths(std::mt19937& random) : random_(&random) {}

  // libprotobuf reads tags of up to five bytes, other varints of up to ten.
  size_t of(uint64_t value, size_t most) const {
    const size_t padding = random_ != nullptr ? (*random_)() % 3 : padding_;
    return std::min(most, varint_size(value) + padding);
  }

 private:
  size_t padding_ = 0;
  std::mt19937* random_ = nullptr;
};

inline std::string serialise(const WireMessage& message, const Widths& widths = Widths());

inline void put_field(std::string& out, const LogicalField& field, const Widths& widths) {
  const auto put_number = [&](uint64_t value, size_t most) {
    put_varint(out, value, widths.of(value, most));
  };
  const uint64_t number = uint64_t{field.number} << 3;
  put_number(number | static_cast<uint64_t>(field.type), 5);
  const std::string inner =
      field.message == nullptr ? field.bytes : serialise(*field.message, widths);
  switch (field.type) {
    case WireType::kVarint:
      return put_number(field.value, kMaxVarint64);
    case WireType::kFixed32:
      return put_fixed32(out, static_cast<uint32_t>(field.value));
    case WireType::kFixed64:
      return put_fixed64(out, field.value);
    case WireType::kBytes:
      put_number(inner.size(), kMaxVarint64);
      out += inner;
      return;
    case WireType::kGroup:
      out += inner;
      return put_number(number | static_cast<uint64_t>(WireType::kEndGroup), 5);
    case WireType::kEndGroup:
      return;
  }
}

inline std::string serialise(const WireMessage& message, const Widths& widths) {
  std::string out;
  for (const LogicalField& field : message.fields) put_field(out, field, widths);
  return out;
}

// Messages that a schema allows, and more: unknown fields, known ones of another wire type, groups,
// bulk of every size about the thresholds, fields numbered as handles are.
class RandomMessages {
 public:
  explicit RandomMessages(uint32_t seed) : random_(seed) {}

  WireMessage next(const MessageSchema& schema, int depth = 0) {
    WireMessage message;
    for (auto left = random_() % 6; left > 0; --left)
      message.fields.push_back(field(schema, depth));
    return message;
  }
  std::mt19937& random() { return random_; }

 private:
  LogicalField field(const MessageSchema& schema, int depth) {
    const auto kind = random_() % 12;
    if (kind == 0) return {2047, WireType::kVarint, random_() % 9};
    if (kind == 1) return {2047, WireType::kBytes, 0, text()};
    if (kind == 2 && depth < 5) return group(schema, depth);
    if (kind == 3) return {unknown_to(schema), WireType::kBytes, 0, text()};
    if (kind == 4) return {1 + static_cast<uint32_t>(random_() % 30), WireType::kVarint, random_()};
    if (schema.fields.empty()) return {77, WireType::kFixed64, random_()};
    return known(schema.fields[random_() % schema.fields.size()], depth);
  }

  // A number that the schema does not have: text under a message's number would be a broken
  // message.
  uint32_t unknown_to(const MessageSchema& schema) {
    const auto number = 1 + static_cast<uint32_t>(random_() % 3000);
    return schema.find(number) == nullptr ? number : 3000;
  }

  LogicalField known(const FieldSchema& field, int depth) {
    switch (field.type) {
      case FieldType::kMessage:
        if (depth > 8) return {field.number, WireType::kBytes};
        return holder(field.number, WireType::kBytes, next(*field.message, depth + 1));
      case FieldType::kString:
      case FieldType::kBytes:
        return {field.number, WireType::kBytes, 0, text()};
      case FieldType::kDouble:
      case FieldType::kFixed64:
        return {field.number, WireType::kFixed64, random_()};
      case FieldType::kFloat:
      case FieldType::kFixed32:
        return {field.number, random_() % 2 == 0 ? WireType::kFixed32 : WireType::kBytes, 0,
                text()};
      default:
        return {field.number, random_() % 2 == 0 ? WireType::kVarint : WireType::kBytes, random_(),
                text()};
    }
  }

  LogicalField group(const MessageSchema& schema, int depth) {
    const auto number = 1 + static_cast<uint32_t>(random_() % 9);
    return holder(number, WireType::kGroup, next(schema, depth + 1));
  }

  std::string text() {
    static constexpr size_t kSizes[] = {0,   1,   5,     127,   128,   255,
                                        256, 257, 16384, 65536, 65537, 70000};
    const size_t most = random_() % 20 == 0 ? 12 : 8;
    const size_t size = kSizes[random_() % most];
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random_() % 128);
    return bytes;
  }

  std::mt19937 random_;
};

}  // namespace cryo
