#pragma once

#include <cstdint>
#include <string>

namespace cryo {

// File system calls that differ between systems.

// Waits until the disk has the file's bytes. Returns true on success, and if the file is not on a
// disk. On false errno has the reason.
bool sync_whole(int descriptor);

// The same for the names in a folder. A folder that may not be read is not synced.
bool sync_folder(const std::string& folder);

// Renames a file to a name that is free; fails with EEXIST when it is taken.
bool rename_to_new(const std::string& from, const std::string& to);

// Returns true if the disk reports that it has no room for so many bytes.
bool lacks_room(int descriptor, uint64_t size);

// Returns an unguessable name next to `path`, within the limit on the length of names.
std::string random_name(const std::string& path);

// A lock of a folder that other programs of ours respect; released when the program ends, however
// it ends. Gives up after two seconds: an outer program may hold the lock and wait for us.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace cryo
