#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/rewrite/rule.h"
#include "tensor/dtype.h"

namespace cryo {

// The op that rules rewrite: a node of a graph, or an operator of another format.
class RewriteSource {
 public:
  virtual ~RewriteSource() = default;
  virtual std::string_view op() const = 0;

  // The names of its data inputs, in order; empty for an input that is not given.
  virtual const std::vector<std::string>& inputs() const = 0;

  // Returns an attribute, or another value that rules ask for.
  virtual std::optional<RewriteValue> value(std::string_view name) const = 0;
};

// A node that a rule makes.
struct RewriteNode {
  std::string_view op = {};  // empty for a constant
  std::string_view suffix = {};
  std::optional<size_t> output = {};  // the output of the rewritten op that its first one is
  size_t outputs = 1;
  std::vector<std::string> inputs = {};
  bool takes_controls = false;
  bool keeps_attrs = false;                    // of the rewritten node
  std::vector<std::string_view> dropped = {};  // but these
  std::vector<std::pair<std::string_view, RewriteValue>> attrs = {};
  RewriteValue constant = {};
  DType dtype = DType::kInvalid;  // of the constant

  bool operator==(const RewriteNode&) const = default;
};

// Stores the nodes of rewritten ops.
class RewriteTarget {
 public:
  virtual ~RewriteTarget() = default;

  // Adds a node, and returns the names of its outputs.
  virtual std::vector<std::string> add(const RewriteNode& node) = 0;
};

// Returns the first rule that applies to an op; nullptr if there is none.
const RewriteRule* rule_for(const RewriteRules& rules, const RewriteSource& source);

// Adds the nodes by which a rule replaces an op, those that an output needs: in the order of its
// lines, equal ones once. Returns the names of the outputs. Adds none and returns none if a needed
// constant has a value that the source does not have.
std::vector<std::string> rewrite(const RewriteRules& rules, const RewriteRule& rule,
                                 const RewriteSource& source, RewriteTarget& target);

}  // namespace cryo
