#pragma once

#include "wire/forward_reader.h"

namespace cryo {

enum class TokenKind : uint8_t { kEnd, kIdentifier, kInteger, kFloat, kString, kSymbol };

// The tokens of protobuf's text format, read front to back through a window. Blanks and comments (#
// to the end of the line) are skipped.
//
//     dim { size: -0x10, name: 'a' "b" }   # comment
//     id  s id  s sinteger  id  s str str s
//
// As in libprotobuf's tokenizer there is one current token. For a string that is its quote, and the
// window is at its inside (text_literal.h takes it).
//
// The first fail() counts; after it every token is kEnd. Call take_failure() once, at the end.
class TextTokens {
 public:
  explicit TextTokens(const Slice& text);

  // On to the next token. REQUIRES, on a string: its inside and last quote are taken.
  void next();

  TokenKind kind() const { return kind_; }
  const std::string& text() const { return text_; }  // no longer than kLongest

  bool at(char symbol) const { return kind_ == TokenKind::kSymbol && text_[0] == symbol; }
  // Skips a symbol if it is the current token.
  bool take(char symbol);

  // Reports an error at the current token, or at an offset in the text. Returns false, for the
  // caller to return.
  bool fail(std::string_view message);
  bool fail_at(uint64_t offset, std::string_view message);
  bool expected(std::string_view what);  // fails with "Expected WHAT, got: TOKEN"
  bool ok() const { return !failed_; }
  uint64_t offset() const { return offset_; }  // of the token, in the text
  Failure take_failure();

  // Returns an error at an offset in the text, for the caller to keep or report.
  Failure failure_at(uint64_t offset, std::string_view message) const;

  // The token as a message shows it: of a string the beginning of its inside, too.
  std::string shown();

  ForwardReader& window() { return window_; }

  static constexpr size_t kLongest = size_t{64} * 1024;

 private:
  void skip_blanks();
  void take_all(uint8_t classes);
  bool take_one(std::string_view characters);
  void number();
  void symbol();
  char ahead(size_t distance = 0);

  ForwardReader window_;
  TokenKind kind_ = TokenKind::kEnd;
  std::string text_;
  uint64_t offset_ = 0;  // of the token
  bool failed_ = false;
  Failure failure_;
};

}  // namespace cryo
