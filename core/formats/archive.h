#pragma once

#include <vector>

#include "bytes/checks.h"

namespace cryo {

// The files in an archive (zip, tar, gzip, a tar in a gzip), named as though it were a folder;
// what a gzip of one file holds goes by its name without ".gz", and so lies beside it.
// `checks` receives the members' checksums.
Result<std::vector<SourcePtr>> unpack(const SourcePtr& archive, Checks* checks = nullptr);

}  // namespace cryo
