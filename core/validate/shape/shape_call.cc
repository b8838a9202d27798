#include "validate/shape/shape_call.h"

#include <algorithm>

#include "graph/node_types.h"
#include "proto/tensor.pb.h"
#include "wire/fields.h"

namespace cryo {
namespace {

bool merge_sizes(int64_t a, int64_t b, int64_t& merged) {
  merged = a == kUnknownDim ? b : a;
  return a == kUnknownDim || b == kUnknownDim || a == b;
}

}  // namespace

std::optional<Shape> parse_shape(std::string_view message, bool of_tensor) {
  tensorflow::TensorShapeProto proto;
  if (!proto.ParseFromString(std::string(message))) return std::nullopt;
  if (of_tensor) proto.clear_unknown_rank();
  auto shape = read_shape(proto);
  return shape ? std::optional<Shape>(std::move(*shape)) : std::nullopt;
}

int64_t dim_of(const Shape& shape, int64_t place) {
  const auto rank = static_cast<int64_t>(shape.dims.size());
  if (place < 0) place += rank;
  const bool there = !shape.unknown_rank && place >= 0 && place < rank;
  return there ? shape.dims[static_cast<size_t>(place)] : kUnknownDim;
}

int64_t product_of(int64_t a, int64_t b) {
  int64_t product = 0;
  const bool known = a != kUnknownDim && b != kUnknownDim;
  return known && !__builtin_mul_overflow(a, b, &product) ? product : kUnknownDim;
}

Shape sub_shape(const Shape& shape, size_t begin, size_t end) {
  if (shape.unknown_rank) return unknown_shape();
  end = std::min(end, shape.dims.size());
  Shape part;
  for (size_t i = begin; i < end; ++i) part.dims.push_back(shape.dims[i]);
  return part;
}

Shape joined(const Shape& a, const Shape& b) {
  if (a.unknown_rank || b.unknown_rank) return unknown_shape();
  Shape both = a;
  both.dims.insert(both.dims.end(), b.dims.begin(), b.dims.end());
  return both;
}

bool merge_shapes(const Shape& a, const Shape& b, Shape& merged, std::string& fault) {
  if (a.unknown_rank || b.unknown_rank) {
    merged = a.unknown_rank ? b : a;
    return true;
  }
  if (a.dims.size() != b.dims.size()) {
    fault = cat("Shapes must be equal rank, but are ", a.dims.size(), " and ", b.dims.size());
    return false;
  }
  Shape found = a;
  for (size_t i = 0; i < a.dims.size(); ++i) {
    if (merge_sizes(a.dims[i], b.dims[i], found.dims[i])) continue;
    fault = cat("Dimension ", i, " in both shapes must be equal, but are ", a.dims[i], " and ",
                b.dims[i], ". Shapes are ", to_text(a), " and ", to_text(b), ".");
    return false;
  }
  merged = std::move(found);
  return true;
}

std::optional<AttrValue> ShapeCall::attr(std::string_view name) const {
  const auto value = attrs_.get(name);
  return value ? std::optional<AttrValue>(AttrValue(*value)) : std::nullopt;
}

std::optional<AttrValue> ShapeCall::needed_attr(std::string_view name) const {
  const auto value = attr(name);
  // A placeholder without a name has been reported.
  const bool stands_in =
      value && value->kind() == AttrKind::kPlaceholder && !value->bytes().empty();
  unreadable_ = unreadable_ || stands_in;
  return value;
}

uint64_t ShapeCall::tensors_of(const ArgDef& arg) const {
  if (arg.number_attr == kNoAttr && arg.type_list_attr == kNoAttr) return 1;
  std::vector<TypeRun> types;
  return append_types(arg, attrs_, types) ? 0 : size_of(types);
}

std::optional<int64_t> ShapeCall::int_attr(std::string_view name) const {
  const auto value = needed_attr(name);
  if (!value || value->kind() != AttrKind::kInt) return std::nullopt;
  return value->number();
}

bool ShapeCall::flag(std::string_view name) const {
  const auto value = needed_attr(name);
  return value && value->kind() == AttrKind::kBool && value->number() != 0;
}

// TensorFlow takes the default for one that it cannot read.
std::string_view ShapeCall::text_attr(std::string_view name) const {
  const auto value = attr(name);
  return value && value->kind() == AttrKind::kString ? value->bytes() : std::string_view();
}

std::vector<int64_t> ShapeCall::ints_attr(std::string_view name) const {
  const auto value = needed_attr(name);
  return value ? value->integers() : std::vector<int64_t>();
}

std::optional<Shape> ShapeCall::shape_attr(std::string_view name) const {
  const auto value = attr(name);
  if (!value || value->kind() != AttrKind::kShape) return std::nullopt;
  return parse_shape(value->bytes(), false);
}

std::vector<Shape> ShapeCall::shapes_attr(std::string_view name) const {
  std::vector<Shape> shapes;
  const auto value = needed_attr(name);
  if (value) {
    value->each_bytes(AttrKind::kShape, [&](std::string_view each) {
      shapes.push_back(parse_shape(each, false).value_or(unknown_shape()));
    });
  }
  return shapes;
}

std::optional<Shape> ShapeCall::tensor_shape(std::string_view name) const {
  const auto value = attr(name);
  if (!value || value->kind() != AttrKind::kTensor) return std::nullopt;
  return parse_shape(last_bytes(value->bytes(), fields::TensorProto::kTensorShape), true);
}

bool ShapeCall::rank(const Shape& shape, size_t wanted) {
  if (shape.unknown_rank || shape.dims.size() == wanted) return true;
  return fail("Shape must be rank ", wanted, " but is rank ", shape.dims.size());
}

bool ShapeCall::rank_at_least(const Shape& shape, size_t wanted) {
  if (shape.unknown_rank || shape.dims.size() >= wanted) return true;
  return fail("Shape must be at least rank ", wanted, " but is rank ", shape.dims.size());
}

bool ShapeCall::rank_at_most(const Shape& shape, size_t wanted) {
  if (shape.unknown_rank || shape.dims.size() <= wanted) return true;
  return fail("Shape must be at most rank ", wanted, " but is rank ", shape.dims.size());
}

bool ShapeCall::divide(int64_t size, int64_t by, int64_t& quotient) {
  quotient = kUnknownDim;
  if (size == kUnknownDim || by <= 0) return true;
  if (size % by != 0) {
    return fail("Dimension size must be evenly divisible by ", by, " but is ", size);
  }
  quotient = size / by;
  return true;
}

bool ShapeCall::begins_with(const Shape& shape, const Shape& prefix) {
  if (shape.unknown_rank || prefix.unknown_rank) return true;
  Shape both;
  return rank_at_least(shape, prefix.dims.size()) &&
         merge(sub_shape(shape, 0, prefix.dims.size()), prefix, both);
}

bool ShapeCall::size_of_scalar(size_t input, int64_t& size) {
  const auto known = values_.ints(input);
  size = known && known->scalar() ? known->values[0] : kUnknownDim;
  if (known && !known->scalar()) {
    return fail("Input must be scalar but has rank ", known->rank);
  }
  if (!known || size >= 0) return true;
  return fail("Dimension size, given by scalar input ", input, ", must be non-negative but is ",
              size);
}

bool ShapeCall::has_size(size_t input, int64_t place, int64_t size) {
  const int64_t found = dim_of(*inputs_[input], place);
  if (found == kUnknownDim || found == size) return true;
  return fail("Dimension must be ", size, " but is ", found);
}

bool ShapeCall::whole_numbers(size_t input, std::string_view what) {
  const auto known = values_.constant(input);
  if (!known || known->dtype == DType::kInt32 || known->dtype == DType::kInt64) return true;
  return fail(what, " can only be int32 or int64");
}

bool ShapeCall::merge_dims(int64_t a, int64_t b, int64_t& merged) {
  if (merge_sizes(a, b, merged)) return true;
  return fail("Dimensions must be equal, but are ", a, " and ", b);
}

bool ShapeCall::merge(const Shape& a, const Shape& b, Shape& merged) {
  return merge_shapes(a, b, merged, fault_);
}

}  // namespace cryo
