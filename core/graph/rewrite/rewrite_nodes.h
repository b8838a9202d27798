#pragma once

#include <string>
#include <vector>

#include "base/function_ref.h"
#include "graph/fresh_names.h"
#include "graph/node.h"
#include "graph/rewrite/rewrite.h"
#include "tensor/shape.h"

namespace cryo {

// Returns the AttrValue message of a value, and the value of one.
std::string attr_message(const RewriteValue& value);
RewriteValue read_rewrite_value(std::string_view attr_value);

// Returns the shape and the plain content of a constant. REQUIRES: numbers of a type that
// is_number(), or bools.
Shape shape_of_constant(const RewriteValue& value);
std::string content_of_constant(const RewriteValue& value, DType dtype);

// A node of a graph that rules rewrite.
class NodeSource final : public RewriteSource {
 public:
  // Returns what a rule asks for and is no attribute; nullopt for an unknown name.
  using Facts = FunctionRef<std::optional<bool>(std::string_view name)>;

  // `op`: that of the node, or another that it has the attributes and inputs of.
  // REQUIRES: all outlive it.
  NodeSource(const Node& node, std::string_view op, Facts facts);
  std::string_view op() const override { return op_; }
  const std::vector<std::string>& inputs() const override { return inputs_; }
  std::optional<RewriteValue> value(std::string_view name) const override;

 private:
  const Node& node_;
  std::string_view op_;
  Facts facts_;
  std::vector<std::string> inputs_;
};

// The NodeDefs of a rewritten node: `node` is the one that has its name and its outputs. The others
// have names below it, and its device. Constants wait for its first input, so that they are in the
// same loop.
class NodeTarget final : public RewriteTarget {
 public:
  // REQUIRES: all outlive it.
  NodeTarget(const Node& rewritten, FreshNames& names) : rewritten_(rewritten), names_(names) {}
  std::vector<std::string> add(const RewriteNode& made) override;

  std::string node = {};
  std::vector<std::string> added = {};

 private:
  std::string add_constant(const RewriteNode& made);

  const Node& rewritten_;
  FreshNames& names_;
};

}  // namespace cryo
