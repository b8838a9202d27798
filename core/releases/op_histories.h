#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/op_registry.h"
#include "releases/attr_limits.h"

namespace cryo {

// A TensorFlow release and the rules by which its importer differs from others.
struct Release {
  std::string name = {};  // "1.15"
  int graph_version = 0;
  uint64_t types = 0;                   // a bit for each DataType that it knows
  bool refuses_unknown_attrs = false;   // an attribute that the op does not have
  bool refuses_function_nodes = false;  // an op that is a function, unless the node has its name
  bool refuses_uses_of_named = false;   // an input from a node named as a function
  bool refuses_more_output_shapes = false;  // than outputs, in `_output_shapes`
  bool refuses_angles = false;              // ">" in the name of a node
  bool checks_bodies = false;               // of functions that nodes call

  // "tensorflow-1.15": the release as a target.
  std::string target() const;
  bool knows(DType type) const;
};

// An op from a release on, until the next.
struct OpDefinition {
  size_t release = 0;
  const OpDef* op = nullptr;  // null: the release does not have it
};
struct OpKernels {
  size_t release = 0;
  std::vector<AttrLimits> kernels = {};  // on the CPU
};
struct OpHistory {
  std::vector<OpDefinition> definitions = {};  // by release
  std::vector<OpKernels> kernels = {};         // by release

  // Returns the op as a release has it; null if it does not.
  const OpDef* at(size_t release) const;
  // Returns null if the op has none yet.
  const std::vector<AttrLimits>* kernels_at(size_t release) const;
};

// The ops, CPU kernels, types and rules of TensorFlow's releases (core/data/op_histories.bin; its
// format is in scripts/op_histories.py). An op's history is parsed when it is first requested.
class OpHistories {
 public:
  // `ops`: those of the latest release (core/data/ops.bin), which the histories refer to.
  // REQUIRES: both outlive the histories.
  static Result<OpHistories> parse(std::string_view data, const OpRegistry& ops);

  const std::vector<Release>& releases() const { return releases_; }  // oldest first
  // Returns the place of a release, by its target(); the error names all.
  Result<size_t> place_of(std::string_view target) const;
  const OpRegistry& latest() const { return *latest_; }

  // Returns null if no release has the op.
  const OpHistory* find(std::string_view op) const;

 private:
  OpHistory read(std::string_view message, std::string_view op) const;

  const OpRegistry* latest_ = nullptr;
  std::vector<Release> releases_;
  std::map<std::string_view, std::string_view> messages_;  // of OpHistory, by op
  mutable std::map<std::string_view, OpHistory> read_;
  mutable std::map<std::string_view, OpDef> old_;  // by message
};

}  // namespace cryo
