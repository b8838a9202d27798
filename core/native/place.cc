#include "native/place.h"

#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/text.h"
#include "native/file_stamp.h"

namespace cryo {
namespace {

constexpr int kMaxLinks = 40;

// Follows a link whose target is not there yet, as open() with O_CREAT does.
std::string followed(std::string path) {
  for (int links = 0; links < kMaxLinks; ++links) {
    char target[PATH_MAX];
    const ssize_t size = readlink(path.c_str(), target, sizeof(target));
    if (size <= 0) break;
    const std::string_view to(target, static_cast<size_t>(size));
    path = to.starts_with('/') ? std::string(to) : cat(folder_of(path), to);
  }
  return path;
}

std::string target_of(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return path;
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
  return real ? std::string(real.get()) : followed(path);
}

// Names a kind of file that can be neither replaced nor written to.
std::string_view unwritable(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISBLK(mode)) return "a disk";
  return S_ISSOCK(mode) ? "a socket" : "";
}

}  // namespace

Result<Place> find_place(const std::string& output, bool force) {
  Place place{output, output, {}, force};
  struct stat status {};
  if (stat(output.c_str(), &status) != 0) {
    if (errno != ENOENT) return cannot_write(output, "write there");
    place.path = target_of(output);
    return place;
  }
  if (!force) {
    return failure("output-exists", "the output exists already", {.file = output},
                   "give --force to overwrite it");
  }
  const std::string_view kind = unwritable(status.st_mode);
  if (!kind.empty()) {
    return failure("write-failed", cat("cannot write: there is ", kind, " of this name"),
                   {.file = output}, "choose another place for the output");
  }
  place.stream = !S_ISREG(status.st_mode);
  if (!place.stream) place.path = target_of(output);
  place.before = status;
  return place;
}

Status check_unchanged(const Place& place) {
  struct stat status {};
  const bool there = stat(place.path.c_str(), &status) == 0;
  const bool same =
      there == place.before.has_value() && (!there || stamp_of(status) == stamp_of(*place.before));
  if (same || place.stream) return Unit{};
  return changed_meanwhile(place);
}

Failure changed_meanwhile(const Place& place) {
  return failure(place.force ? "output-changed" : "output-exists",
                 "another program wrote the output meanwhile", {.file = place.asked},
                 place.force ? "keep that file, or run this again to replace it"
                             : "give --force to overwrite it");
}

Failure cannot_write(const std::string& path, std::string_view doing) {
  const int error = errno;
  std::string_view folder = folder_of(path);
  if (error == ENOENT && !folder.empty()) {
    if (folder.size() > 1) folder.remove_suffix(1);  // the slash
    return failure("write-failed", cat("the folder '", folder, "' does not exist"), {.file = path},
                   cat("make it: mkdir -p ", folder));
  }
  return failure("write-failed", cat("cannot ", doing, ": ", std::strerror(error)), {.file = path},
                 error == ENOSPC || error == EDQUOT ? "make room, or choose another place"
                                                    : "choose another place for the output");
}

}  // namespace cryo
