#pragma once

#include <string>
#include <vector>

#include "bytes/splice.h"

namespace cryo {

struct ZipFile {
  std::string name = {};  // "model/saved_model.pb"
  Splice content = {};
};

// A zip file of these files, each stored as it is: its content stays the slices it was. ZIP64 where
// sizes or places need it, and only there; dates are that of 1980-01-01, so that the same files
// give the same bytes.
//
// A zip file wants the CRC-32 of each file before its bytes, so they are read once here, in bounded
// steps. Fails with the error of that read, and on names that are empty, too long (65535 bytes) or
// not different: "bad-member-name".
Result<Splice> write_zip(const std::vector<ZipFile>& files);

}  // namespace cryo
