#pragma once

#include <vector>

#include "bytes/checks.h"

namespace cryo {

// Returns the files in an archive (zip, tar, gzip, a tar in a gzip), named as if the archive were a
// folder. The file in a gzip has the name of the archive without ".gz", so it is in the same
// folder. `checks` receives the members' checksums.
Result<std::vector<SourcePtr>> unpack(const SourcePtr& archive, Checks* checks = nullptr);

}  // namespace cryo
