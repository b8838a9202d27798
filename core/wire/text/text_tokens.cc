#include "wire/text/text_tokens.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"

namespace cryo {
namespace {

enum Class : uint8_t { kBlank = 1, kOctal = 2, kDecimal = 4, kHex = 8, kLetter = 16 };

uint8_t class_of(char c) {
  if (c == ' ' || (c >= '\t' && c <= '\r')) return kBlank;
  if (c >= '0' && c <= '7') return kOctal | kDecimal | kHex;
  if (c == '8' || c == '9') return kDecimal | kHex;
  if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')) return kHex | kLetter;
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') return kLetter;
  return 0;
}

bool is(char c, uint8_t classes) { return (class_of(c) & classes) != 0; }

// Returns "3:14: " as libprotobuf counts: from 1, in bytes, tabs to every eighth column. Reads the
// text once more.
std::string line_and_column(const Slice& text, uint64_t offset) {
  uint64_t line = 1;
  uint64_t column = 0;
  ForwardReader window({text.source, text.offset, offset});
  while (window.left() > 0 && window.ok()) {
    const std::string_view ahead = window.peek(1);
    for (const char c : ahead) {
      column = c == '\n' ? 0 : c == '\t' ? column + 8 - column % 8 : column + 1;
      line += c == '\n' ? 1 : 0;
    }
    window.skip(ahead.size());
  }
  return cat(line, ":", column + 1, ": ");
}

}  // namespace

TextTokens::TextTokens(const Slice& text) : window_(text) { next(); }

// The character that far ahead; 0 at the end, as in libprotobuf.
char TextTokens::ahead(size_t distance) {
  const std::string_view bytes = window_.peek(distance + 1);
  return bytes.size() > distance ? bytes[distance] : '\0';
}

void TextTokens::skip_blanks() {
  bool comment = false;
  while (true) {
    const std::string_view bytes = window_.peek(1);
    size_t count = 0;
    for (; count < bytes.size(); ++count) {
      const char c = bytes[count];
      if (comment ? c == '\n' || c == '\0' : c == '#') comment = !comment;
      if (!comment && c != '\n' && !is(c, kBlank)) break;
    }
    window_.skip(count);
    if (count < bytes.size() || bytes.empty()) return;
  }
}

void TextTokens::take_all(uint8_t classes) {
  while (true) {
    const std::string_view bytes = window_.peek(1);
    size_t count = 0;
    while (count < bytes.size() && is(bytes[count], classes)) ++count;
    text_.append(bytes.substr(0, std::min(count, kLongest + 1 - text_.size())));
    if (text_.size() > kLongest) {
      fail("the name or number is too long to be one");
      return;
    }
    window_.skip(count);
    if (count < bytes.size() || bytes.empty()) return;
  }
}

bool TextTokens::take_one(std::string_view characters) {
  const char c = ahead();
  if (c == '\0' || characters.find(c) == std::string_view::npos) return false;
  text_ += c;
  window_.skip(1);
  return true;
}

void TextTokens::next() {
  skip_blanks();
  offset_ = window_.position();
  text_.clear();
  const char first = ahead();
  if (failed_ || window_.left() == 0 || !window_.ok()) {
    kind_ = TokenKind::kEnd;
  } else if (is(first, kLetter)) {
    kind_ = TokenKind::kIdentifier;
    take_all(kLetter | kDecimal);
  } else if (is(first, kDecimal) || (first == '.' && is(ahead(1), kDecimal))) {
    number();
  } else {
    symbol();
  }
}

void TextTokens::symbol() {
  const char first = ahead();
  const auto byte = static_cast<unsigned char>(first);
  if (byte < ' ') fail("Invalid control characters encountered in text.");
  if (byte >= 0x80) fail(cat("Interpreting non ascii codepoint ", int{byte}, "."));
  if (failed_) return;
  text_ += first;
  window_.skip(1);
  kind_ = first == '"' || first == '\'' ? TokenKind::kString : TokenKind::kSymbol;
}

void TextTokens::number() {
  const auto bad = [&](std::string_view what) { fail_at(window_.position(), what); };
  TokenKind kind = TokenKind::kInteger;
  const bool zero = ahead() == '0';
  take_all(zero ? kOctal : kDecimal);
  if (text_ == "0" && take_one("xX")) {
    if (!is(ahead(), kHex)) bad("\"0x\" must be followed by hex digits.");
    take_all(kHex);
  } else if (zero && is(ahead(), kDecimal)) {
    bad("Numbers starting with leading zero must be in octal.");
  } else if (!zero || text_ == "0") {
    if (take_one(".")) kind = TokenKind::kFloat;
    if (kind == TokenKind::kFloat) take_all(kDecimal);
    if (take_one("eE")) {
      kind = TokenKind::kFloat;
      take_one("+-");
      if (!is(ahead(), kDecimal)) bad("\"e\" must be followed by exponent.");
      take_all(kDecimal);
    }
    if (take_one("fF")) kind = TokenKind::kFloat;
  }
  if (is(ahead(), kLetter)) bad("Need space between number and identifier.");
  if (ahead() == '.') {
    bad(kind == TokenKind::kFloat ? "Already saw decimal point or exponent; can't have another one."
                                  : "Hex and octal numbers must be integers.");
  }
  if (!failed_) kind_ = kind;
}

bool TextTokens::take(char symbol) {
  if (!at(symbol)) return false;
  next();
  return true;
}

bool TextTokens::fail(std::string_view message) { return fail_at(offset_, message); }

bool TextTokens::fail_at(uint64_t offset, std::string_view message) {
  if (!failed_ && window_.ok()) failure_ = failure_at(offset, message);
  failed_ = true;
  kind_ = TokenKind::kEnd;
  return false;
}

Failure TextTokens::failure_at(uint64_t offset, std::string_view message) const {
  const Slice& text = window_.slice();
  return failure("bad-text", cat(line_and_column(text, offset), message),
                 {.file = text.source->name(), .offset = text.offset + offset},
                 "correct the text there");
}

bool TextTokens::expected(std::string_view what) {
  return fail(cat("Expected ", what, ", got: ", shown()));
}

Failure TextTokens::take_failure() {
  return window_.ok() ? std::move(failure_) : failure(window_.error());
}

std::string TextTokens::shown() {
  constexpr size_t kShown = 40;
  if (kind_ != TokenKind::kString) return printable(text_, kShown);
  const std::string_view inside = window_.peek(kShown);
  const size_t end = inside.find_first_of(text_ + "\n");
  const bool closed = end < inside.size() && inside[end] != '\n';
  return cat(text_, printable(inside.substr(0, end), kShown), closed ? text_ : "");
}

}  // namespace cryo
