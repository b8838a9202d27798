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
  CHECK_OK(check_inputs());
  SpliceReader reader(files[0].content);
  const uint64_t total = reader.left();
  std::string buffer;
  while (reader.left() > 0) {
    buffer.resize(static_cast<size_t>(std::min(kStep, reader.left())));
    CHECK_OK(reader.read(buffer));
    if (!put(STDOUT_FILENO, buffer)) {
      return failure("write-failed", cat("cannot write to standard output: ", std::strerror(errno)),
                     {}, "make room where it leads, or choose another place");
    }
    progress(total - reader.left(), total);
  }
  return Unit{};
}

}  // namespace cryo
