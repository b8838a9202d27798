#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "releases/attr_limits.h"

namespace cryo {

// Ops, by name.
using OpNames = std::set<std::string, std::less<>>;

// A runtime or converter, and the ops that it takes (core/data/runtime_ops.json).
struct Runtime {
  std::string name = {};         // "tflite"
  std::string version = {};      // the one that the list is from
  bool folds_constants = false;  // it evaluates nodes with constant inputs first, of any op
  std::map<std::string, AttrLimits, std::less<>> ops = {};
  // Ops that it refuses if their first input is a placeholder of unknown rank. "Placeholder": every
  // placeholder of unknown rank.
  OpNames ranked = {};
  // Ops that it does not have, and does not reach in a branch: a check runs there if it fails.
  OpNames guarded = {};
  // Ops of lists that it takes if all sizes of an element are known: their input `element_shape`.
  OpNames sized_lists = {};
  // It evaluates a node of a loop that reads only constants of the loop in the first iteration
  // alone, and does not find its value in the others.
  bool forgets_invariants = false;
  // It stores constants in the types of TensorFlow.js, which may not hold their values.
  bool has_tfjs_constants = false;
  // It takes a node by the rules of OpenCV's reader (compat/opencv.h), not by its op alone.
  bool has_opencv_rules = false;
};

// Reads core/data/runtime_ops.json.
Result<std::vector<Runtime>> read_runtimes(const std::string& json);

}  // namespace cryo
