#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cryo {

// The state of work that takes long.
struct Progress {
  std::string_view doing = {};  // "writing"
  uint64_t done = 0;            // bytes
  uint64_t total = 0;           // 0: unknown
  double seconds = 0;           // since it began
};

// Progress is shown for work that takes longer, and then so often. Units: seconds.
constexpr double kProgressAfter = 1;
constexpr double kProgressEvery = 0.1;

// Returns a line of less than `width` columns; it has as much of this as fits, speed and time
// being averages:
//
//     writing  45%  [#########-----------]  1.2 GB of 2.7 GB  810.0 MB/s  2 s left
std::string progress_text(const Progress& progress, size_t width);

}  // namespace cryo
