#include "releases/release_versions.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace cryo {
namespace {

constexpr auto kReleases = std::to_array<ReleaseVersion>({
    {"1.2", 22},    {"1.3", 24},    {"1.4", 24},    {"1.5", 24},    {"1.6", 26},    {"1.7", 26},
    {"1.8", 26},    {"1.9", 26},    {"1.10", 26},   {"1.11", 27},   {"1.12", 27},   {"1.13", 27},
    {"1.14", 38},   {"1.15", 134},  {"2.0", 119},   {"2.1", 175},   {"2.2", 175},   {"2.3", 440},
    {"2.4", 561},   {"2.5", 716},   {"2.6", 808},   {"2.7", 898},   {"2.8", 987},   {"2.9", 1087},
    {"2.10", 1205}, {"2.11", 1286}, {"2.12", 1395}, {"2.13", 1482}, {"2.14", 1575}, {"2.15", 1645},
    {"2.16", 1766}, {"2.17", 1882}, {"2.18", 1994}, {"2.19", 2129}, {"2.20", 2288}, {"2.21", 2474},
});

}  // namespace

std::span<const ReleaseVersion> release_versions() { return kReleases; }

std::string made_by(int producer) {
  if (producer <= 0) return "";
  const ReleaseVersion* first = nullptr;  // that has the version
  const ReleaseVersion* last = nullptr;
  const ReleaseVersion* before = nullptr;  // the nearest with an earlier version
  const ReleaseVersion* after = nullptr;
  for (const ReleaseVersion& each : kReleases) {
    const int version = each.graph_version;
    if (version == producer) {
      if (first == nullptr) first = &each;
      last = &each;
    }
    if (version < producer && (!before || version >= before->graph_version)) before = &each;
    if (version > producer && (!after || version < after->graph_version)) after = &each;
  }
  // The first release of the table may share its version with an earlier one.
  if (first == &kReleases.front()) return cat("TensorFlow ", last->name, " or earlier");
  if (first == last && first != nullptr) return cat("TensorFlow ", first->name);
  if (first != nullptr) return cat("TensorFlow ", first->name, " to ", last->name);
  if (before == nullptr) return cat("TensorFlow before ", after->name);
  if (after == nullptr) return cat("TensorFlow after ", before->name);
  return cat("a build between TensorFlow ", before->name, " and ", after->name);
}

std::string_view loads_from(int min_consumer) {
  if (min_consumer <= kReleases.front().graph_version) return "";
  const auto found =
      std::find_if(kReleases.begin(), kReleases.end(),
                   [&](const ReleaseVersion& each) { return each.graph_version >= min_consumer; });
  return found == kReleases.end() ? std::string_view() : found->name;
}

}  // namespace cryo
