#pragma once

#include <functional>
#include <optional>
#include <string>

#include "bytes/source.h"
#include "native/file_stamp.h"

namespace cryo {

// A file on disk, opened when something of it is first requested. It is read by offset and not
// mapped, so a file that shrinks meanwhile is an error and not a crash. Another program may replace
// the file by a new one: this keeps the old bytes. One that writes into the file is detected by
// check_unchanged().
class FileSource final : public ByteSource {
 public:
  explicit FileSource(std::string path) : path_(std::move(path)) {}
  ~FileSource() override;
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  const std::string& name() const override { return path_; }
  uint64_t size() const override;
  // Fails with "read-failed" when the file cannot be opened or read.
  Status read(uint64_t offset, std::span<char> out) const override;

  // Counts the bytes that are read from now on. `count` outlives this source's last read.
  void count_reads(const std::function<void(uint64_t)>* count) const { count_ = count; }

  // Returns the open file, for the kernel's own copying; -1 if it cannot be opened.
  int descriptor() const;

  // Fails with "source-changed" when the file was written to since it was opened, with
  // "read-failed" when a size of it could not be had.
  Status check_unchanged() const;

 private:
  std::string path_;
  mutable int descriptor_ = -1;
  mutable int open_error_ = 0;
  mutable int stat_error_ = 0;  // a size that could not be had was taken for 0
  mutable std::optional<FileStamp> stamp_ = {};
  mutable const std::function<void(uint64_t)>* count_ = nullptr;
};

}  // namespace cryo
