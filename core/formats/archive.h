#pragma once

#include <vector>

#include "bytes/checks.h"
#include "bytes/damaged_part.h"

namespace cryo {

// Returns the files in an archive (zip, tar, gzip, a tar in a gzip), named as if the archive were a
// folder. The file in a gzip has the name of the archive without ".gz", so it is in the same
// folder. `checks` receives the members' checksums.
//
// With `losses` gives what is whole of a damaged archive (archive/zip_salvage.h, tar.h, gzip.h).
// A damaged member is given if what is whole of it can be known without its own checksum: a graph,
// by its form; a checkpoint's files, by the checksums in them. Others are lost.
Result<std::vector<SourcePtr>> unpack(const SourcePtr& archive, Checks* checks = nullptr,
                                      DamagedParts* losses = nullptr);

}  // namespace cryo
