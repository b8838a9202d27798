#pragma once

#include <vector>

#include "archive/tar_header.h"
#include "bytes/damaged_part.h"
#include "bytes/source.h"

namespace cryo {

// The files in a tar file (ustar, pax, GNU's long names). Each is a slice of it, with the name it
// would have if the archive were a folder: "model.tar/saved_model.pb" (archive/member_names.h).
// Reads only the headers.
//
// If several members have one path the last one counts, as when unpacking. A hard link has the
// bytes of the member it names. Folders, symbolic links and devices are skipped.
//
// Fails with "bad-tar", "bad-member-name"; with "unsupported-compression" for a sparse file. With
// `losses` reads on at the next header whose checksum is right, gives a member that the file ends
// within as far as it is there, and lists both:
//
//     header, member a | other bytes | header, member b | header, first bytes of member c
Result<std::vector<SourcePtr>> tar_members(const SourcePtr& tar, DamagedParts* losses = nullptr);

}  // namespace cryo
