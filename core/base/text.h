#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cryo {

inline void append(std::string& out, std::string_view text) { out += text; }
inline void append(std::string& out, char text) { out += text; }
template <std::integral Number>
requires(!std::same_as<Number, char> && !std::same_as<Number, bool>) void append(std::string& out,
                                                                                 Number number) {
  out += std::to_string(number);
}

// Joins pieces of text and whole numbers: cat("has ", 1, " of ", 2, " shards").
template <typename... Pieces>
std::string cat(const Pieces&... pieces) {
  std::string out;
  (append(out, pieces), ...);
  return out;
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
