#include "commands/text/merged_reports.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.h"

namespace cryo {
namespace {

using Members = std::vector<std::pair<std::string_view, JsonValue>>;

// Adds a member unless there is one. One that is null gives way.
void add_member(Members& members, std::string_view key, const JsonValue& value) {
  for (auto& [name, present] : members) {
    if (name != key) continue;
    if (present.is_null()) present = value;
    return;
  }
  members.emplace_back(key, value);
}

// Two diagnostics are one, whatever their fixes.
bool is_same_finding(const JsonValue& a, const JsonValue& b) {
  constexpr std::string_view kIdentity[] = {"severity", "code", "message", "where"};
  return std::all_of(std::begin(kIdentity), std::end(kIdentity), [&](std::string_view key) {
    return json_of(a.find(key)) == json_of(b.find(key));
  });
}

std::vector<JsonValue> diagnostics_of(const JsonValue& reports) {
  std::vector<JsonValue> all;
  for (JsonItems report(reports); report.next();) {
    const size_t before = all.size();
    for (JsonItems each(report.value().find("diagnostics")); each.next();) {
      const auto end = all.begin() + static_cast<ptrdiff_t>(before);
      const bool known = std::any_of(all.begin(), end, [&](const JsonValue& listed) {
        return is_same_finding(listed, each.value());
      });
      if (!known) all.push_back(each.value());
    }
  }
  return all;
}

}  // namespace

std::string merged_reports(const JsonValue& reports) {
  Members members;
  for (JsonItems report(reports); report.next();) {
    for (JsonItems each(report.value()); each.next();)
      add_member(members, each.key(), each.value());
  }
  JsonWriter json;
  json.begin_object();
  for (const auto& [key, value] : members) {
    if (key == "diagnostics") {
      json.member(key, diagnostics_of(reports));
    } else {
      json.member(key, value);
    }
  }
  json.end_object();
  return json.take();
}

}  // namespace cryo
