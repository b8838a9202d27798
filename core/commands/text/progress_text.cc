#include "commands/text/progress_text.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.h"

namespace cryo {
namespace {

constexpr size_t kBar = 20;

// "45 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(double seconds) {
  const auto whole = static_cast<uint64_t>(std::ceil(seconds));
  if (whole < 60) return cat(whole, " s");
  if (whole < 3600) return cat(whole / 60, " min ", whole % 60, " s");
  return cat(whole / 3600, " h ", whole % 3600 / 60, " min");
}

std::string bar_text(double share) {
  const auto filled = static_cast<size_t>(share * static_cast<double>(kBar));
  return cat("[", std::string(filled, '#'), std::string(kBar - filled, '-'), "]");
}

}  // namespace

std::string progress_text(const Progress& progress, size_t width) {
  const bool known = progress.total > 0 && progress.done <= progress.total;
  const double share =
      known ? static_cast<double>(progress.done) / static_cast<double>(progress.total) : 0;
  const double speed =
      progress.seconds > 0 ? static_cast<double>(progress.done) / progress.seconds : 0;
  const std::string done = human_bytes(progress.done);
  std::vector<std::string> parts{std::string(progress.doing)};
  if (known) parts.push_back(cat(static_cast<uint64_t>(share * 100), "%"));
  if (known) parts.push_back(bar_text(share));
  parts.push_back(known ? cat(done, " of ", human_bytes(progress.total)) : done);
  if (speed >= 1) parts.push_back(cat(human_bytes(static_cast<uint64_t>(speed)), "/s"));
  if (speed >= 1 && known) {
    const auto left = static_cast<double>(progress.total - progress.done);
    parts.push_back(cat(duration_text(left / speed), " left"));
  }
  std::string line;
  for (const std::string& part : parts) {
    const std::string longer = line.empty() ? part : cat(line, "  ", part);
    if (longer.size() < width) line = longer;
  }
  return line;
}

}  // namespace cryo
