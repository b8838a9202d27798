#include "native/standard_output.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/text.h"
#include "bytes/splice_reader.h"
#include "commands/command_line.h"
#include "native/terminal.h"

namespace cryo {
namespace {

constexpr uint64_t kStep = uint64_t{1} << 20;

// Calls `visit` with the next bytes, and how many there were with them.
template <typename Visit>
Status for_each_step(const Splice& content, Visit visit) {
  SpliceReader reader(content);
  std::string buffer;
  while (reader.left() > 0) {
    buffer.resize(static_cast<size_t>(std::min(kStep, reader.left())));
    CHECK_OK(reader.read(buffer));
    CHECK_OK(visit(buffer, content.size() - reader.left()));
  }
  return Unit{};
}

Status check_printable(const std::vector<OutputFile>& files) {
  if (files.size() != 1 || files[0].path != kStandardOutput) {
    return failure("bad-option",
                   cat("standard output takes one file, and this format has ", files.size()), {},
                   "name a file with -o, or choose a format of one file with --as");
  }
  if (!is_terminal(STDOUT_FILENO)) return Unit{};
  return failure("bad-option", "standard output is a terminal, which does not show a model", {},
                 "send it to a program or a file: cryograph ... -o - > FILE");
}

}  // namespace

Status write_to_standard_output(const std::vector<OutputFile>& files,
                                const std::function<Status()>& check_inputs,
                                const std::function<void(uint64_t, uint64_t)>& progress) {
  CHECK_OK(check_printable(files));
  const Splice& content = files[0].content;
  // All is read once before, which compares its checksums: a printed byte cannot be taken back.
  CHECK_OK(for_each_step(content, [](std::string_view, uint64_t) -> Status { return Unit{}; }));
  CHECK_OK(check_inputs());
  return for_each_step(content, [&](std::string_view bytes, uint64_t done) -> Status {
    if (!put(STDOUT_FILENO, bytes)) {
      return failure("write-failed", cat("cannot write to standard output: ", std::strerror(errno)),
                     {}, "make room where it leads, or choose another place");
    }
    progress(done, content.size());
    return Unit{};
  });
}

}  // namespace cryo
