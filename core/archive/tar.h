#pragma once

#include <vector>

#include "archive/tar_header.h"
#include "bytes/source.h"

namespace cryo {

// The files in a tar file (ustar, pax, GNU's long names), each a slice of it, named as though it
// were a folder: "model.tar/saved_model.pb" (archive/member_names.h). Reads the headers alone.
//
// Of several members of one path the last counts, as it is when unpacking. A hard link is the bytes
// of the member it names; folders, symbolic links and devices are left out.
//
// Fails with "bad-tar", "bad-member-name", and with "unsupported-compression" for a file with
// holes.
Result<std::vector<SourcePtr>> tar_members(const SourcePtr& tar);

}  // namespace cryo
