#include "picture/groups/stored_tensor.h"

#include "graph/roles.h"
#include "graph/tensor_info.h"

namespace cryo {
namespace {

constexpr uint64_t kMaxAttributeElements = 8;  // elements of constants that are no weights

}  // namespace

bool is_weight(const Node& node, const StoredTensor& tensor) {
  return tensor.elements > kMaxAttributeElements || node.op != "Const";
}

bool is_stored(const Node& node) {
  return node.op == "Const" || is_variable(node.op) || node.op == "_Arg";
}

StoredTensor stored_tensor(const Node& node) {
  StoredTensor tensor;
  if (node.op == "_Arg") return {DType::kResource, Shape{true}};
  tensor.dtype = static_cast<DType>(type_attr(node, "dtype").value_or(0));
  tensor.shape = output_shape(node, 0);
  const auto count = element_count(tensor.shape);
  tensor.elements = count.ok() ? *count : 0;
  const DTypeInfo* info = find_dtype(tensor.dtype);
  tensor.bytes = info == nullptr ? 0 : tensor.elements * info->size;
  return tensor;
}

}  // namespace cryo
