#include "wire/text/text_values.h"

#include <limits>

#include "base/same_bits.h"
#include "base/text.h"
#include "base/utf8.h"
#include "wire/text/text_number.h"

namespace cryo {
namespace {

bool integer(TextTokens& tokens, uint64_t most, bool is_signed, uint64_t& bits) {
  const bool negative = is_signed && tokens.take('-');
  if (tokens.kind() != TokenKind::kInteger) return tokens.expected("integer");
  if (!parse_integer(tokens.text(), most + (negative ? 1 : 0), bits)) {
    return tokens.fail(cat("Integer out of range (", tokens.shown(), ")"));
  }
  if (negative) bits = ~bits + 1;
  tokens.next();
  return tokens.ok();
}

bool decimal(TextTokens& tokens, double& value) {
  const bool negative = tokens.take('-');
  const std::string& text = tokens.text();
  if (tokens.kind() == TokenKind::kIdentifier) {
    std::string name;
    for (const char c : text) name += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    if (name == "inf" || name == "infinity") {
      value = std::numeric_limits<double>::infinity();
    } else if (name == "nan") {
      value = std::numeric_limits<double>::quiet_NaN();
    } else {
      return tokens.fail(cat("Expected double, got: ", printable(name, 300)));
    }
  } else if (tokens.kind() == TokenKind::kInteger && text.size() > 1 && text[0] == '0') {
    return tokens.fail(cat("Expect a decimal number, got: ", tokens.shown()));
  } else if (tokens.kind() == TokenKind::kInteger || tokens.kind() == TokenKind::kFloat) {
    value = parse_decimal(text);
  } else {
    return tokens.expected("double");
  }
  if (negative) value = -value;
  tokens.next();
  return tokens.ok();
}

bool boolean(TextTokens& tokens, const FieldSchema& field, uint64_t& bits) {
  if (tokens.kind() == TokenKind::kInteger) return integer(tokens, 1, false, bits);
  std::string name;
  if (!take_identifier(tokens, name)) return false;
  bits = name == "true" || name == "True" || name == "t" ? 1 : 0;
  if (bits == 1 || name == "false" || name == "False" || name == "f") return tokens.ok();
  return tokens.fail(cat("Invalid value for boolean field \"", field.name, "\". Value: \"",
                         printable(name, 300), "\"."));
}

bool enumeration(TextTokens& tokens, const FieldSchema& field, uint64_t& bits) {
  if (tokens.kind() == TokenKind::kInteger || tokens.at('-')) {
    return integer(tokens, std::numeric_limits<int32_t>::max(), true, bits);
  }
  if (tokens.kind() != TokenKind::kIdentifier) return tokens.expected("integer or identifier");
  std::string name;
  take_identifier(tokens, name);
  const EnumValueSchema* found = field.enumeration->find(name);
  if (found == nullptr) {
    return tokens.fail(cat("Unknown enumeration value of \"", printable(name, 300),
                           "\" for field \"", field.name, "\"."));
  }
  bits = static_cast<uint64_t>(int64_t{found->number});
  return tokens.ok();
}

}  // namespace

bool take_identifier(TextTokens& tokens, std::string& name) {
  if (tokens.kind() != TokenKind::kIdentifier) return tokens.expected("identifier");
  name = tokens.text();
  tokens.next();
  return true;
}

bool take_number(TextTokens& tokens, const FieldSchema& field, uint64_t& bits) {
  constexpr uint64_t kMax32 = std::numeric_limits<uint32_t>::max();
  constexpr uint64_t kMax64 = std::numeric_limits<uint64_t>::max();
  double value = 0;
  switch (field.type) {
    case FieldType::kDouble:
      if (!decimal(tokens, value)) return false;
      bits = same_bits<uint64_t>(value);
      return true;
    case FieldType::kFloat:
      if (!decimal(tokens, value)) return false;
      bits = same_bits<uint32_t>(to_float(value));
      return true;
    case FieldType::kInt32:
      return integer(tokens, kMax32 / 2, true, bits);
    case FieldType::kInt64:
      return integer(tokens, kMax64 / 2, true, bits);
    case FieldType::kSint64:
      if (!integer(tokens, kMax64 / 2, true, bits)) return false;
      bits = bits << 1 ^ (bits >> 63 != 0 ? kMax64 : 0);
      return true;
    case FieldType::kUint32:
    case FieldType::kFixed32:
      return integer(tokens, kMax32, false, bits);
    case FieldType::kBool:
      return boolean(tokens, field, bits);
    case FieldType::kEnum:
      return enumeration(tokens, field, bits);
    default:
      return integer(tokens, kMax64, false, bits);
  }
}

}  // namespace cryo
