#include "passes/edit/written_shape.h"

#include <charconv>
#include <system_error>

namespace cryo {

std::optional<int64_t> read_size(std::string_view text) {
  if (text == "?" || text == "-1") return kUnknownDim;
  int64_t size = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), size);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return whole && size >= 0 ? std::optional(size) : std::nullopt;
}

std::optional<Shape> read_shape_text(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  Shape shape;
  std::string_view rest = text.substr(1, text.size() - 2);
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    const auto size = read_size(rest.substr(0, comma));
    if (!size || shape.dims.size() == size_t{kMaxDims}) return std::nullopt;
    shape.dims.push_back(*size);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
    if (rest.empty()) return std::nullopt;
  }
  return shape;
}

}  // namespace cryo
