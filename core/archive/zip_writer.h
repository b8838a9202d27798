#pragma once

#include <string>
#include <vector>

#include "bytes/splice.h"

namespace cryo {

struct ZipFile {
  std::string name = {};  // "model/saved_model.pb"
  Splice content = {};
};

// Returns a zip file of these files, each stored without compression: its content remains the same
// slices. ZIP64 is used only if sizes or offsets need it. Dates are that of 1980-01-01, so that the
// same files give the same bytes.
//
// A zip file has the CRC-32 of each file before its bytes, so they are read once here, in bounded
// steps. Fails with the error of that read; with "bad-member-name" for names that are empty, too
// long (65535 bytes) or duplicate.
Result<Splice> write_zip(const std::vector<ZipFile>& files);

}  // namespace cryo
