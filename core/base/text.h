#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace cryo {

// What cat() takes: text, a character or a whole number. Small and of one type, so that a call of
// cat is a few stores and not a function of its own.
class Piece {
 public:
  template <typename Text>
  requires(std::convertible_to<const Text&, std::string_view>) Piece(const Text& text)
      : data_(std::string_view(text).data()), size_(std::string_view(text).size()) {}
  Piece(char character) : size_(static_cast<unsigned char>(character)), kind_(kCharacter) {}
  template <std::integral Number>
  requires(!std::same_as<Number, char> && !std::same_as<Number, bool>) Piece(Number number)
      : size_(static_cast<uint64_t>(number)),
        kind_(std::signed_integral<Number> ? kSigned : kUnsigned) {}

  void append_to(std::string& out) const;

 private:
  enum Kind : uint8_t { kText, kCharacter, kSigned, kUnsigned };
  const char* data_ = nullptr;
  uint64_t size_;  // or the character, or the number
  Kind kind_ = kText;
};

std::string concatenate(std::initializer_list<Piece> pieces);

// Joins pieces of text and whole numbers: cat("has ", 1, " of ", 2, " shards").
template <typename... Pieces>
std::string cat(const Pieces&... pieces) {
  return concatenate({Piece(pieces)...});
}

// "a, b, c"; with `most` > 0 only the first ones: "a, b and 7 more".
std::string join(const std::vector<std::string>& parts, std::string_view separator,
                 size_t most = 0);

std::vector<std::string_view> split(std::string_view text, char separator);

// "1 node", "2 nodes": an English count.
std::string plural(uint64_t count, std::string_view noun);

// "1.2 MB", "834 bytes": sizes for people, in powers of 1000.
std::string human_bytes(uint64_t bytes);

// The last part of a path: "a/b/model.meta" -> "model.meta".
std::string_view base_name(std::string_view path);

// What stands before the last part, with its slash: "a/b/model.meta" -> "a/b/"; "model.meta" -> "".
std::string_view folder_of(std::string_view path);

}  // namespace cryo
