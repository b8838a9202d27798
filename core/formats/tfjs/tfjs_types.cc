#include "formats/tfjs/tfjs_types.h"

#include "base/reference.h"
#include "base/text.h"
#include "tensor/views/converted_source.h"

namespace cryo {
namespace {

constexpr uint64_t kMaxCompared = uint64_t{256} << 20;

// Returns the type that stores a type; kInvalid if TensorFlow.js does not support the type.
DType stored_type(DType dtype) {
  switch (dtype) {
    case DType::kFloat:
    case DType::kInt32:
    case DType::kBool:
    case DType::kComplex64:
    case DType::kString:
      return dtype;
    case DType::kHalf:
    case DType::kDouble:
      return DType::kFloat;
    case DType::kInt8:
    case DType::kUint8:
    case DType::kInt64:
      return DType::kInt32;
    case DType::kComplex128:
      return DType::kComplex64;
    default:
      return DType::kInvalid;
  }
}

bool holds_all(DType dtype) {
  return dtype == DType::kHalf || dtype == DType::kInt8 || dtype == DType::kUint8;
}

Failure unsupported(const Tensor& tensor, std::string_view node, std::string_view why) {
  return failure("unsupported-dtype", cat("TensorFlow.js has no ", dtype_name(tensor.dtype), why),
                 {.node = node},
                 "cast it to float32 or int32 in the graph first, or write another form: " SETTING(
                     "--as", "pb"));
}

}  // namespace

Result<DType> tfjs_type(const Tensor& tensor, std::string_view node, uint64_t& compared) {
  const DType as = stored_type(tensor.dtype);
  if (as == DType::kInvalid) return unsupported(tensor, node, "");
  if (as == tensor.dtype || holds_all(tensor.dtype)) return as;
  compared += tensor.content.size();
  if (compared > kMaxCompared) {
    return unsupported(tensor, node, ", and this is too large to check");
  }
  TRY(exact, converts_exactly(tensor.content, {tensor.dtype, 1, 0, as, as}));
  if (exact) return as;
  return unsupported(tensor, node, cat(", and ", dtype_name(as), " does not hold its values"));
}

}  // namespace cryo
