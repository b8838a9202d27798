#include "commands/text/compat_text.h"

#include "base/text.h"
#include "commands/text/text_rows.h"
#include "releases/node_faults.h"

namespace cryo {
namespace {

constexpr std::string_view kTensorflow = "tensorflow-";

bool is_release(const Json& target) { return scalar(target["name"]).starts_with(kTensorflow); }

std::string release_of(const Json& target) {
  return scalar(target["name"]).substr(kTensorflow.size());
}

// Returns true if two releases have one row.
bool is_same(const Json& a, const Json& b) {
  return is_release(a) && is_release(b) && a["loads"] == b["loads"] && a["runs"] == b["runs"] &&
         a["blockers"] == b["blockers"];
}

std::string name_text(const Json& first, const Json& last) {
  if (!is_release(first)) return cat(scalar(first["name"]), " ", scalar(first["version"]));
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
std::string blocker_text(const Json& blocker, std::string_view whole) {
  std::string text = scalar(blocker["node"]);
  if (!text.empty()) {
    const bool in_body = blocker.contains("function");
    std::vector<std::string> place = {scalar(blocker["op"])};
    if (in_body) place.push_back(cat("in ", scalar(blocker["function"])));
    std::erase(place, "");
    text += place.empty() ? ": " : cat(" (", join(place, " "), "): ");
  }
  text += scalar(blocker["why"]);
  const uint64_t count = number(blocker["count"]);
  if (count > 1) text += cat(", as in ", plural(count - 1, "other node"));
  const std::string fix = blocker.contains("fix") ? scalar(blocker["fix"]) : "";
  if (!has_fix(whole, fix)) text += cat("; ", fix);
  return text;
}

}  // namespace

std::string compat_text(const Json& report, bool verbose) {
  const Json& targets = report["targets"];
  std::string text = row("model", scalar(report["model"]));
  for (size_t start = 0; start < targets.size();) {
    const Json& first = targets[start];
    size_t end = start + 1;
    while (end < targets.size() && is_same(first, targets[end])) ++end;
    const bool loads = first["loads"] == true;
    const bool runs = first["runs"] == true;
    const char* verdict = runs ? "loads, runs" : loads ? "loads, does not run" : "does not load";
    const std::string fix = first.contains("fix") ? scalar(first["fix"]) : "";
    const std::string cut = first.contains("cut") ? scalar(first["cut"]) : "";
    text += row("", cat(name_text(first, targets[end - 1]), ": ", verdict, fix.empty() ? "" : "; ",
                        fix, cut.empty() ? "" : "; a cut runs, ", cut));
    text += rows("", first["blockers"], verbose,
                 [&](const Json& each) { return cat("  ", blocker_text(each, cat(fix, cut))); });
    start = end;
  }
  return text;
}

}  // namespace cryo
