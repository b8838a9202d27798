#include "commands/text/diagnostics_text.h"

#include <vector>

#include "base/text.h"
#include "commands/text/escaped.h"
#include "commands/text/report_text_pairs.h"
#include "commands/text/text_rows.h"

namespace cryo {
namespace {

constexpr size_t kShortDiagnostics = 20;

// The diagnostics that are to be printed.
std::vector<JsonValue> shown_diagnostics(const JsonValue& report, const Look& look) {
  std::vector<JsonValue> all;
  for (JsonItems each(report.find("diagnostics")); each.next();) {
    if (!look.quiet || each.value().find("severity").text() != "note") all.push_back(each.value());
  }
  return all;
}

// The place, with the model's path if that is given and the place is in no file.
std::string place_in(std::string_view path, const JsonValue& where) {
  const std::string place = place_text(where);
  if (path.empty() || where.contains("file")) return place;
  return cat(shown_text(path), place.empty() ? "" : ", ", place);
}

std::string diagnostic_text(const JsonValue& diagnostic, std::string_view path) {
  const std::string severity = scalar(diagnostic.find("severity"));
  const Mark mark = severity == "error"     ? Mark::kBad
                    : severity == "warning" ? Mark::kDoubtful
                                            : Mark::kNote;
  const std::string place = place_in(path, diagnostic.find("where"));
  const std::string fix = scalar(diagnostic.find("fix"));
  std::string text = cat(marked(mark, cat(severity, ":")), " ", scalar(diagnostic.find("message")),
                         " [", scalar(diagnostic.find("code")), "]\n");
  if (!place.empty()) text += cat("  at ", place, "\n");
  if (!fix.empty()) text += cat("  ", marked(Mark::kFix, "fix:"), " ", fix, "\n");
  return text;
}

// Escapes these characters as GitHub does: %25, %0A.
std::string github_text(std::string_view text, std::string_view characters) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (characters.find(c) == std::string_view::npos) {
      out += c;
    } else {
      out += cat('%', kHex[byte >> 4], kHex[byte & 15]);
    }
  }
  return out;
}

}  // namespace

std::string place_text(const JsonValue& where) {
  std::vector<std::string> place;
  for (JsonItems part(where); part.next();) {
    place.push_back(part.key() == "file" ? scalar(part.value())
                                         : cat(shown_text(part.key()), " ", scalar(part.value())));
  }
  return join(place, ", ");
}

std::string diagnostics_text(const JsonValue& report, const Look& look, std::string_view path) {
  constexpr size_t kIndent = 4;
  std::string text;
  size_t shown = 0;
  size_t held_back = 0;
  for (const JsonValue& each : shown_diagnostics(report, look)) {
    if (shown == kShortDiagnostics && !look.verbose) {
      ++held_back;
      continue;
    }
    ++shown;
    text += diagnostic_text(each, path);
  }
  if (held_back > 0) text += cat("... and ", held_back, " more (--verbose)\n");
  const bool refused = report.contains("unmatched") && !report.contains("before");
  if (refused) text += lost_text(report, look.verbose);
  return rendered(text, look, kIndent);
}

std::string annotations_text(const JsonValue& report, const Look& look, std::string_view path) {
  std::string text;
  for (const JsonValue& each : shown_diagnostics(report, look)) {
    const JsonValue at = each.find("where").find("file");
    const std::string file = at.is_null() ? shown_text(path) : scalar(at);
    const std::string severity = scalar(each.find("severity"));
    std::string message = scalar(each.find("message"));
    const std::string place = place_text(each.find("where"));
    if (!place.empty()) message += cat("\nat ", place);
    if (!scalar(each.find("fix")).empty()) message += cat("\nfix: ", scalar(each.find("fix")));
    text +=
        cat("::", severity == "note" ? "notice" : severity, " file=", github_text(file, "%\r\n:,"),
            ",title=", scalar(each.find("code")), "::", github_text(message, "%\r\n"), "\n");
  }
  return text;
}

}  // namespace cryo
