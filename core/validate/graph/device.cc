#include "validate/graph/device.h"

#include <algorithm>

#include "base/utf8.h"
#include "graph/roles.h"

namespace cryo {
namespace {

bool is_number(std::string_view text) {
  if (text == "*") return true;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
  }
  return !text.empty();
}

bool is_word(std::string_view text) {
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= '9') && c != '_') return false;
  }
  return !text.empty();
}

// One part, without its slash: "job:worker", "device:GPU:0", "gpu:0".
bool is_part(std::string_view part) {
  const std::vector<std::string_view> words = split(part, ':');
  if (words[0] == "job") return words.size() == 2 && is_word(words[1]);
  if (words[0] == "replica" || words[0] == "task") return words.size() == 2 && is_number(words[1]);
  if (words[0] == "device") {
    return words.size() == 3 && (words[1] == "*" || is_word(words[1])) && is_number(words[2]);
  }
  const bool short_form =
      words[0] == "cpu" || words[0] == "CPU" || words[0] == "gpu" || words[0] == "GPU";
  return short_form && words.size() == 2 && is_number(words[1]);
}

// Returns true if Python's int() accepts it; blanks and underscores, which no exporter writes, are
// refused.
bool is_python_int(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  return text != "*" && is_number(text);
}

bool is_python_type(std::string_view word) {
  constexpr std::string_view kTypes[] = {"CPU", "GPU", "TPU", "CUSTOM", "EPU"};
  std::string upper(word);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return std::find(std::begin(kTypes), std::end(kTypes), upper) != std::end(kTypes);
}

// Import leaves the device of a colocated node alone.
bool is_colocated(const Node& node) {
  const std::vector<std::string_view> with = colocations(node);
  return std::any_of(with.begin(), with.end(),
                     [&](std::string_view each) { return each != node.name; });
}

// Returns true if only another process than a session's own has the device: /job:worker,
// /job:localhost/task:1. REQUIRES: is_device(device).
bool is_elsewhere(std::string_view device) {
  if (device.size() < 2) return false;
  for (const std::string_view part : split(device.substr(1), '/')) {
    const std::string_view value = part.substr(part.find(':') + 1);
    if (part.starts_with("job:") && value != "localhost") return true;
    const bool number = part.starts_with("replica:") || part.starts_with("task:");
    if (number && value != "*" && value.find_first_not_of('0') != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool is_device(std::string_view device) {
  if (device.empty() || device == "/") return true;
  if (device[0] != '/') return false;
  for (const std::string_view part : split(device.substr(1), '/')) {
    if (!is_part(part)) return false;
  }
  return true;
}

bool is_own_cpu(std::string_view device) {
  if (!is_device(device) || is_elsewhere(device)) return false;
  if (device.size() < 2) return true;
  for (const std::string_view part : split(device.substr(1), '/')) {
    std::vector<std::string_view> words = split(part, ':');
    if (words[0] == "job" || words[0] == "replica" || words[0] == "task") continue;
    if (words[0] == "device") words.erase(words.begin());
    const bool is_cpu = words[0] == "cpu" || words[0] == "CPU" || words[0] == "*";
    if (!is_cpu || (words[1] != "0" && words[1] != "*")) return false;
  }
  return true;
}

bool is_python_device(std::string_view device) {
  int types = 0;
  for (const std::string_view part : split(device, '/')) {
    const std::vector<std::string_view> words = split(part, ':');
    const bool pair = words.size() == 2;
    if (words[0].empty() || (pair && words[0] == "job")) continue;
    if (pair && (words[0] == "replica" || words[0] == "task")) {
      if (!is_python_int(words[1])) return false;
      continue;
    }
    const bool long_form = words.size() == 3 && words[0] == "device";
    if (!long_form && (words.size() > 2 || !is_python_type(words[0]))) return false;
    const bool number = words.size() == 1 || words.back() == "*" || is_python_int(words.back());
    if (!number || ++types > 1) return false;
  }
  return true;
}

void check_device(const Node& node, std::string_view device, const Reporter& reporter) {
  const bool in_main_graph = reporter.function().empty();
  if (in_main_graph && !is_python_device(device) && !is_colocated(node)) {
    reporter.error("bad-device", {.node = node.name}, "Node ", quoted(node.name),
                   " has a device that Python's importer cannot parse: ", quoted(device));
  } else if (!is_device(device)) {
    reporter.warning("bad-device", {.node = node.name}, "Node ", quoted(node.name),
                     " has a device that is not valid: ", quoted(device));
  } else if (is_elsewhere(device) && reporter.findings().first_of_device(device)) {
    reporter.warning("device-elsewhere", {.node = node.name},
                     "Cannot assign a device for operation ", printable(node.name, 300),
                     ": {{node ", printable(node.name, 300), "}} was explicitly assigned to ",
                     printable(device, 100),
                     " but a session on one machine has /job:localhost/replica:0/task:0 alone");
  }
}

// A node that asks for another device may well find its kernel there.
void check_kernel(const Node& node, std::string_view device, const OpDef& op,
                  const Reporter& reporter) {
  if (calls_python(node.op)) {
    reporter.warning("python-function", {.node = node.name}, "Op ", quoted(node.op),
                     " used by {{node ", printable(node.name, 300),
                     "}} calls a Python function that only the process which made the graph has");
  }
  if (op.has_cpu_kernel) return;
  const bool elsewhere = !device.empty();
  const std::string what = cat("No OpKernel was registered to support Op ", quoted(node.op),
                               " used by {{node ", printable(node.name, 300), "}} on a CPU");
  if (elsewhere) reporter.note("no-kernel", {.node = node.name}, what);
  if (!elsewhere) reporter.warning("no-kernel", {.node = node.name}, what);
}

}  // namespace cryo
