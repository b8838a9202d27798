#pragma once

#include <vector>

#include "archive/zip_directory.h"
#include "bytes/damaged_part.h"

namespace cryo {

// Reads the directory; where it is damaged, the header that each member has before its bytes:
//
//     file      header, member a | other bytes | header, member b | header, member c, cut off
//     records   a, b, c (cut)
//     losses   the directory, other bytes
//
// Headers follow each other. Bytes in a header's place are skipped up to the next header that
// another one follows, or the end. A member whose header does not state its size ends where its
// deflate stream does, or at the sizes that follow it.
//
// Fails as read_zip_directory does if there is no member, and for a zip file within a compressed
// one: reading that back and forth would decode it many times.
Result<std::vector<ZipRecord>> salvaged_zip_records(const SourcePtr& zip, DamagedParts& losses);

// Returns the files in a zip file, as zip_members() does. All of them are read, and their checksums
// compared. A damaged one is given as far as it can be read, without a check: the bytes of a stored
// one, what inflates of a deflated one. It is in `losses` by its source's name. One that cannot be
// read is only there. Of two members of one path the last one counts.
Result<std::vector<SourcePtr>> salvaged_zip_members(const SourcePtr& zip, DamagedParts& losses);

}  // namespace cryo
