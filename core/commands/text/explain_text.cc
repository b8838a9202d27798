#include "commands/text/explain_text.h"

#include "base/text.h"
#include "commands/text/text_rows.h"

namespace cryo {
namespace {

constexpr size_t kWidth = 80;

// A paragraph in lines; a word that is longer than a line has one of its own.
std::string wrapped(std::string_view text) {
  std::string out;
  size_t column = 0;
  for (const std::string_view word : split(text, ' ')) {
    const bool fits = column == 0 || column + 1 + word.size() <= kWidth;
    if (column > 0) out += fits ? ' ' : '\n';
    column = fits && column > 0 ? column + 1 + word.size() : word.size();
    out += word;
  }
  return out + "\n";
}

}  // namespace

std::string explain_text(const JsonValue& report) {
  const auto text = [&](const char* key) { return scalar(report.find(key)); };
  std::string out = cat(text("code"), "\n\n", wrapped(text("explanation")));
  if (!text("fix").empty()) out += cat("\n", wrapped(cat("What to do: ", text("fix"), ".")));
  if (!text("repair").empty()) {
    out += cat("\n", wrapped(cat("What validate --fix does: it ", text("repair"), ".")));
  }
  return out;
}

}  // namespace cryo
