#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "base/result.h"

namespace cryo {

// The path of an output file, and the file there before it is written.
struct Place {
  std::string asked;  // as the output is named
  std::string path;   // the same with a link at its end followed
  std::optional<struct stat> before = {};
  bool force = false;
  bool stream = false;  // a FIFO or a character device: written to directly, never replaced
};

// Looks at the place of an output. Fails with "output-exists" when something is there and `force`
// is false, and with "write-failed" when a folder, a socket or a disk is there.
Result<Place> find_place(const std::string& output, bool force);

// Fails with "output-exists" or, with `force`, "output-changed" when something else is there now.
Status check_unchanged(const Place& place);
Failure changed_meanwhile(const Place& place);

Failure cannot_write(const std::string& path, std::string_view doing);

}  // namespace cryo
