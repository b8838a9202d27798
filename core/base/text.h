#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace cryo {

// The kinds of arguments that cat() takes: text, a character or a whole number.
enum class PieceKind : uint8_t {
  kEnd,
  kCharacters,  // of an array, up to a NUL
  kPointer,     // to characters
  kString,
  kView,
  kCharacter,
  kInt32,
  kUint32,
  kInt64,
  kUint64
};

template <typename T>
concept Piece = std::is_array_v<T> || std::same_as<T, const char*> || std::same_as<T, char*> ||
    std::same_as<T, std::string> || std::same_as<T, std::string_view> || std::same_as<T, char> ||
    (std::integral<T> && sizeof(T) >= sizeof(int32_t));

template <Piece T>
constexpr PieceKind piece_kind() {
  if (std::is_array_v<T>) return PieceKind::kCharacters;
  if (std::is_pointer_v<T>) return PieceKind::kPointer;
  if (std::same_as<T, std::string>) return PieceKind::kString;
  if (std::same_as<T, std::string_view>) return PieceKind::kView;
  if (std::same_as<T, char>) return PieceKind::kCharacter;
  if (sizeof(T) == sizeof(int32_t)) {
    return std::signed_integral<T> ? PieceKind::kInt32 : PieceKind::kUint32;
  }
  return std::signed_integral<T> ? PieceKind::kInt64 : PieceKind::kUint64;
}

template <PieceKind... kinds>
inline constexpr PieceKind kPieceKinds[] = {kinds..., PieceKind::kEnd};

// Pieces by reference: the address of each and its kind, from a table that all calls with such
// pieces share. Text is made in very many places; this keeps each of them small.
struct PieceList {
  const PieceKind* kinds;
  const void* const* pieces;
};

template <Piece... Pieces>
class PieceArray {
 public:
  explicit PieceArray(const Pieces&... pieces) : pieces_{&pieces...} {}
  operator PieceList() const { return {kPieceKinds<piece_kind<Pieces>()...>, pieces_}; }

 private:
  const void* pieces_[sizeof...(Pieces)];
};

std::string concatenate(PieceList pieces);

// Joins pieces of text and whole numbers: cat("has ", 1, " of ", 2, " shards").
template <Piece... Pieces>
std::string cat(const Pieces&... pieces) {
  return concatenate(PieceArray(pieces...));
}

// Names that a message lists before it counts the rest.
constexpr size_t kMaxListed = 5;

// Returns "a, b, c"; with `most` > 0 only the first ones: "a, b and 7 more".
std::string join(const std::vector<std::string>& parts, std::string_view separator,
                 size_t most = 0);

// Returns a part of a text in the text's own memory. REQUIRES: `part` is a view of `text`.
std::string part_of(std::string&& text, std::string_view part);

std::vector<std::string_view> split(std::string_view text, char separator);

bool is_one_of(std::string_view text, std::span<const std::string_view> texts);

// Returns an English count: "1 node", "2 nodes".
std::string plural(uint64_t count, std::string_view noun);

// Returns a size for people, in powers of 1000: "1.2 MB", "834 bytes".
std::string human_bytes(uint64_t bytes);

// Returns the last part of a path: "a/b/model.meta" -> "model.meta".
std::string_view base_name(std::string_view path);

// Returns the folder of a path, with its slash: "a/b/model.meta" -> "a/b/"; "model.meta" -> "".
std::string_view folder_of(std::string_view path);

}  // namespace cryo
