#pragma once

#include <string>
#include <vector>

#include "bytes/source.h"

namespace cryo {

// The files in which a model may be.
struct Gathered {
  std::vector<SourcePtr> files = {};
  std::string asked = {};   // the one that was named; empty for a folder
  std::string capped = {};  // a folder of which not all files were taken
};

// Files next to `path` (a file or a checkpoint's prefix) and in the folders that an interrupted
// save of that checkpoint has left there (checkpoint/unmerged.h); with a SavedModel's own file
// those that belong to it; those below `path` (a folder); and those next to `checkpoint`, if one is
// given. Of a folder kMaxFiles are taken, and all whose names begin as that of `path` does. None is
// opened, but standard input ("-") and a `path` that is a pipe are read whole, up to kMostStreamed
// bytes. Fails with "read-failed" when a folder, or what is streamed, cannot be read.
Result<Gathered> gather(const std::string& path, const std::string& checkpoint);

constexpr size_t kMaxFiles = 20000;
constexpr uint64_t kMostStreamed = uint64_t{1} << 30;

}  // namespace cryo
