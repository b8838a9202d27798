#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cryo {

enum class Severity { kError, kWarning, kNote };

// The field's name for a severity, as reports print it: "error", "warning", "note".
std::string_view severity_name(Severity severity);

// A location, by views: not owning, so that the very many places which report a diagnostic stay
// small. Members that do not apply are empty.
struct LocationRef {
  std::string_view file = {};
  std::optional<uint64_t> offset = {};  // bytes from the start of `file`
  std::string_view function = {};       // a library function; empty: the main graph
  std::string_view node = {};
  std::optional<int> input = {};  // index of the node's input
  std::string_view attr = {};
  std::string_view tensor = {};  // a variable or a checkpoint key
};

// A location that owns its texts. Reports omit empty members.
struct Location {
  std::string file = {};
  std::optional<uint64_t> offset = {};
  std::string function = {};
  std::string node = {};
  std::optional<int> input = {};
  std::string attr = {};
  std::string tensor = {};

  operator LocationRef() const { return {file, offset, function, node, input, attr, tensor}; }
  bool operator==(const Location&) const = default;
};

// One finding. `code` is stable and kebab-case. `message` says what was expected and found, in
// TensorFlow's terms if it has them; `fix` what to do. Each host words their base/reference.h.
struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code = {};
  std::string message = {};
  Location where = {};
  std::string fix = {};
  bool fixable = false;  // `validate --fix` can do it
};

// One line for a person: "error: model.meta, offset 12: message (fix)".
std::string to_text(const Diagnostic& diagnostic);

// "Did, but know this": findings collected on the way. Result<T> is for "could not".
class Diagnostics {
 public:
  // Does nothing if it is listed already, whatever its fix.
  void add(Diagnostic diagnostic);
  void warn(std::string_view code, std::string_view message, const LocationRef& at = {},
            std::string_view fix = {});
  void note(std::string_view code, std::string_view message, const LocationRef& at = {},
            std::string_view fix = {});
  const std::vector<Diagnostic>& all() const { return all_; }
  size_t count(Severity severity) const;

 private:
  std::vector<Diagnostic> all_;
  std::unordered_multimap<size_t, size_t> by_hash_;  // -> all_
};

}  // namespace cryo
