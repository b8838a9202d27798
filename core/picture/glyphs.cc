#include "picture/glyphs.h"

#include <array>
#include <cstdint>
#include <vector>

#include "base/text.h"

namespace cryo {
namespace {

// In thousandths of the font's size, from the space to the tilde. Source: Adobe's font metrics of
// Helvetica.
constexpr std::array<uint16_t, 95> kWidths = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};
constexpr uint16_t kOther = 600;   // Latin, Greek and Cyrillic letters, about
constexpr uint16_t kWide = 1'000;  // all beyond, and "…"

constexpr double kTitleSize = 13;
constexpr double kBold = 1.08;  // bold glyphs are wider
constexpr double kDetailSize = 11;

bool starts_character(char byte) { return (static_cast<uint8_t>(byte) & 0xC0) != 0x80; }

uint32_t thousandths(char byte) {
  const auto code = static_cast<uint8_t>(byte);
  if (code >= 0x20 && code < 0x7F) return kWidths[code - 0x20];
  if (code < 0x20 || code == 0x7F) return kWide * 2;  // escaped when it is written
  if (!starts_character(byte)) return 0;
  return code >= 0xE1 ? kWide : kOther;
}

double scale_of(TextStyle style) {
  return (style == TextStyle::kTitle ? kTitleSize * kBold : kDetailSize) / 1'000;
}

}  // namespace

double text_width(std::string_view text, TextStyle style) {
  uint64_t width = 0;
  for (const char byte : text) width += thousandths(byte);
  return static_cast<double>(width) * scale_of(style);
}

std::string elided(std::string_view text, TextStyle style, double width) {
  if (text_width(text, style) <= width) return std::string(text);
  const double room = width / scale_of(style) - kWide;
  double taken = 0;
  size_t size = 0;
  while (size < text.size() && taken + thousandths(text[size]) <= room)
    taken += thousandths(text[size++]);
  while (size > 0 && size < text.size() && !starts_character(text[size])) --size;
  return cat(text.substr(0, size), "…");
}

}  // namespace cryo
