#include "base/text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace cryo {

namespace {

template <typename Value>
const Value& at(const void* piece) {
  return *static_cast<const Value*>(piece);
}

template <typename Number>
void append_number(std::string& out, const void* piece) {
  Number number;
  std::memcpy(&number, piece, sizeof(number));  // long or long long, whichever has these bits
  out += std::to_string(number);
}

void append(std::string& out, PieceKind kind, const void* piece) {
  switch (kind) {
    case PieceKind::kEnd:
      return;
    case PieceKind::kCharacters:
      out += static_cast<const char*>(piece);
      return;
    case PieceKind::kPointer:
      out += at<const char*>(piece);
      return;
    case PieceKind::kString:
      out += at<std::string>(piece);
      return;
    case PieceKind::kView:
      out += at<std::string_view>(piece);
      return;
    case PieceKind::kCharacter:
      out += at<char>(piece);
      return;
    case PieceKind::kInt32:
      return append_number<int32_t>(out, piece);
    case PieceKind::kUint32:
      return append_number<uint32_t>(out, piece);
    case PieceKind::kInt64:
      return append_number<int64_t>(out, piece);
    case PieceKind::kUint64:
      return append_number<uint64_t>(out, piece);
  }
}

}  // namespace

std::string concatenate(PieceList pieces) {
  std::string out;
  const void* const* piece = pieces.pieces;
  for (const PieceKind* kind = pieces.kinds; *kind != PieceKind::kEnd; ++kind) {
    append(out, *kind, *piece++);
  }
  return out;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator, size_t most) {
  const size_t shown = most > 0 && most < parts.size() ? most : parts.size();
  std::string out;
  for (size_t i = 0; i < shown; ++i) out += cat(i > 0 ? separator : std::string_view(), parts[i]);
  if (shown < parts.size()) out += cat(" and ", parts.size() - shown, " more");
  return out;
}

std::string part_of(std::string&& text, std::string_view part) {
  const auto begin = static_cast<size_t>(part.data() - text.data());
  const size_t size = part.size();
  text.erase(0, begin);
  text.resize(size);
  return std::move(text);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find(separator, start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

bool is_one_of(std::string_view text, std::span<const std::string_view> texts) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

std::string plural(uint64_t count, std::string_view noun) {
  return cat(count, " ", noun, count == 1 ? "" : "s");
}

std::string human_bytes(uint64_t bytes) {
  if (bytes < 1000) return plural(bytes, "byte");
  static constexpr std::array<std::string_view, 6> kUnits = {"kB", "MB", "GB", "TB", "PB", "EB"};
  size_t unit = 0;
  uint64_t tenths = bytes / 100 + (bytes % 100 >= 50 ? 1 : 0);
  while (tenths >= 10000 && unit + 1 < kUnits.size()) {
    tenths = (tenths + 500) / 1000;
    ++unit;
  }
  return cat(tenths / 10, ".", tenths % 10, " ", kUnits[unit]);
}

std::string_view base_name(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view folder_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash + 1);
}

}  // namespace cryo
