#include "graph/analysis/replicas.h"

#include <vector>

#include "base/text.h"

namespace cryo {
namespace {

constexpr std::string_view kScope = "replica_";

bool is_replica_scope(std::string_view part) {
  if (!part.starts_with(kScope) || part.size() == kScope.size()) return false;
  return part.find_first_not_of("0123456789", kScope.size()) == std::string_view::npos;
}

}  // namespace

std::optional<std::string> name_in_first_replica(std::string_view name) {
  std::vector<std::string> kept;
  bool has_scope = false;
  while (!name.empty()) {
    const std::string_view part = name.substr(0, name.find('/'));
    name.remove_prefix(part.size() < name.size() ? part.size() + 1 : part.size());
    has_scope = has_scope || is_replica_scope(part);
    if (!is_replica_scope(part)) kept.emplace_back(part);
  }
  if (!has_scope || kept.empty()) return std::nullopt;
  return join(kept, "/");
}

}  // namespace cryo
