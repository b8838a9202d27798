#include "cli/gather.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <set>

#include "base/text.h"
#include "cli/file_source.h"

namespace cryo {
namespace {

namespace fs = std::filesystem;

// Regular files of a folder, as `prefix` + name, sorted.
template <typename Iterator>
void add_files(const fs::path& folder, const std::string& prefix, std::set<std::string>& names) {
  std::error_code error;
  const Iterator end;
  for (Iterator entry(folder, fs::directory_options::skip_permission_denied, error);
       !error && entry != end && names.size() < kMaxFiles; entry.increment(error)) {
    std::error_code unreadable;
    if (!entry->is_regular_file(unreadable)) continue;
    names.insert(cat(prefix, entry->path().lexically_relative(folder).generic_string()));
  }
}

// Of "model.ckpt_temp_4f1c", in which a save that was interrupted has left the parts of model.ckpt:
// whether the file or prefix is of that checkpoint.
bool is_temporary_of(std::string_view folder, std::string_view path) {
  const size_t temp = folder.rfind("_temp");
  if (temp == std::string_view::npos || temp == 0) return false;
  const std::string_view prefix = folder.substr(0, temp);
  const std::string_view name = base_name(path);
  return name == prefix || (name.starts_with(prefix) && name[temp] == '.');
}

void add_siblings(const std::string& path, std::set<std::string>& names) {
  const std::string prefix(folder_of(path));
  const fs::path folder = prefix.empty() ? fs::path(".") : fs::path(prefix);
  add_files<fs::directory_iterator>(folder, prefix, names);
  std::error_code error;
  const fs::directory_iterator end;
  for (fs::directory_iterator entry(folder, error); !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().generic_string();
    if (!is_temporary_of(name, path)) continue;
    add_files<fs::directory_iterator>(entry->path(), cat(prefix, name, "/"), names);
  }
}

// Of a SavedModel that is named by its message's file, what lies in the folders beside that.
void add_saved_model_parts(const std::string& path, std::set<std::string>& names) {
  const std::string_view name = base_name(path);
  if (name != "saved_model.pb" && name != "saved_model.pbtxt") return;
  for (const char* part : {"variables/", "assets/", "assets.extra/", "debug/"}) {
    const std::string folder = cat(folder_of(path), part);
    add_files<fs::recursive_directory_iterator>(folder, folder, names);
  }
}

}  // namespace

Result<Gathered> gather(const std::string& path, const std::string& checkpoint,
                        const std::atomic<bool>& stop) {
  Gathered gathered;
  if (path == "-") {
    std::string bytes(std::istreambuf_iterator<char>(std::cin), {});
    gathered.files.push_back(std::make_shared<MemorySource>(std::move(bytes), "-"));
    gathered.asked = path;
  }
  std::set<std::string> names;
  std::error_code error;
  if (path != "-" && fs::is_directory(path, error)) {
    add_files<fs::recursive_directory_iterator>(path, cat(path, path.ends_with("/") ? "" : "/"),
                                                names);
  } else if (path != "-") {
    gathered.asked = path;
    add_siblings(path, names);
    add_saved_model_parts(path, names);
    if (fs::exists(path, error)) names.insert(path);
  }
  if (!checkpoint.empty()) add_siblings(checkpoint, names);
  for (const std::string& name : names) {
    gathered.files.push_back(std::make_shared<FileSource>(name, stop));
  }
  return gathered;
}

}  // namespace cryo
