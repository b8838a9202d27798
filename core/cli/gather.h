#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "bytes/source.h"

namespace cryo {

// The files in which a model may lie.
struct Gathered {
  std::vector<SourcePtr> files = {};
  std::string asked = {};  // the one that was named; empty for a folder
};

// Files beside `path` (a file or a checkpoint's prefix) and in the folders that an interrupted save
// of that checkpoint has left there (model/unmerged.h), with a SavedModel's own file what belongs
// to it, below it (a folder), or standard input
// ("-"), and those beside `checkpoint`, if one is given. Opens nothing. A folder's first kMaxFiles
// are taken.
Result<Gathered> gather(const std::string& path, const std::string& checkpoint,
                        const std::atomic<bool>& stop);

constexpr size_t kMaxFiles = 20000;

}  // namespace cryo
