#include "commands/text/compat_text.h"

#include "base/text.h"
#include "commands/text/text_rows.h"
#include "releases/node_faults.h"

namespace cryo {
namespace {

constexpr std::string_view kTensorflow = "tensorflow-";

bool is_release(const JsonValue& target) {
  return target.find("name").text().starts_with(kTensorflow);
}

std::string release_of(const JsonValue& target) {
  return scalar(target.find("name")).substr(kTensorflow.size());
}

// Returns true if two releases have one row.
bool is_same(const JsonValue& a, const JsonValue& b) {
  if (!is_release(a) || !is_release(b)) return false;
  for (const char* part : {"loads", "runs", "blockers"}) {
    if (json_of(a.find(part)) != json_of(b.find(part))) return false;
  }
  return true;
}

std::string name_text(const JsonValue& first, const JsonValue& last) {
  if (!is_release(first))
    return cat(scalar(first.find("name")), " ", scalar(first.find("version")));
  const std::string from = release_of(first);
  const std::string to = release_of(last);
  return cat("TensorFlow ", from, from == to ? "" : " to ", from == to ? std::string() : to);
}

// Returns an option of freeze without the words before it.
std::string_view options_of(std::string_view fix) {
  return fix.starts_with(kFreezeWith) ? fix.substr(kFreezeWith.size()) : fix;
}

// Returns true if one text names what another one does. Each fix of a target is to freeze it.
bool has_fix(std::string_view whole, std::string_view fix) {
  if (fix.starts_with(kFreezeIt) && !whole.empty()) return true;
  return whole.find(options_of(fix)) != std::string_view::npos;
}

// `whole`: what is to be done for all blockers; a part of it is not repeated.
std::string blocker_text(const JsonValue& blocker, std::string_view whole) {
  std::string text = scalar(blocker.find("node"));
  if (!text.empty()) {
    const bool in_body = blocker.contains("function");
    std::vector<std::string> place = {scalar(blocker.find("op"))};
    if (in_body) place.push_back(cat("in ", scalar(blocker.find("function"))));
    std::erase(place, "");
    text += place.empty() ? ": " : cat(" (", join(place, " "), "): ");
  }
  text += scalar(blocker.find("why"));
  const uint64_t count = number(blocker.find("count"));
  if (count > 1) text += cat(", as in ", plural(count - 1, "other node"));
  const std::string fix = blocker.contains("fix") ? scalar(blocker.find("fix")) : "";
  if (!has_fix(whole, fix)) text += cat("; ", fix);
  return text;
}

}  // namespace

std::string compat_text(const JsonValue& report, bool verbose) {
  std::vector<JsonValue> targets;
  for (JsonItems each(report.find("targets")); each.next();) targets.push_back(each.value());
  std::string text = row("model", scalar(report.find("model")));
  for (size_t start = 0; start < targets.size();) {
    const JsonValue first = targets[start];
    size_t end = start + 1;
    while (end < targets.size() && is_same(first, targets[end])) ++end;
    const bool loads = first.find("loads").is_true();
    const bool runs = first.find("runs").is_true();
    const char* verdict = runs ? "loads, runs" : loads ? "loads, does not run" : "does not load";
    const std::string fix = first.contains("fix") ? scalar(first.find("fix")) : "";
    const std::string cut = first.contains("cut") ? scalar(first.find("cut")) : "";
    text += row("", cat(name_text(first, targets[end - 1]), ": ", verdict, fix.empty() ? "" : "; ",
                        fix, cut.empty() ? "" : "; a cut runs, ", cut));
    text += rows("", first.find("blockers"), verbose, [&](const JsonValue& each) {
      return cat("  ", blocker_text(each, cat(fix, cut)));
    });
    start = end;
  }
  return text;
}

}  // namespace cryo
