#pragma once

#include <string>
#include <vector>

#include "bytes/source.h"

namespace cryo {

// The files in which a model may be.
struct GatheredFiles {
  std::vector<SourcePtr> files = {};
  std::string asked = {};   // the one that was named; empty for a folder
  std::string capped = {};  // a folder of which not all files were taken
};

// Gathers the files that may belong to a model:
// - next to `path` (a file or a checkpoint's prefix), and in the folders that an interrupted save
//   of that checkpoint has left there (checkpoint/unmerged.h)
// - with a SavedModel's own file, those that belong to it
// - below `path`, if it is a folder
// - next to `checkpoint`, if one is given
//
// From a folder kMaxFiles are taken, and all whose names begin as that of `path` does. No file is
// opened, except that standard input ("-") and a `path` that is a pipe are read whole, up to
// kMostStreamed bytes. Fails with "read-failed" if a folder, or a stream, cannot be read.
Result<GatheredFiles> gather(const std::string& path, const std::string& checkpoint);

constexpr size_t kMaxFiles = 20000;
constexpr uint64_t kMostStreamed = uint64_t{1} << 30;

}  // namespace cryo
