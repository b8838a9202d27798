#include "cli/save.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>

#include "base/text.h"
#include "cli/file_source.h"

namespace cryo {
namespace {

namespace fs = std::filesystem;

// So much at a time goes to the kernel's copy, so that progress shows and a stop is heard.
constexpr uint64_t kCopyStep = uint64_t{64} << 20;

Failure cannot_write(const std::string& path, std::string_view doing) {
  return failure("write-failed", cat("cannot ", doing, ": ", std::strerror(errno)), {.file = path},
                 "choose another place for the output, or make room");
}

// A file being written beside its place; removed again unless it was renamed.
class Temporary {
 public:
  explicit Temporary(std::string path)
      : path_(std::move(path)), beside_(cat(path_, ".part-", getpid())) {}
  ~Temporary() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!renamed_) std::remove(beside_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  Status open() {
    descriptor_ = ::open(beside_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0) return cannot_write(path_, "create the file");
    return Unit{};
  }
  Status close_file() {
    const int closed = close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) return cannot_write(path_, "finish writing");
    return Unit{};
  }
  Status rename() {
    renamed_ = std::rename(beside_.c_str(), path_.c_str()) == 0;
    if (!renamed_) return cannot_write(path_, "rename the finished file into place");
    return Unit{};
  }
  Status write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t put = ::write(descriptor_, bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return cannot_write(path_, "write");
      bytes.remove_prefix(static_cast<size_t>(put));
    }
    return Unit{};
  }
  int descriptor() const { return descriptor_; }

 private:
  std::string path_;
  std::string beside_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

// Bytes that the kernel copied from one file to the other; 0 where it cannot for these two.
uint64_t kernel_copy(const Slice& slice, int to) {
  const auto* file = dynamic_cast<const FileSource*>(slice.source.get());
  if (file == nullptr) return 0;
  auto offset = static_cast<off64_t>(slice.offset);
  const ssize_t copied = copy_file_range(file->descriptor(), &offset, to, nullptr,
                                         static_cast<size_t>(std::min(slice.size, kCopyStep)), 0);
  return copied > 0 ? static_cast<uint64_t>(copied) : 0;
}

// A slice, by the kernel as long as that works, the rest through memory.
Status put_slice(Slice slice, const Temporary& out, const std::function<Status(uint64_t)>& done) {
  while (slice.size > 0) {
    const uint64_t copied = kernel_copy(slice, out.descriptor());
    if (copied == 0) break;
    slice.offset += copied;
    slice.size -= copied;
    CHECK_OK(done(copied));
  }
  return Splice(slice).for_each_chunk([&](std::string_view chunk) -> Status {
    CHECK_OK(out.write(chunk));
    return done(chunk.size());
  });
}

// Folders of the outputs that were not there; removed again unless all went well.
class NewFolders {
 public:
  NewFolders() = default;
  ~NewFolders() {
    std::error_code error;
    for (auto made = made_.rbegin(); made != made_.rend() && !kept_; ++made)
      fs::remove(*made, error);
  }
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;

  // Makes the folder and those around it, as far as they lie in `output` or are it.
  Status make(const std::string& folder, const std::string& output) {
    std::error_code error;
    const bool inside = output.empty() || cat(folder, "/").starts_with(cat(output, "/"));
    if (folder.empty() || !inside || fs::is_directory(folder, error)) return Unit{};
    CHECK_OK(make(fs::path(folder).parent_path().string(), output));
    if (mkdir(folder.c_str(), 0777) != 0) return cannot_write(folder, "create the folder");
    made_.push_back(folder);
    return Unit{};
  }
  void keep() { kept_ = true; }

 private:
  std::vector<std::string> made_;
  bool kept_ = false;
};

// Where folders may be made: OUT itself, or what it is the main file of.
std::string folder_of_output(std::string_view out) {
  if (base_name(out) == "saved_model.pbtxt") out = folder_of(out);
  return std::string(out.substr(0, out.find_last_not_of('/') + 1));
}

Status refuse_existing(const std::vector<OutputFile>& files) {
  for (const OutputFile& file : files) {
    std::error_code error;
    if (fs::exists(file.path, error)) {
      return failure("output-exists", "the output exists already", {.file = file.path},
                     "give --force to overwrite it");
    }
  }
  return Unit{};
}

}  // namespace

Status save(const std::vector<OutputFile>& files, const std::string& out, bool force,
            const std::atomic<bool>& stop,
            const std::function<void(uint64_t, uint64_t)>& progress) {
  if (!force) CHECK_OK(refuse_existing(files));
  uint64_t total = 0;
  uint64_t written = 0;
  for (const OutputFile& file : files) total += file.content.size();
  const auto done = [&](uint64_t bytes) -> Status {
    progress(written += bytes, total);
    if (stop) return failure("cancelled", "cancelled; nothing was written");
    return Unit{};
  };
  const std::string output = folder_of_output(out);
  NewFolders folders;
  std::vector<std::unique_ptr<Temporary>> temporaries;
  for (const OutputFile& file : files) {
    CHECK_OK(folders.make(fs::path(file.path).parent_path().string(), output));
    temporaries.push_back(std::make_unique<Temporary>(file.path));
    CHECK_OK(temporaries.back()->open());
    for (const Slice& slice : file.content.pieces()) {
      CHECK_OK(put_slice(slice, *temporaries.back(), done));
    }
    CHECK_OK(temporaries.back()->close_file());
  }
  for (const auto& temporary : temporaries) CHECK_OK(temporary->rename());
  folders.keep();
  return Unit{};
}

}  // namespace cryo
