#include "native/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace cryo {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

}  // namespace

bool put(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno == EPIPE;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

bool is_terminal(int descriptor) { return isatty(descriptor) != 0; }

size_t terminal_width(int descriptor) {
  winsize size = {};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool has_color(int descriptor, std::string_view when) {
  if (when != "auto") return when == "always";
  return is_terminal(descriptor) && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
}

}  // namespace cryo
