#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/attr_value.h"

namespace cryo {

// Rewrites of one op into several, as text. Source and target may have different sets of ops: what
// an op's inputs and attributes are is the source's to say (rewrite.h), how a node is stored the
// target's.
//
//     # (y == 0) ? 0 : x / y
//     DivNoNan(x, y) if T in [float32, float64]:
//       quotient = RealDiv(x, y, ^*)
//       zeros = ZerosLike(quotient)
//       Select(Equal(y, zeros), zeros, quotient) {*}
//
// A rule begins with the op that it rewrites, its inputs by name (`b?` may be absent, `more...` is
// all that follow), and conditions. The first rule of an op that applies counts. Its lines:
//
//     y = Op(x, more...)      a node, named NODE/y; a call within a call is named after its op
//     a, b = Op(x)            a node of two outputs
//     y = BiasAdd(y, b) if b  without the input `b`, y stays as it was
//     shape = [-1, units]     a constant of int32, of float32 for 1.0; of another type: 0 as T
//     Op(x), or a, b          last: the outputs. Their nodes have the name of the rewritten one
//
// A name that is no tensor is a value of the source: an attribute of the op, or another that the
// source computes. `^*` takes the control inputs, else the output's node does. Attributes:
//
//     {T, Tidx=int32, N=count(more), strides=[1, stride, stride, 1], padding="SAME"}
//     {*, -Taxis, T=Ta}       those of the rewritten node but Taxis, and T
//     nothing                 {T}; {} is without attributes
//
// Conditions are joined by `and`: a value that is true, an input that is given, `!name`, `a == b`,
// `a != b`, `a in [b, c]`. A rule whose name is not capitalized is a part of others, that come
// after it: a call of it is replaced by its lines, for which the call's attributes are values. `*`
// is the rewritten op itself, in a name the beginning of several: SparseSegment*.

// The value of an attribute or of a constant.
struct RewriteValue {
  AttrKind kind = AttrKind::kNone;  // kInt, kFloat, kBool, kString, kType; kNone: only verbatim
  bool list = false;
  std::vector<int64_t> numbers = {};  // of kInt, kBool, kType
  std::vector<double> reals = {};
  std::vector<std::string> texts = {};
  std::string verbatim = {};  // an AttrValue message, of an attribute that is copied

  bool operator==(const RewriteValue&) const = default;
};

// A value in a rule: a literal, a name of the source's, or a list of both.
struct RuleTerm {
  RewriteValue literal = {};
  std::string_view name = {};           // empty for a literal
  std::string_view counted = {};        // count(NAME): an input
  std::vector<RuleTerm> elements = {};  // of a list that has names
};

struct RuleArg {
  enum class Kind { kTensor, kAll, kConstant, kControls };
  Kind kind = Kind::kTensor;
  std::string_view tensor = {};
  RuleTerm constant = {};
  RuleTerm type = {};  // of the constant; none: int32 or float32
};

struct RuleCondition {
  enum class Kind { kTrue, kFalse, kEqual, kDifferent, kOneOf };
  Kind kind = Kind::kTrue;
  RuleTerm left = {};
  std::vector<RuleTerm> right = {};
};

struct RuleLine {
  std::vector<std::string_view> names = {};  // of the outputs
  std::string_view suffix = {};              // of the node's name
  std::string_view op = {};                  // empty for a constant, the only argument
  std::vector<RuleArg> args = {};
  bool keeps_attrs = false;
  std::vector<std::string_view> dropped = {};  // of those that are kept
  std::vector<std::pair<std::string_view, RuleTerm>> attrs = {};
  std::vector<RuleCondition> conditions = {};
};

struct RuleInput {
  std::string_view name = {};
  bool optional = false;
  bool all = false;  // that follow
};

struct RewriteRule {
  std::string_view op = {};
  std::vector<RuleInput> inputs = {};
  std::vector<RuleCondition> conditions = {};
  std::vector<RuleLine> lines = {};
  std::vector<std::string_view> outputs = {};  // names of inputs and lines

  bool is_part() const { return op[0] >= 'a' && op[0] <= 'z'; }
};

class RewriteRules {
 public:
  // Fails with "bad-rule", at the line's offset. REQUIRES: `text` outlives the rules.
  static Result<RewriteRules> parse(std::string_view text);

  // Adds the rules of another text, after those that are there.
  Status add(std::string_view text);

  std::span<const RewriteRule> all() const { return rules_; }

  // Returns the part of a name; nullptr if there is none.
  const RewriteRule* part(std::string_view name) const;

 private:
  std::vector<RewriteRule> rules_;
};

}  // namespace cryo
