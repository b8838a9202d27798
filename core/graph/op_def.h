#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/attr_value.h"

namespace cryo {

constexpr int kNoAttr = -1;

// An input or output of an op: one tensor of `type` or of the type in `type_attr`; `number_attr` of
// them; or one of each type in `type_list_attr`. Attributes are given by their position in
// OpDef::attrs: kNoAttr if the argument names none, attrs.size() if it names one that the op does
// not have.
struct ArgDef {
  std::string_view name = {};
  DType type = DType::kInvalid;
  int type_attr = kNoAttr;
  int number_attr = kNoAttr;
  int type_list_attr = kNoAttr;
  bool is_ref = false;

  // Returns true for an argument of any number of tensors.
  bool is_list() const { return number_attr != kNoAttr || type_list_attr != kNoAttr; }
};

struct AttrDef {
  std::string_view name = {};
  std::string_view type_text = {};  // "list(type)"
  AttrType type = {};
  std::optional<std::string_view> default_value = {};   // an AttrValue message
  std::optional<int64_t> minimum = {};                  // of an int; of a list's length
  std::optional<std::string_view> allowed_values = {};  // an AttrValue with a list
};

struct Deprecation {
  int version = 0;  // the first graph version that no longer has the op
  std::string_view explanation = {};
};

// The inputs, outputs and attributes of an op, or of a function of the library: views into a
// tensorflow.OpDef message.
struct OpDef {
  std::string_view name = {};
  std::vector<ArgDef> inputs = {};
  std::vector<ArgDef> outputs = {};
  std::vector<AttrDef> attrs = {};
  std::optional<Deprecation> deprecation = {};
  bool is_stateful = false;
  bool has_cpu_kernel = true;   // false if the release has none (scripts/op_registry.py)
  std::string_view ranks = {};  // see takes_rank
  // The shapes of outputs, a byte each: 0 unknown; 1 that of the first argument, 2 of the second,
  // ...; 128 + r of rank r. Of the release's own ops alone (scripts/op_shapes.py).
  std::string_view gives = {};
  std::vector<int> attrs_by_name = {};  // places in attrs, for attr_index

  // The place of an attribute, kNoAttr if there is none of the name.
  int attr_index(std::string_view attr_name) const;

  // Returns true if an argument (a position in inputs) may have so many dimensions, as TensorFlow's
  // shape function answered scripts/op_shapes.py: bit r of the argument's byte is for rank r, the
  // last bit for its own rank and all above.
  bool takes_rank(size_t argument, size_t rank) const;
};

// Parses an OpDef. Malformed parts are skipped. REQUIRES: `message` outlives it.
OpDef read_op_def(std::string_view message);

// The name of a type in TensorFlow's messages: "float", "double_ref", "half"; elsewhere those are
// float32, float64, float16.
std::string op_type_name(DType dtype);

// "Op<name=MatMul; signature=a:T, b:T -> product:T>": how TensorFlow's messages name a definition,
// without its attributes.
std::string summary(const OpDef& op);

}  // namespace cryo
