#include "validate/graph/findings.h"

#include <algorithm>

#include "base/codes/codes.h"
#include "base/utf8.h"

namespace cryo {
namespace {

// Returns a name for a report, which is UTF-8.
std::string as_text(std::string_view name) {
  return is_utf8(name) ? std::string(name) : printable(name, name.size());
}

}  // namespace

bool Findings::take(Severity severity) {
  ++counts_[static_cast<size_t>(severity)];
  return kept_.size() < kMaxFindings && bytes_ < kMaxFindingBytes;
}

void Findings::repair(std::string_view code, std::string_view function, const GraphPlace& spot) {
  if (repairs_ != nullptr) repairs_->push_back({code, function, spot.node, spot.input, spot.attr});
}

void Findings::leave_out(std::string_view function, std::string_view node) {
  ++left_out_;
  repair("attr-default-missing", function, {.node = node});
}

void Findings::keep(Severity severity, std::string_view code, std::string_view function,
                    const GraphPlace& spot, std::string message) {
  Diagnostic diagnostic{severity, std::string(code), std::move(message)};
  diagnostic.where.function = as_text(function);
  diagnostic.where.node = as_text(spot.node);
  if (spot.input >= 0) diagnostic.where.input = spot.input;
  diagnostic.where.attr = as_text(spot.attr);
  const CodeInfo* info = find_code(code);
  // Without a node there is nothing to repair.
  diagnostic.fixable = spot.fixable && spot.node.data() != nullptr;
  diagnostic.fix = std::string(!spot.fix.empty() ? spot.fix : info ? info->fix : "");
  bytes_ += diagnostic.message.size() + diagnostic.fix.size() + function.size() + spot.node.size() +
            spot.attr.size();
  kept_.push_back(std::move(diagnostic));
}

void Reporter::add(Severity severity, std::string_view code, const GraphPlace& spot,
                   PieceList pieces) const {
  if (spot.fixable) findings_.repair(code, function_, spot);
  if (findings_.take(severity)) {
    findings_.keep(severity, code, function_, spot, concatenate(pieces));
  }
}

Diagnostics Findings::finish() {
  size_t kept[3] = {0, 0, 0};
  Diagnostics all;
  for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kNote}) {
    for (Diagnostic& diagnostic : kept_) {
      if (diagnostic.severity != severity) continue;
      ++kept[static_cast<size_t>(severity)];
      all.add(std::move(diagnostic));
    }
  }
  kept_.clear();
  for (const Severity severity : {Severity::kError, Severity::kWarning, Severity::kNote}) {
    const auto place = static_cast<size_t>(severity);
    if (counts_[place] == kept[place]) continue;
    const std::string more = cat("and ", counts_[place] - kept[place], " more of severity ",
                                 severity_name(severity), ", which are counted but not listed");
    all.add({severity, "more-findings", more});
  }
  return all;
}

}  // namespace cryo
