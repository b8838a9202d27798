#pragma once

#include <string>
#include <string_view>

#include "bytes/source.h"

namespace cryo {

// Does a file that begins like this call itself gzip?
bool looks_like_gzip(std::string_view head);

// The plain bytes of a gzip file (RFC 1952), also of several members one after the other, as a
// source of this name. Nobody tells their size but the bytes themselves, so all are decoded once
// here, in bounded memory, and their checksums compared; later reads begin at places kept on the
// way (archive/inflate_source.h).
//
// "bad-gzip" for a broken frame, "bad-deflate", "checksum". Zero bytes at the end are padding.
Result<SourcePtr> gunzip(const SourcePtr& gzip, const std::string& name);

}  // namespace cryo
