#include "commands/text/look.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace cryo {
namespace {

constexpr char kEnd = 0x0f;  // of what is marked
constexpr std::string_view kReset = "\x1b[0m";
// The colors of marks: bold; green, red, yellow and cyan, each bold; green.
constexpr std::array<std::string_view, 7> kColors = {
    "", "\x1b[1m", "\x1b[1;32m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m", "\x1b[32m"};

bool is_mark(char c) { return c == kEnd || (c > 0 && static_cast<size_t>(c) < kColors.size()); }

// The bytes of UTF-8 after a character's first.
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::string with_colors(std::string_view text, bool color) {
  std::string out;
  for (const char c : text) {
    if (!is_mark(c)) {
      out += c;
    } else if (color) {
      out += c == kEnd ? kReset : kColors[static_cast<unsigned char>(c)];
    }
  }
  return out;
}

// Breaks a line at blanks. `indent`: of its further lines.
std::string broken(std::string_view line, size_t width, size_t indent) {
  if (columns_of(line) <= width) return std::string(line);
  std::string out;
  size_t column = 0;
  size_t blanks = 0;
  for (const std::string_view word : split(line, ' ')) {
    const size_t size = columns_of(word);
    const bool first = column <= indent;
    if (size == 0) {
      ++blanks;
      continue;
    }
    if (!first && column + blanks + size > width) {
      out += cat("\n", std::string(indent, ' '));
      column = indent;
    } else {
      out += std::string(blanks, ' ');
      column += blanks;
    }
    out += word;
    column += size;
    blanks = 1;
  }
  return out;
}

std::string_view first_characters(std::string_view text, size_t count) {
  size_t end = 0;
  for (; end < text.size(); ++end) {
    if (!continues_character(text[end]) && count-- == 0) break;
  }
  return text.substr(0, end);
}

std::string_view last_characters(std::string_view text, size_t count) {
  size_t begin = text.size();
  while (begin > 0 && count > 0) {
    if (!continues_character(text[--begin])) --count;
  }
  return text.substr(begin);
}

}  // namespace

std::string marked(Mark mark, std::string_view text) {
  if (text.empty()) return "";
  return cat(std::string(1, static_cast<char>(mark)), text, std::string(1, kEnd));
}

std::string rendered(std::string_view text, const Look& look, size_t indent) {
  if (look.width == 0) return with_colors(text, look.color);
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    out += with_colors(broken(line, look.width, indent), look.color);
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

size_t columns_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return !is_mark(c) && !continues_character(c); }));
}

std::string shortened(std::string_view text, size_t width) {
  if (columns_of(text) <= width || width == 0) return std::string(text);
  const size_t last = (width - 1) / 2;
  return cat(first_characters(text, width - 1 - last), "…", last_characters(text, last));
}

std::string cut(std::string_view text, size_t width) {
  if (columns_of(text) <= width || width == 0) return std::string(text);
  return cat(first_characters(text, width - 1), "…");
}

}  // namespace cryo
