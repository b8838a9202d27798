#pragma once

#include <string>
#include <string_view>

#include "bytes/damaged_part.h"
#include "bytes/source.h"

namespace cryo {

// Does a file that begins like this call itself gzip?
bool looks_like_gzip(std::string_view head);

// Returns the plain bytes of a gzip file (RFC 1952), also of several members one after the other,
// as a source of this name. Only the bytes determine their size, so all are decoded once here, in
// bounded memory, and their checksums compared. Later reads begin at saved positions
// (archive/inflate_source.h).
//
// Fails with "bad-gzip" for a broken frame, with "bad-deflate", "checksum". Zero bytes at the end
// are padding. With `losses` the source has what inflates, up to the first damage. The lost
// member in `losses` has the source's name, unless the file just ends: bytes that were decoded may
// be wrong, too.
Result<SourcePtr> gunzip(const SourcePtr& gzip, const std::string& name,
                         DamagedParts* losses = nullptr);

}  // namespace cryo
