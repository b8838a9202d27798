#include "base/diagnostic.h"

#include <algorithm>
#include <functional>

#include "base/reference.h"
#include "base/result.h"
#include "base/text.h"

namespace cryo {
namespace {

std::string place(const Location& where) {
  std::vector<std::string> parts;
  if (!where.file.empty()) parts.push_back(where.file);
  if (where.offset) parts.push_back(cat("offset ", *where.offset));
  if (!where.function.empty()) parts.push_back(cat("function '", where.function, "'"));
  if (!where.node.empty()) parts.push_back(cat("node '", where.node, "'"));
  if (where.input) parts.push_back(cat("input ", *where.input));
  if (!where.attr.empty()) parts.push_back(cat("attr '", where.attr, "'"));
  if (!where.tensor.empty()) parts.push_back(cat("tensor '", where.tensor, "'"));
  return join(parts, ", ");
}

Diagnostic diagnostic(Severity severity, std::string_view code, std::string_view message,
                      const LocationRef& at, std::string_view fix) {
  return {severity, std::string(code), std::string(message),
          Location{std::string(at.file), at.offset, std::string(at.function), std::string(at.node),
                   at.input, std::string(at.attr), std::string(at.tensor)},
          std::string(fix)};
}

size_t hash_of(const Diagnostic& diagnostic) {
  const Location& where = diagnostic.where;
  return std::hash<std::string>()(
      cat(diagnostic.code, "\n", diagnostic.message, "\n", where.file, "\n", where.node));
}

bool is_same(const Diagnostic& a, const Diagnostic& b) {
  return a.severity == b.severity && a.code == b.code && a.message == b.message &&
         a.where == b.where;
}

}  // namespace

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "error";
}

std::string to_text(const Diagnostic& diagnostic) {
  const std::string at = place(diagnostic.where);
  std::string line = cat(severity_name(diagnostic.severity), ": ", at, at.empty() ? "" : ": ",
                         in_command_words(diagnostic.message));
  if (!diagnostic.fix.empty()) line += cat("\n  fix: ", in_command_words(diagnostic.fix));
  return line;
}

void Discard::operator()(Diagnostic* error) const { delete error; }

Failure failure(Diagnostic error) { return Failure(new Diagnostic(std::move(error))); }

Failure failure(std::string_view code, std::string_view message, const LocationRef& at,
                std::string_view fix) {
  return failure(diagnostic(Severity::kError, code, message, at, fix));
}

void Diagnostics::add(Diagnostic diagnostic) {
  const size_t hash = hash_of(diagnostic);
  const auto [first, last] = by_hash_.equal_range(hash);
  const auto matches = [&](const auto& each) { return is_same(all_[each.second], diagnostic); };
  if (std::any_of(first, last, matches)) return;
  by_hash_.emplace(hash, all_.size());
  all_.push_back(std::move(diagnostic));
}

void Diagnostics::warn(std::string_view code, std::string_view message, const LocationRef& at,
                       std::string_view fix) {
  add(diagnostic(Severity::kWarning, code, message, at, fix));
}

void Diagnostics::note(std::string_view code, std::string_view message, const LocationRef& at,
                       std::string_view fix) {
  add(diagnostic(Severity::kNote, code, message, at, fix));
}

size_t Diagnostics::count(Severity severity) const {
  return static_cast<size_t>(std::count_if(
      all_.begin(), all_.end(), [&](const Diagnostic& each) { return each.severity == severity; }));
}

}  // namespace cryo
