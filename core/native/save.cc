#include "native/save.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>

#include "base/text.h"
#include "native/disk.h"
#include "native/part_file.h"
#include "native/unfinished.h"

namespace cryo {
namespace {

namespace fs = std::filesystem;

using Parts = std::vector<std::unique_ptr<PartFile>>;

std::string parent_of(std::string_view path) {
  const std::string_view folder = folder_of(path);
  return std::string(folder.substr(
      0, std::max<size_t>(folder.find_last_not_of('/') + 1, folder.starts_with('/') ? 1 : 0)));
}

// Folders of the outputs that were not there; removed again unless they are kept.
class NewFolders {
 public:
  // Creates the folder and its parents, as far as they are in `output` or are it.
  Status make(const std::string& folder, const std::string& output) {
    std::error_code error;
    const bool inside = output.empty() || cat(folder, "/").starts_with(cat(output, "/"));
    if (folder.empty() || !inside || fs::is_directory(folder, error)) return Unit{};
    CHECK_OK(make(parent_of(folder), output));
    const HeldSignals held;
    made_.push_back(std::make_unique<Unfinished>(folder));
    if (mkdir(folder.c_str(), 0777) != 0) return cannot_write(folder, "create the folder");
    made_.back()->created();
    return Unit{};
  }
  void keep() {
    for (const auto& folder : made_) folder->keep();
  }
  ~NewFolders() {
    while (!made_.empty()) made_.pop_back();
  }
  const std::vector<std::unique_ptr<Unfinished>>& all() const { return made_; }

 private:
  std::vector<std::unique_ptr<Unfinished>> made_;
};

// The folder in which others may be made: OUT itself, or that of which OUT is the main file.
std::string folder_of_output(std::string_view out) {
  if (base_name(out) == "saved_model.pbtxt") out = folder_of(out);
  return std::string(out.substr(0, out.find_last_not_of('/') + 1));
}

Result<std::vector<Place>> find_places(const std::vector<OutputFile>& files, bool force) {
  std::vector<Place> places;
  std::set<std::string> taken;
  for (const OutputFile& file : files) {
    TRY(place, find_place(file.path, force));
    if (!taken.insert(place.path).second) {
      return failure("write-failed", "another output has the same place", {.file = file.path},
                     "choose a place without links");
    }
    places.push_back(std::move(place));
  }
  return places;
}

// The folders in which names change.
std::set<std::string> changed_folders(const Parts& parts, const NewFolders& folders) {
  std::set<std::string> changed;
  for (const auto& part : parts)
    if (!part->place().stream) changed.insert(parent_of(part->place().path));
  for (const auto& folder : folders.all()) changed.insert(parent_of(folder->path()));
  return changed;
}

Status rename_and_sync(const Parts& parts, const std::set<std::string>& folders, size_t& renamed) {
  for (const auto& part : parts) CHECK_OK(check_unchanged(part->place()));
  for (; renamed < parts.size(); ++renamed) CHECK_OK(parts[renamed]->rename());
  for (const std::string& folder : folders)
    if (!sync_folder(folder)) return cannot_write(folder, "sync the folder");
  return Unit{};
}

// Renames all files of a set into their places, or none. After a power loss in here each file is
// the old or the new one, whole; old ones that were replaced are still there under their other
// names (.cryograph-*). Memory cannot run out between two files: it is taken before.
Status rename_all(const Parts& parts, const std::string& output, NewFolders& folders) {
  const std::set<std::string> changed = changed_folders(parts, folders);
  const HeldSignals held;
  const FolderLock lock(parent_of(output));
  size_t renamed = 0;
  Status status = rename_and_sync(parts, changed, renamed);
  if (!status) {
    while (renamed > 0) parts[--renamed]->undo();
    return status;
  }
  for (const auto& part : parts) part->settle();
  folders.keep();
  return status;
}

}  // namespace

Status save(const std::vector<OutputFile>& files, const std::string& out, bool force,
            const std::function<Status()>& check_inputs,
            const std::function<void(uint64_t, uint64_t)>& progress) {
  TRY(places, find_places(files, force));
  uint64_t total = 0;
  uint64_t written = 0;
  for (const OutputFile& file : files) total += file.content.size();
  const auto done = [&](uint64_t bytes) -> Status {
    progress(written += bytes, total);
    return Unit{};
  };
  const std::string output = folder_of_output(out);
  NewFolders folders;
  Parts parts;
  for (size_t i = 0; i < files.size(); ++i) {
    CHECK_OK(folders.make(parent_of(files[i].path), output));
    parts.push_back(std::make_unique<PartFile>(places[i]));
    CHECK_OK(parts.back()->open(files[i].content.size()));
    for (const Slice& slice : files[i].content.pieces()) CHECK_OK(parts.back()->put(slice, done));
    CHECK_OK(parts.back()->finish(done));
  }
  CHECK_OK(check_inputs());
  return rename_all(parts, output, folders);
}

}  // namespace cryo
