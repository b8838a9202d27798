#include "commands/text/escaped.h"

#include <algorithm>

#include "base/utf8.h"

namespace cryo {
namespace {

// GitHub obeys "::error::" at the beginning of a line, after blanks of any kind, and "##[error]"
// anywhere in it.
constexpr std::string_view kColons = "::";
constexpr std::string_view kHashes = "##[";

// Nearly all texts can be shown as they are.
bool is_plain(std::string_view text) {
  return !needs_escape(text) && text.find(kColons) == std::string_view::npos &&
         text.find(kHashes) == std::string_view::npos;
}

}  // namespace

std::string shown_text(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string out = printable(text, text.size());
  const size_t colons = std::min(out.find(kColons), out.size());
  const auto blank = [](char c) { return c == ' ' || static_cast<unsigned char>(c) >= 0x80; };
  const auto end = out.begin() + static_cast<ptrdiff_t>(colons);
  if (colons < out.size() && std::all_of(out.begin(), end, blank)) out.replace(colons, 1, "\\x3a");
  for (size_t at = out.find(kHashes); at != std::string::npos; at = out.find(kHashes, at))
    out.replace(at, 1, "\\x23");
  return out;
}

}  // namespace cryo
