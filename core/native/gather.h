#pragma once

#include <string>
#include <vector>

#include "bytes/source.h"

namespace cryo {

// The files in which a model may be.
struct GatheredFiles {
  std::vector<SourcePtr> files = {};
  std::string asked = {};   // the one that was named; empty for a folder
  std::string capped = {};  // OpenOptions::capped
};

// Gathers the files that may belong to a model (formats/gathering.h): those below `path`, if it is
// a folder, else next to it, and next to `checkpoint`, if one is given. No file is opened, except
// that standard input ("-") and a `path` that is a pipe are read whole, up to kMaxStreamed bytes.
// Fails with "read-failed" if a folder, or a stream, cannot be read.
Result<GatheredFiles> gather(const std::string& path, const std::string& checkpoint);

constexpr uint64_t kMaxStreamed = uint64_t{1} << 30;

}  // namespace cryo
