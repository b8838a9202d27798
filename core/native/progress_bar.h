#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace cryo {

// A line on the terminal that standard error is, for work that takes more than a second: it is
// rewritten as the work goes on, and removed at the end.
class ProgressBar {
 public:
  // `doing`: "reading". Shows nothing if `shown` is false, or if standard error is not a terminal.
  ProgressBar(std::string_view doing, bool shown);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Units: bytes. `total`: 0 if it is not known.
  void show(uint64_t done, uint64_t total);

  // Removes the line; nothing is shown any more.
  void end();

 private:
  using Clock = std::chrono::steady_clock;

  std::string doing_;
  bool shown_;
  bool has_line_ = false;
  Clock::time_point began_;
  Clock::time_point drawn_ = {};
};

}  // namespace cryo
