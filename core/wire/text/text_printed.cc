#include "wire/text/text_printed.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/same_bits.h"
#include "base/text.h"
#include "bytes/coding.h"
#include "wire/cursor.h"
#include "wire/text/text_escape.h"
#include "wire/text/text_number.h"

namespace cryo {
namespace {

bool is_packed(const FieldSchema& field) { return wire_type_of(field.type) != WireType::kBytes; }

// Takes a number off the front of a packed list.
bool take_number(std::string_view& packed, WireType type, uint64_t& bits) {
  if (type == WireType::kVarint) return take_varint(packed, bits);
  std::string_view fixed;
  if (!take_bytes(packed, type == WireType::kFixed64 ? 8 : 4, fixed)) return false;
  bits = type == WireType::kFixed64 ? get_fixed64(fixed.data()) : get_fixed32(fixed.data());
  return true;
}

// Returns how many of a packed list's first bytes make up complete numbers.
size_t whole_numbers(WireType type, std::string_view packed) {
  size_t size = packed.size();
  if (type == WireType::kFixed32) return size - size % 4;
  if (type == WireType::kFixed64) return size - size % 8;
  while (size > 0 && (static_cast<unsigned char>(packed[size - 1]) & 0x80) != 0) --size;
  return size;
}

bool print_block(const FieldSchema& field, std::string_view in, std::string_view before,
                 std::string& out) {
  if (is_packed(field)) return print_packed(field, in, before, out);
  escape(in, out);
  return true;
}

class PrintedSource final : public BlockSource {
 public:
  PrintedSource(const FieldSchema& field, std::string_view before, const Splice& bulk,
                std::vector<Block> blocks, uint64_t size)
      : BlockSource(bulk, std::move(blocks), size), field_(field), before_(before) {}

 protected:
  bool compute(std::string_view in, char, std::string& out) const override {
    return print_block(field_, in, before_, out);
  }

 private:
  const FieldSchema& field_;
  std::string before_;
};

Failure malformed(const FieldSchema& field, const Splice& bulk, uint64_t at) {
  const Slice place = bulk.sub(at, 1).pieces().front();
  return failure("malformed-message",
                 cat("the packed numbers of the field ", field.name, " end amid a number"),
                 {.file = place.source->name(), .offset = place.offset},
                 "the file is damaged: get it again from its source");
}

}  // namespace

void print_number(const FieldSchema& field, uint64_t bits, std::string& out) {
  switch (field.type) {
    case FieldType::kDouble:
      return print_double(same_bits<double>(bits), out);
    case FieldType::kFloat:
      return print_float(same_bits<float>(static_cast<uint32_t>(bits)), out);
    case FieldType::kBool:
      out += bits != 0 ? "true" : "false";
      return;
    case FieldType::kEnum: {
      const auto number = static_cast<int32_t>(bits);
      const EnumValueSchema* value = field.enumeration->find(number);
      out += value != nullptr ? std::string(value->name) : cat(number);
      return;
    }
    case FieldType::kInt32:
      out += cat(static_cast<int32_t>(bits));
      return;
    case FieldType::kInt64:
      out += cat(static_cast<int64_t>(bits));
      return;
    case FieldType::kSint64:
      out += cat(static_cast<int64_t>(bits >> 1 ^ (0 - (bits & 1))));
      return;
    case FieldType::kUint32:
    case FieldType::kFixed32:
      out += cat(static_cast<uint32_t>(bits));
      return;
    default:
      out += cat(bits);
  }
}

bool print_packed(const FieldSchema& field, std::string_view packed, std::string_view before,
                  std::string& out) {
  const WireType type = wire_type_of(field.type);
  while (!packed.empty()) {
    uint64_t bits = 0;
    if (!take_number(packed, type, bits)) return false;
    out += before;
    print_number(field, bits, out);
    out += '\n';
  }
  return true;
}

Result<Slice> printed(const FieldSchema& field, const Splice& bulk, std::string_view before) {
  std::vector<BlockSource::Block> blocks;
  uint64_t size = 0;
  std::string text;
  for (uint64_t from = 0; from < bulk.size();) {
    const uint64_t step = std::min(bulk.size() - from, BlockSource::kBlock);
    TRY(in, bulk.sub(from, step).read_all());
    if (is_packed(field)) in.resize(whole_numbers(wire_type_of(field.type), in));
    text.clear();
    if (in.empty() || !print_block(field, in, before, text)) return malformed(field, bulk, from);
    blocks.push_back({from, size, '\0'});
    from += in.size();
    size += text.size();
  }
  return whole(std::make_shared<PrintedSource>(field, before, bulk, std::move(blocks), size));
}

}  // namespace cryo
