#include "releases/damage.h"

#include <algorithm>
#include <array>

namespace cryo {
namespace {

// Codes of what releases judge by their own definitions of ops, sorted.
constexpr auto kByRelease = std::to_array<std::string_view>({
    "attr-below-minimum",
    "attr-empty",
    "attr-invalid-type",
    "attr-missing",
    "attr-not-allowed",
    "attr-unknown",
    "attr-wrong-kind",
    "consumer-refused",
    "consumer-too-old",
    "function-named-as-op",
    "input-count",
    "no-op",
    "op-removed",
    "output-shapes-count",
    "producer-too-old",
    "unknown-op",
});
static_assert(std::is_sorted(kByRelease.begin(), kByRelease.end()));

Blocker blocker_of(const Graph& graph, const Diagnostic& error) {
  const Location& where = error.where;
  const uint32_t place = where.function.empty() ? graph.index().names().find(where.node) : kNoNode;
  const bool is_node = place != kNoNode && !where.node.empty();
  return {.function = where.function,
          .node = where.node,
          .op = std::string(is_node ? graph.nodes()[place].op : std::string_view()),
          .attr = where.attr,
          .why = error.message,
          .fix = error.fix};
}

}  // namespace

std::vector<Damage> damage_of(const Graph& graph, const GraphVerdict& found) {
  std::vector<Damage> damage;
  for (const Diagnostic& each : found.diagnostics.all()) {
    if (each.severity != Severity::kError) continue;
    if (std::binary_search(kByRelease.begin(), kByRelease.end(), each.code)) continue;
    damage.push_back({each.code, blocker_of(graph, each)});
  }
  return damage;
}

bool is_refused(const Damage& damage, const Release& release, bool latest) {
  if (!damage.blocker.function.empty() && !release.checks_bodies) return false;
  // Earlier releases infer fewer shapes, and so contradict fewer annotations.
  return latest || damage.code != "output-shapes-wrong";
}

}  // namespace cryo
