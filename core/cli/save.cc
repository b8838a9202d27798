#include "cli/save.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>

#include "base/text.h"
#include "cli/part_file.h"

namespace cryo {
namespace {

namespace fs = std::filesystem;

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
    if (mkdir(folder.c_str(), 0777) != 0) {
      return failure("write-failed", cat("cannot create the folder: ", std::strerror(errno)),
                     {.file = folder}, "choose another place for the output, or make room");
    }
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
  std::vector<std::unique_ptr<PartFile>> parts;
  for (const OutputFile& file : files) {
    CHECK_OK(folders.make(fs::path(file.path).parent_path().string(), output));
    parts.push_back(std::make_unique<PartFile>(file.path));
    CHECK_OK(parts.back()->open(file.content.size()));
    for (const Slice& slice : file.content.pieces()) CHECK_OK(parts.back()->put(slice, done));
    CHECK_OK(parts.back()->finish(done));
  }
  for (const auto& part : parts) CHECK_OK(part->rename());
  folders.keep();
  return Unit{};
}

}  // namespace cryo
