#include "native/progress_bar.h"

#include <unistd.h>

#include "base/text.h"
#include "commands/text/progress_text.h"
#include "native/terminal.h"

namespace cryo {
namespace {

constexpr std::string_view kClear = "\r\x1b[K";

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

ProgressBar::ProgressBar(std::string_view doing, bool shown)
    : doing_(doing), shown_(shown && is_terminal(STDERR_FILENO)), began_(Clock::now()) {}

ProgressBar::~ProgressBar() { end(); }

void ProgressBar::end() {
  if (has_line_) put(STDERR_FILENO, kClear);
  shown_ = has_line_ = false;
}

void ProgressBar::show(uint64_t done, uint64_t total) {
  if (!shown_) return;
  const Clock::time_point now = Clock::now();
  const double taken = seconds(now - began_);
  if (taken < kProgressAfter || seconds(now - drawn_) < kProgressEvery) return;
  drawn_ = now;
  has_line_ = true;
  const Progress progress{doing_, done, total, taken};
  put(STDERR_FILENO, cat(kClear, progress_text(progress, terminal_width(STDERR_FILENO))));
}

}  // namespace cryo
