#include "native/gather.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/text.h"
#include "formats/gathering.h"
#include "native/file_source.h"

namespace cryo {
namespace {

namespace fs = std::filesystem;

Failure cannot_read(const std::string& path, const std::string& why) {
  return failure("read-failed", cat("cannot read: ", why), {.file = path},
                 "give yourself the right to read it, or take a copy");
}

// True for the errors of what is not there, or not for this user: there may be a model without it.
bool is_absent(const std::error_code& error) {
  return error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory ||
         error == std::errc::permission_denied || error == std::errc::too_many_symbolic_link_levels;
}

// Adds what a folder has; a folder that is missing has nothing. Fails if it is there and cannot be
// listed to its end.
Status list(const std::string& folder, Gathering& gathering) {
  std::error_code error;
  const std::string path = folder.empty() ? "." : folder;
  const fs::directory_iterator end;
  fs::directory_iterator entry(path, fs::directory_options::skip_permission_denied, error);
  if (is_absent(error)) return Unit{};
  for (bool more = true; more && !error && entry != end; entry.increment(error)) {
    std::error_code unknown;
    const std::string name = entry->path().filename().string();
    const fs::file_type type = entry->symlink_status(unknown).type();
    if (type == fs::file_type::directory) gathering.add_folder(name);
    if (entry->is_regular_file(unknown)) more = gathering.add_file(name);
    if (unknown && !is_absent(unknown)) return cannot_read(entry->path(), unknown.message());
  }
  if (error) return cannot_read(path, error.message());
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
    if (size > kMaxStreamed) {
      return failure("too-large", cat("a stream of more than ", human_bytes(kMaxStreamed)),
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

// Reads a stream, or tells `gathering` which folders to list for a file or a folder.
Status add_path(const std::string& path, GatheredFiles& gathered, Gathering& gathering) {
  std::error_code error;
  const fs::file_type type = path == "-" ? fs::file_type::fifo : fs::status(path, error).type();
  if (error && type != fs::file_type::not_found) return cannot_read(path, error.message());
  if (type == fs::file_type::directory) {
    const fs::directory_iterator opened(path, error);
    if (error) return cannot_read(path, error.message());
    gathering.add_below(path);
    return Unit{};
  }
  gathered.asked = path;
  if (type == fs::file_type::fifo || type == fs::file_type::character) {
    TRY(stream, read_stream(path));
    gathered.files.push_back(stream);
    return Unit{};
  }
  gathering.add_siblings(path);
  if (type != fs::file_type::not_found) gathering.add(path);
  return Unit{};
}

}  // namespace

Result<GatheredFiles> gather(const std::string& path, const std::string& checkpoint) {
  GatheredFiles gathered;
  Gathering gathering;
  CHECK_OK(add_path(path, gathered, gathering));
  if (!checkpoint.empty()) gathering.add_siblings(checkpoint);
  while (const auto folder = gathering.next()) CHECK_OK(list(*folder, gathering));
  for (const std::string& name : gathering.files()) {
    gathered.files.push_back(std::make_shared<FileSource>(name));
  }
  gathered.capped = gathering.capped();
  return gathered;
}

}  // namespace cryo
