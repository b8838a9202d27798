#pragma once

#include <string>
#include <string_view>

#include "bytes/source.h"

namespace cryo {

// Returns the path of an archive's member as if unpacked to a folder: "./a//b", "/a/b" and "a\b"
// are "a/b"; the archive's root is "". Fails with "bad-member-name" for a path out of the folder
// ("..") and for a zero byte.
Result<std::string> member_path(const ByteSource& archive, std::string_view raw_name);

// "models/m.zip", "saved_model.pb" -> "models/m.zip/saved_model.pb": members are named as though
// the archive were a folder, so that relative names of files work inside of it as in one.
std::string member_source_name(const ByteSource& archive, std::string_view path);

}  // namespace cryo
