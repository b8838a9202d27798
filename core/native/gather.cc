#include "native/gather.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/text.h"
#include "native/file_source.h"

namespace cryo {
namespace {

namespace fs = std::filesystem;

Failure cannot_read(const std::string& path, const std::string& why) {
  return failure("read-failed", cat("cannot read: ", why), {.file = path},
                 "give yourself the right to read it, or take a copy");
}

// The names that were found. Those that begin with `stem` are kept beyond the limit.
struct Names {
  std::set<std::string> all = {};
  std::string stem = {};
  std::string capped = {};
  size_t counted = 0;

  bool full() const { return !capped.empty() && stem.empty(); }
  void add(const fs::path& folder, std::string name) {
    const bool near = !stem.empty() && name.starts_with(stem);
    if (!near && counted == kMaxFiles) {
      capped = folder.string();
    } else if (all.insert(std::move(name)).second && !near) {
      ++counted;
    }
  }
};

// True for the errors of what is not there, or not for this user: there may be a model without it.
bool is_absent(const std::error_code& error) {
  return error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory ||
         error == std::errc::permission_denied || error == std::errc::too_many_symbolic_link_levels;
}

// Adds the regular files of a folder, as `prefix` + name. Fails where the folder is there and
// cannot be listed to its end.
template <typename Iterator>
Status add_files(const fs::path& folder, const std::string& prefix, Names& names) {
  std::error_code error;
  const Iterator end;
  Iterator entry(folder, fs::directory_options::skip_permission_denied, error);
  if (is_absent(error)) return Unit{};
  for (; !error && entry != end && !names.full(); entry.increment(error)) {
    std::error_code unknown;
    const bool file = entry->is_regular_file(unknown);
    if (unknown && !is_absent(unknown)) return cannot_read(entry->path(), unknown.message());
    if (!file) continue;
    names.add(folder, cat(prefix, entry->path().lexically_relative(folder).generic_string()));
  }
  if (error) return cannot_read(folder, error.message());
  return Unit{};
}

// Returns true if the file or prefix belongs to the checkpoint whose interrupted save left the
// temporary folder: "model.ckpt_temp_4f1c" has the parts of model.ckpt.
bool is_temporary_of(std::string_view folder, std::string_view path) {
  const size_t temp = folder.rfind("_temp");
  if (temp == std::string_view::npos || temp == 0) return false;
  const std::string_view prefix = folder.substr(0, temp);
  const std::string_view name = base_name(path);
  return name == prefix || (name.starts_with(prefix) && name[temp] == '.');
}

Status add_siblings(const std::string& path, Names& names) {
  const std::string prefix(folder_of(path));
  const fs::path folder = prefix.empty() ? fs::path(".") : fs::path(prefix);
  const std::string_view name = base_name(path);
  const size_t dot = name.rfind('.');
  names.stem = name.empty() ? "" : cat(prefix, name.substr(0, dot == 0 ? name.size() : dot));
  CHECK_OK(add_files<fs::directory_iterator>(folder, prefix, names));
  std::error_code error;
  const fs::directory_iterator end;
  for (fs::directory_iterator entry(folder, error); !error && entry != end;
       entry.increment(error)) {
    const std::string inner = entry->path().filename().generic_string();
    if (!is_temporary_of(inner, path)) continue;
    CHECK_OK(add_files<fs::directory_iterator>(entry->path(), cat(prefix, inner, "/"), names));
  }
  if (error && !is_absent(error)) return cannot_read(folder, error.message());
  return Unit{};
}

// Adds what is in the folders of a SavedModel that is named by its message's file.
Status add_saved_model_parts(const std::string& path, Names& names) {
  const std::string_view name = base_name(path);
  if (name != "saved_model.pb" && name != "saved_model.pbtxt") return Unit{};
  for (const char* part : {"variables/", "assets/", "assets.extra/", "debug/"}) {
    const std::string folder = cat(folder_of(path), part);
    CHECK_OK(add_files<fs::recursive_directory_iterator>(folder, folder, names));
  }
  return Unit{};
}

// Reads a stream to its end.
Result<SourcePtr> read_stream(int descriptor, const std::string& name) {
  std::string bytes;
  for (size_t size = 0;;) {
    constexpr size_t kFirst = size_t{1} << 20;
    if (size == bytes.size()) bytes.resize(std::max(kFirst, 2 * size));
    const ssize_t got = ::read(descriptor, bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return cannot_read(name, std::strerror(errno));
    size += static_cast<size_t>(got);
    if (size > kMostStreamed) {
      return failure("too-large", cat("a stream of more than ", human_bytes(kMostStreamed)),
                     {.file = name}, "save it as a file, and name that");
    }
    if (got > 0) continue;
    bytes.resize(size);
    bytes.shrink_to_fit();
    return SourcePtr(std::make_shared<MemorySource>(std::move(bytes), name));
  }
}

Result<SourcePtr> read_stream(const std::string& path) {
  if (path == "-") return read_stream(STDIN_FILENO, path);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) return cannot_read(path, std::strerror(errno));
  Result<SourcePtr> source = read_stream(descriptor, path);
  close(descriptor);
  return source;
}

Status add_path(const std::string& path, GatheredFiles& gathered, Names& names) {
  std::error_code error;
  const fs::file_type type = path == "-" ? fs::file_type::fifo : fs::status(path, error).type();
  if (error && type != fs::file_type::not_found) return cannot_read(path, error.message());
  if (type == fs::file_type::directory) {
    const fs::directory_iterator opened(path, error);
    if (error) return cannot_read(path, error.message());
    return add_files<fs::recursive_directory_iterator>(
        path, cat(path, path.ends_with("/") ? "" : "/"), names);
  }
  gathered.asked = path;
  if (type == fs::file_type::fifo || type == fs::file_type::character) {
    TRY(stream, read_stream(path));
    gathered.files.push_back(stream);
    return Unit{};
  }
  CHECK_OK(add_siblings(path, names));
  CHECK_OK(add_saved_model_parts(path, names));
  if (type != fs::file_type::not_found) names.all.insert(path);
  return Unit{};
}

}  // namespace

Result<GatheredFiles> gather(const std::string& path, const std::string& checkpoint) {
  GatheredFiles gathered;
  Names names;
  CHECK_OK(add_path(path, gathered, names));
  if (!checkpoint.empty()) CHECK_OK(add_siblings(checkpoint, names));
  for (const std::string& name : names.all) {
    gathered.files.push_back(std::make_shared<FileSource>(name));
  }
  gathered.capped = names.capped;
  return gathered;
}

}  // namespace cryo
