#pragma once

#include <atomic>
#include <string>

#include "bytes/source.h"

namespace cryo {

// A file on disk, opened when it is first asked for anything. Reading by offset: nothing is mapped,
// so a file that shrinks meanwhile is an error and not a crash. A reader in another process may
// replace the file: this one keeps the old bytes.
class FileSource final : public ByteSource {
 public:
  // `stop`: when it turns true reads fail with "cancelled". REQUIRES: it outlives the source.
  FileSource(std::string path, const std::atomic<bool>& stop)
      : path_(std::move(path)), stop_(stop) {}
  ~FileSource() override;
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  const std::string& name() const override { return path_; }
  uint64_t size() const override;  // 0 where it cannot be opened: reads then say why
  Status read(uint64_t offset, std::span<char> out) const override;

  // The open file, for the kernel's own copying; -1 where it cannot be opened.
  int descriptor() const;

 private:
  std::string path_;
  const std::atomic<bool>& stop_;
  mutable int descriptor_ = -1;
  mutable bool tried_ = false;
};

}  // namespace cryo
