#include "archive/member_names.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"

namespace cryo {

Result<std::string> member_path(const ByteSource& archive, std::string_view raw_name) {
  std::string slashed(raw_name);
  std::replace(slashed.begin(), slashed.end(), '\\', '/');  // as some zip programs of Windows write
  std::string path;
  for (const std::string_view part : split(slashed, '/')) {
    if (part == ".." || part.find('\0') != std::string_view::npos) {
      return failure(
          "bad-member-name",
          cat("expected members inside of the archive; found one named ", quoted(raw_name)),
          {.file = archive.name()},
          "do not unpack this archive; ask for another where it came from");
    }
    if (part.empty() || part == ".") continue;
    if (!path.empty()) path += '/';
    path += part;
  }
  return path;
}

std::string member_source_name(const ByteSource& archive, std::string_view path) {
  return cat(archive.name(), "/", path);
}

}  // namespace cryo
