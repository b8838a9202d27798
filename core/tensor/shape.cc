#include "tensor/shape.h"

#include <algorithm>
#include <limits>

#include "base/json_writer.h"
#include "base/text.h"
#include "proto/tensor.pb.h"

namespace cryo {
namespace {

constexpr std::string_view kFix = "the file is damaged or was not written by TensorFlow";

Failure bad_shape(std::string_view message) { return failure("bad-shape", message, {}, kFix); }

}  // namespace

Result<Shape> read_shape(const tensorflow::TensorShapeProto& proto) {
  if (proto.unknown_rank() && proto.dim_size() > 0) {
    return bad_shape(
        cat("expected no dimensions in a shape of unknown rank; found ", proto.dim_size()));
  }
  if (proto.dim_size() > kMaxDims) {
    return bad_shape(cat("expected at most ", kMaxDims, " dimensions; found ", proto.dim_size()));
  }
  Shape shape{proto.unknown_rank(), {}};
  for (const auto& dim : proto.dim()) {
    if (dim.size() < kUnknownDim) {
      return bad_shape(cat("expected a dimension of at least -1; found ", dim.size()));
    }
    shape.dims.push_back(dim.size());
  }
  return shape;
}

tensorflow::TensorShapeProto to_proto(const Shape& shape) {
  tensorflow::TensorShapeProto proto;
  proto.set_unknown_rank(shape.unknown_rank);
  for (const int64_t size : shape.dims) proto.add_dim()->set_size(size);
  return proto;
}

std::string shape_message(const Shape& shape) { return to_proto(shape).SerializeAsString(); }

void write_json(JsonWriter& json, const Shape& shape) {
  if (shape.unknown_rank) return json.null();
  json.value(shape.dims);
}

bool is_fully_defined(const Shape& shape) {
  return !shape.unknown_rank &&
         std::all_of(shape.dims.begin(), shape.dims.end(), [](int64_t size) { return size >= 0; });
}

bool is_compatible(const Shape& declared, const Shape& stored) {
  if (declared.unknown_rank) return true;
  if (declared.dims.size() != stored.dims.size()) return false;
  for (size_t i = 0; i < stored.dims.size(); ++i) {
    if (declared.dims[i] >= 0 && declared.dims[i] != stored.dims[i]) return false;
  }
  return true;
}

Result<uint64_t> element_count(const Shape& shape) {
  if (!is_fully_defined(shape)) {
    return bad_shape(cat("expected a fully defined shape; found ", to_text(shape)));
  }
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  uint64_t count = 1;
  bool empty = false;
  for (const int64_t dim : shape.dims) {
    const auto size = static_cast<uint64_t>(dim);
    empty = empty || size == 0;
    if (size == 0) continue;
    if (size > kMax / count) {
      return bad_shape(
          cat("the shape ", to_text(shape), " has more elements than 64 bits can count"));
    }
    count *= size;
  }
  return empty ? 0 : count;
}

std::string to_text(const Shape& shape) {
  if (shape.unknown_rank) return "<unknown>";
  std::vector<std::string> sizes;
  for (const int64_t size : shape.dims) {
    sizes.push_back(size == kUnknownDim ? "?" : std::to_string(size));
  }
  return cat("[", join(sizes, ","), "]");
}

}  // namespace cryo
