#include "commands/text/diagnostics_text.h"

#include <vector>

#include "base/text.h"
#include "commands/text/escaped.h"
#include "commands/text/report_text_pairs.h"
#include "commands/text/text_rows.h"

namespace cryo {
namespace {

constexpr size_t kShortDiagnostics = 20;

// The diagnostics that are to be printed, escaped.
Json shown_diagnostics(const Json& report, const Look& look) {
  Json all = Json::array();
  for (const Json& each : report["diagnostics"]) {
    if (look.quiet && each["severity"] == "note") continue;
    all.push_back(is_shown(each) ? each : shown(each));
  }
  return all;
}

// The place, with the model's path if that is given and the place is in no file.
std::string place_in(std::string_view path, const Json& where) {
  const std::string place = place_text(where);
  if (path.empty() || where.contains("file")) return place;
  return cat(shown_text(path), place.empty() ? "" : ", ", place);
}

std::string diagnostic_text(const Json& diagnostic, std::string_view path) {
  const std::string severity = scalar(diagnostic["severity"]);
  const Mark mark = severity == "error"     ? Mark::kBad
                    : severity == "warning" ? Mark::kDoubtful
                                            : Mark::kNote;
  const std::string place = place_in(path, diagnostic["where"]);
  const std::string fix = scalar(diagnostic["fix"]);
  std::string text = cat(marked(mark, cat(severity, ":")), " ", scalar(diagnostic["message"]), " [",
                         scalar(diagnostic["code"]), "]\n");
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

std::string place_text(const Json& where) {
  std::vector<std::string> place;
  for (const auto& part : where.items()) {
    place.push_back(part.key() == "file" ? scalar(part.value())
                                         : cat(part.key(), " ", scalar(part.value())));
  }
  return join(place, ", ");
}

std::string diagnostics_text(const Json& report, const Look& look, std::string_view path) {
  constexpr size_t kIndent = 4;
  std::string text;
  size_t shown = 0;
  size_t held_back = 0;
  for (const Json& each : shown_diagnostics(report, look)) {
    if (shown == kShortDiagnostics && !look.verbose) {
      ++held_back;
      continue;
    }
    ++shown;
    text += diagnostic_text(each, path);
  }
  if (held_back > 0) text += cat("... and ", held_back, " more (--verbose)\n");
  const bool refused = report.contains("unmatched") && !report.contains("before");
  if (refused) text += lost_text(is_shown(report) ? report : cryo::shown(report), look.verbose);
  return rendered(text, look, kIndent);
}

std::string annotations_text(const Json& report, const Look& look, std::string_view path) {
  std::string text;
  for (const Json& each : shown_diagnostics(report, look)) {
    const std::string file = each["where"].value("file", shown_text(path));
    const std::string severity = scalar(each["severity"]);
    std::string message = scalar(each["message"]);
    const std::string place = place_text(each["where"]);
    if (!place.empty()) message += cat("\nat ", place);
    if (!scalar(each["fix"]).empty()) message += cat("\nfix: ", scalar(each["fix"]));
    text +=
        cat("::", severity == "note" ? "notice" : severity, " file=", github_text(file, "%\r\n:,"),
            ",title=", scalar(each["code"]), "::", github_text(message, "%\r\n"), "\n");
  }
  return text;
}

}  // namespace cryo
