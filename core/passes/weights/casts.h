#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "checkpoint/checkpoint.h"

namespace cryo {

// The rules of `cast`, "FROM=TO": weights of type FROM become weights of type TO, element by
// element, rounded to the nearest (halfway to even), as NumPy's astype does:
//
//     "float64=float32"    0.1 (float64) -> 0.100000001 (float32)
//
// Between floats numbers may change, and a note says by how much. Conversions from or to whole
// numbers have to be exact.
class Casts {
 public:
  // Fails with "bad-option" for a text that is not FROM=TO, for types that cannot be converted, and
  // for two rules of one FROM.
  static Result<Casts> parse(const std::vector<std::string>& texts);

  // Returns true if a rule applies to weights of a type: to any other type, or to just this one.
  bool applies(DType from) const { return find(from) < rules_.size(); }
  bool applies(DType from, DType to) const;

  // Returns the weight as its rule makes it: its content is converted while it is read.
  // REQUIRES: applies(entry.dtype).
  CheckpointEntry cast(const CheckpointEntry& entry) const;

  // Reads a weight that is cast, to check its checksum and to measure the change.
  // Fails with the entry's fault, "checksum", and "inexact-cast".
  Status measure(const CheckpointEntry& entry, std::string_view name);

  // Reports what was cast ("weights-cast"). Fails with "cast-unused" for a rule that no weight
  // needed.
  Status finish(Diagnostics& diagnostics) const;

 private:
  struct Rule {
    DType from = DType::kInvalid;
    DType to = DType::kInvalid;
    std::string text = {};
    size_t count = 0;
    double largest = 0;        // change of a number
    std::string changed = {};  // the weight of that number
  };
  static Result<Rule> parse_rule(const std::string& text);
  size_t find(DType from) const;  // index of the rule; their number where there is none

  std::vector<Rule> rules_;
};

}  // namespace cryo
