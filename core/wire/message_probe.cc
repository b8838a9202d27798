#include "wire/message_probe.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/utf8.h"

namespace cryo {
namespace {

// Fields that every message of a kind has, as bits: 1 << number.
struct Needed {
  std::string_view message;
  uint32_t fields;
  bool is_distinctive = false;
};
constexpr uint32_t kFirst = 1 << 1;
constexpr uint32_t kSecond = 1 << 2;
constexpr std::array kNeeded = {
    Needed{"tensorflow.NodeDef", kFirst | kSecond, true},
    Needed{"tensorflow.OpDef", kFirst},
    Needed{"tensorflow.FunctionDef", kFirst, true},
    Needed{"tensorflow.GradientDef", kFirst | kSecond},
    Needed{"tensorflow.RegisteredGradient", kFirst | kSecond},
    Needed{"tensorflow.SaverDef", kFirst | kSecond, true},
    Needed{"tensorflow.SavedObjectGraph", kFirst, true},
    Needed{"tensorflow.MetaGraphDef.CollectionDefEntry", kFirst | kSecond, true},
    Needed{"tensorflow.MetaGraphDef.SignatureDefEntry", kFirst | kSecond, true},
    Needed{"tensorflow.SignatureDef.InputsEntry", kFirst | kSecond},
    Needed{"tensorflow.SignatureDef.OutputsEntry", kFirst | kSecond},
};

Needed needs_of(std::string_view message) {
  for (const Needed& each : kNeeded) {
    if (each.message == message) return each;
  }
  return {message, 0};
}

bool is_printable(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7F; });
}

// Names and ops of nodes, and their inputs, have no blanks. A name has no port: other messages
// begin like a node, with the name of a tensor.
bool is_text_of(const MessageSchema& schema, const FieldSchema& field, std::string_view text) {
  if (schema.name != "tensorflow.NodeDef" || field.number > 3) return is_utf8(text);
  return is_printable(text) && (field.number > 1 || text.find(':') == std::string_view::npos);
}

constexpr uint64_t kStep = uint64_t{64} * 1024;
constexpr uint64_t kBlock = 32;  // bytes that cost as much as a field
constexpr uint64_t kLongestName = 4096;

}  // namespace

bool is_distinctive(const MessageSchema& schema) { return needs_of(schema.name).is_distinctive; }

bool MessageProbe::wrong(uint64_t offset, std::string what, bool cut) {
  fault_ = {offset, std::move(what), cut};
  return false;
}

bool MessageProbe::is_whole(const MessageSchema& schema, uint64_t begin, uint64_t end) {
  return message(schema, begin, end, 1);
}

std::optional<FieldHeader> MessageProbe::header(uint64_t at) {
  FieldHeader found;
  const bool there =
      at < bytes_.size() && read_field_header(bytes_.view(at, kMaxFieldHeader), found);
  return there ? std::optional(found) : std::nullopt;
}

bool MessageProbe::message(const MessageSchema& schema, uint64_t begin, uint64_t end, int depth) {
  if (depth > kMaxDepth) return wrong(begin, "messages nest deeper than 100");
  uint64_t seen = 0;
  uint64_t at = begin;
  while (at < std::min(end, bytes_.size())) {
    ++looked_at_;
    FieldHeader found;
    const std::string_view ahead = bytes_.view(at, std::min(kMaxFieldHeader, end - at));
    if (!read_field_header(ahead, found)) {
      const bool cut = at + ahead.size() == bytes_.size() && at + ahead.size() < end &&
                       ahead.size() < kMaxFieldHeader;
      return wrong(at, "expected a field's tag and length", cut);
    }
    const FieldSchema* known = schema.find(found.number);
    const uint64_t bit = found.number < 64 ? uint64_t{1} << found.number : 0;
    if (known != nullptr && !known->repeated && (seen & bit) != 0) {
      return wrong(at, cat("a second ", known->name));
    }
    if (!field(schema, found, at, end, depth)) return false;
    seen |= bit;
    at += found.size + body_size(found);
  }
  if (end > bytes_.size()) return wrong(bytes_.size(), "the file ends within it", true);
  const uint64_t missing = needs_of(schema.name).fields & ~seen;
  if (missing == 0) return true;
  const uint32_t number = (missing & kFirst) != 0 ? 1 : 2;
  return wrong(begin, cat("it has no ", schema.find(number)->name));
}

bool MessageProbe::field(const MessageSchema& schema, const FieldHeader& header, uint64_t at,
                         uint64_t end, int depth) {
  const FieldSchema* known = schema.find(header.number);
  if (known == nullptr || !fits_wire(*known, header.type)) {
    return wrong(at, cat("field ", header.number, " of type ", static_cast<int>(header.type),
                         " is not one of ", schema.name));
  }
  const uint64_t size = body_size(header);
  const uint64_t begin = at + header.size;
  if (size > end - begin) {
    return wrong(at, cat("its ", known->name, " of ", plural(size, "byte"), " does not fit in it"));
  }
  if (known->message != nullptr && header.type == WireType::kBytes) {
    return message(*known->message, begin, begin + size, depth + 1);
  }
  if (size > bytes_.size() - std::min(begin, bytes_.size())) {
    return wrong(bytes_.size(), "the file ends within it", true);
  }
  if (known->type == FieldType::kString) return text(schema, *known, begin, size);
  const bool is_packed = header.type == WireType::kBytes && known->type != FieldType::kBytes;
  return !is_packed || packed(*known, begin, size);
}

bool MessageProbe::text(const MessageSchema& schema, const FieldSchema& known, uint64_t begin,
                        uint64_t size) {
  looked_at_ += size / kBlock;
  const std::string_view bytes = bytes_.view(begin, size);
  return is_text_of(schema, known, bytes) ||
         wrong(begin, cat("its ", known.name, " is not a text"));
}

// Packed numbers fill their field.
bool MessageProbe::packed(const FieldSchema& known, uint64_t begin, uint64_t size) {
  const WireType type = wire_type_of(known.type);
  const uint64_t width = type == WireType::kFixed64 ? 8 : type == WireType::kFixed32 ? 4 : 1;
  looked_at_ += type == WireType::kVarint ? size / kBlock : 0;
  bool good = size % width == 0;
  size_t run = 0;  // bytes of a varint so far
  for (uint64_t at = begin; good && type == WireType::kVarint && at < begin + size; at += kStep) {
    for (const char byte : bytes_.view(at, std::min(kStep, begin + size - at))) {
      run = (byte & 0x80) != 0 ? run + 1 : 0;
      good = good && run < kMaxVarint64;
    }
  }
  return (good && run == 0) || wrong(begin, cat("its ", known.name, " is no list of numbers"));
}

uint64_t MessageProbe::natural_end(const MessageSchema& schema, uint64_t begin) {
  return message(schema, begin, bytes_.size(), 1) ? bytes_.size() : fault_.offset;
}

std::string MessageProbe::name_of(const MessageSchema& schema, uint64_t begin) {
  const auto found = header(begin);
  const FieldSchema* known = found ? schema.find(found->number) : nullptr;
  if (known == nullptr || known->number != 1 || found->type != WireType::kBytes) return "";
  const uint64_t at = begin + found->size;
  if (known->message != nullptr) return name_of(*known->message, at);
  if (known->type != FieldType::kString || found->value > kLongestName) return "";
  if (at > bytes_.size() || found->value > bytes_.size() - at) return "";
  const std::string name(bytes_.view(at, found->value));
  return is_printable(name) ? name : std::string();
}

}  // namespace cryo
