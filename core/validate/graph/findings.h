#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "base/diagnostic.h"
#include "base/text.h"
#include "validate/graph/repairs.h"

namespace cryo {

// A hostile file can have a fault at every byte. The list of findings stays small; the rest is
// counted.
constexpr size_t kMaxFindings = 10000;
constexpr size_t kMaxFindingBytes = size_t{16} << 20;

// A location in a graph, by views: a finding that is not kept costs nothing.
struct GraphPlace {
  std::string_view node = {};
  int input = -1;
  std::string_view attr = {};
  std::string_view fix = {};  // empty: the code's own
  bool fixable = false;       // a Repair fixes it (validate/graph/repairs.h)
};

// The findings of all checks on a model.
class Findings {
 public:
  // `repairs`: receives the possible repairs of all findings; may be null.
  explicit Findings(Repairs* repairs = nullptr) : repairs_(repairs) {}

  // Counts a finding. Returns true if there is room to keep it.
  bool take(Severity severity);
  void keep(Severity severity, std::string_view code, std::string_view function,
            const GraphPlace& spot, std::string message);

  // Records that a node can be repaired.
  void repair(std::string_view code, std::string_view function, const GraphPlace& spot);

  // Counts nodes that omit attributes with defaults; one note is reported for all of them.
  void leave_out(std::string_view function, std::string_view node);
  size_t left_out() const { return left_out_; }

  // Returns true on the first call for a device: all nodes of a graph may name the same one.
  bool first_of_device(std::string_view device) { return devices_.insert(device).second; }

  size_t errors() const { return counts_[0]; }
  size_t warnings() const { return counts_[1]; }

  // All that was kept, errors first, and how many were not.
  Diagnostics finish();

 private:
  size_t counts_[3] = {0, 0, 0};  // by severity
  size_t bytes_ = 0;
  std::vector<Diagnostic> kept_;
  Repairs* repairs_;
  size_t left_out_ = 0;
  std::set<std::string_view> devices_;
};

// The output of a check: findings of one graph. An error may count for less, e.g. in a function
// that only runs in a branch of an If, which TensorFlow's importer does not check.
class Reporter {
 public:
  explicit Reporter(Findings& findings, std::string_view function = {},
                    Severity worst = Severity::kError)
      : findings_(findings), function_(function), worst_(worst) {}

  template <typename... Pieces>
  void error(std::string_view code, const GraphPlace& spot, const Pieces&... pieces) const {
    add(worst_, code, spot, PieceArray(pieces...));
  }
  template <typename... Pieces>
  void warning(std::string_view code, const GraphPlace& spot, const Pieces&... pieces) const {
    add(Severity::kWarning, code, spot, PieceArray(pieces...));
  }
  template <typename... Pieces>
  void note(std::string_view code, const GraphPlace& spot, const Pieces&... pieces) const {
    add(Severity::kNote, code, spot, PieceArray(pieces...));
  }

  std::string_view function() const { return function_; }  // empty: the main graph
  bool errors_count() const { return worst_ == Severity::kError; }
  Findings& findings() const { return findings_; }

 private:
  void add(Severity severity, std::string_view code, const GraphPlace& spot,
           PieceList pieces) const;

  Findings& findings_;
  std::string_view function_;
  Severity worst_;
};

}  // namespace cryo
