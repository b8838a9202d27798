#pragma once

#include <string_view>
#include <unordered_set>

#include "graph/op_registry.h"

namespace cryo {

// The words of op definitions: what a graph has of them says nothing of its author.
class OpWords {
 public:
  // REQUIRES: the registry outlives it.
  explicit OpWords(const OpRegistry& ops);

  const OpDef* find(std::string_view op) const { return ops_.find(op); }

  // Returns true if any op has an attribute of this name, or if TensorFlow itself adds one.
  bool is_attr(std::string_view name) const;

  // Returns true if a text is one of an enumeration for this attribute: an allowed value or the
  // default of its definition; for attributes that list no values, and ops without a definition,
  // a value that other ops allow ("NHWC", "SAME"), or one that only kernels know ("NEAREST").
  bool is_value(const OpDef* op, std::string_view attr, std::string_view text) const;

 private:
  const OpRegistry& ops_;
  std::unordered_set<std::string_view> attrs_;
  std::unordered_set<std::string_view> values_;
};

// Returns true for a name as all ops have: "MatMul", "_FusedConv2D", "Custom>Op".
bool is_op_name(std::string_view name);

}  // namespace cryo
