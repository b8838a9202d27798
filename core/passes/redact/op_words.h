#pragma once

#include <string_view>
#include <unordered_set>

#include "graph/op_registry.h"

namespace cryo {

// The words of op definitions: what a graph has of them says nothing of its author.
class OpWords {
 public:
  // `release`: TensorFlow's own ops. REQUIRES: it outlives this.
  explicit OpWords(const OpRegistry& release) : release_(release) {}

  // Returns true if a text is one of an enumeration for this attribute: an allowed value or the
  // default of its definition; for attributes that list no values, and ops without a definition,
  // a value that other ops allow ("NHWC", "SAME"), or one that only kernels know ("NEAREST").
  bool is_value(const OpDef* op, std::string_view attr, std::string_view text);

 private:
  // Reads all definitions, when they are first needed: that takes milliseconds.
  void read_all();

  const OpRegistry& release_;
  bool has_all_ = false;
  std::unordered_set<std::string_view> values_;
};

// Returns true for a name as all ops have: "MatMul", "_FusedConv2D", "Custom>Op".
bool is_op_name(std::string_view name);

}  // namespace cryo
