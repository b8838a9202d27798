#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "graph/node_attrs.h"
#include "tensor/shape.h"

namespace cryo {

// The known value of a tensor that determines other shapes: its integers, row by row.
struct KnownInts {
  size_t rank = 0;
  std::vector<int64_t> values = {};
  bool scalar() const { return rank == 0; }
};

// The type and count that a constant's value declares, which may differ from its node's.
struct KnownConstant {
  DType dtype = DType::kInvalid;
  uint64_t count = 0;  // of elements
};

// A node as its op's shape function sees it (tensorflow/core/framework/shape_inference.h):
// requirements on the shapes of inputs, which fail in TensorFlow's words, and shapes of outputs. An
// unknown shape meets every requirement.
class ShapeCall {
 public:
  // The source of the values of inputs.
  class Values {
   public:
    virtual ~Values() = default;
    virtual std::optional<KnownInts> ints(size_t input) const = 0;  // all of it known
    virtual Shape as_shape(size_t input) const = 0;                 // of which sizes may be unknown
    virtual std::optional<KnownConstant> constant(size_t input) const = 0;
    virtual const Shape* behind_handle(size_t input) const = 0;  // of a resource variable
  };

  // `outputs` receives the rule's results. REQUIRES: all outlive it.
  ShapeCall(const NodeAttrs& attrs, std::span<const Shape* const> inputs, const Values& values,
            int producer, std::vector<Shape>& outputs)
      : attrs_(attrs), inputs_(inputs), values_(values), producer_(producer), outputs_(outputs) {}

  size_t size() const { return inputs_.size(); }
  const Shape& input(size_t place) const { return *inputs_[place]; }
  const OpDef& op() const { return attrs_.op(); }
  const Values& values() const { return values_; }

  // Returns the number of tensors of an op's argument; 0 if unknown.
  uint64_t tensors_of(const ArgDef& arg) const;
  int producer() const { return producer_; }  // the graph's version

  // Returns true if a requested number, flag or list is a placeholder: its value is unknown.
  bool unreadable() const { return unreadable_; }

  // nullopt if the attribute is absent or of another kind.
  std::optional<int64_t> int_attr(std::string_view name) const;
  bool flag(std::string_view name) const;  // false if unknown
  std::string_view text_attr(std::string_view name) const;
  std::vector<int64_t> ints_attr(std::string_view name) const;
  std::optional<Shape> shape_attr(std::string_view name) const;  // nullopt also if it is invalid
  // Unknown shape for an invalid one.
  std::vector<Shape> shapes_attr(std::string_view name) const;
  std::optional<Shape> tensor_shape(std::string_view name) const;  // of a TensorProto

  void output(Shape shape) { outputs_.push_back(std::move(shape)); }
  const std::vector<Shape>& outputs() const { return outputs_; }

  // Requirements. Return false if one does not hold; fault() then has the reason.
  bool rank(const Shape& shape, size_t wanted);
  bool rank_at_least(const Shape& shape, size_t wanted);
  bool rank_at_most(const Shape& shape, size_t wanted);
  // A size is a multiple of `by`; the quotient is unknown if one of them is, or if `by` is no size.
  bool divide(int64_t size, int64_t by, int64_t& quotient);
  // `size` is the value of a scalar; unknown if the value is.
  bool size_of_scalar(size_t input, int64_t& size);
  // A shape begins with all of another.
  bool begins_with(const Shape& shape, const Shape& prefix);
  // A dimension of an input has this size.
  bool has_size(size_t input, int64_t place, int64_t size);
  // A constant's value has a whole-number type.
  bool whole_numbers(size_t input, std::string_view what);
  bool merge_dims(int64_t a, int64_t b, int64_t& merged);
  bool merge(const Shape& a, const Shape& b, Shape& merged);

  template <typename... Pieces>
  bool fail(const Pieces&... pieces) {
    fault_ = cat(pieces...);
    return false;
  }
  const std::string& fault() const { return fault_; }

 private:
  std::optional<AttrValue> attr(std::string_view name) const;
  std::optional<AttrValue> needed_attr(std::string_view name) const;

  const NodeAttrs& attrs_;
  std::span<const Shape* const> inputs_;
  const Values& values_;
  int producer_;
  std::vector<Shape>& outputs_;
  std::string fault_;
  mutable bool unreadable_ = false;
};

// Parses a TensorShapeProto; nullopt if it is invalid. The shape of a tensor always has a known
// rank.
std::optional<Shape> parse_shape(std::string_view message, bool of_tensor);

inline Shape unknown_shape() { return {true, {}}; }
inline Shape unknown_dims(size_t rank) { return {false, std::vector<int64_t>(rank, kUnknownDim)}; }

// Returns a dimension counted from the front, or with a negative number from the back; unknown if
// the rank is.
int64_t dim_of(const Shape& shape, int64_t place);

// Returns the product of two sizes; unknown if one of them is, or if it exceeds 64 bits.
int64_t product_of(int64_t a, int64_t b);

// Returns the sizes from `begin` up to `end`; unknown if the rank is.
Shape sub_shape(const Shape& shape, size_t begin, size_t end = SIZE_MAX);

// Both, one after the other; unknown where one of them is.
Shape joined(const Shape& a, const Shape& b);

// Merges two shapes; false if they contradict each other, with TensorFlow's words in `fault`.
bool merge_shapes(const Shape& a, const Shape& b, Shape& merged, std::string& fault);

}  // namespace cryo
