#include "passes/common/same_attr.h"

#include "bytes/splice_reader.h"
#include "graph/attr_value.h"
#include "tensor/content.h"
#include "wire/canonical.h"
#include "wire/elide.h"
#include "wire/nested_schema.h"

namespace cryo {
namespace {

// Tensors that declare more bytes are compared by their encoding: a value and a shape can describe
// a tensor of any size.
constexpr uint64_t kMaxBytes = uint64_t{2} << 30;

Result<bool> same_tensor(const Tensor& a, const Tensor& b) {
  if (a.dtype != b.dtype || a.shape != b.shape) return false;
  return same_bytes(a.content, b.content);
}

bool is_readable(const Result<Tensor>& tensor) {
  return tensor && tensor->content.size() <= kMaxBytes;
}

}  // namespace

Result<bool> same_message(std::string_view schema, std::string_view a, const Payloads& payloads_a,
                          std::string_view b, const Payloads& payloads_b) {
  if (a == b && !holds_handles(a)) return true;
  const MessageSchema& type = message_schema(schema);
  TRY(whole_a, expand(canonical(a, type, payloads_a), type, payloads_a));
  TRY(whole_b, expand(canonical(b, type, payloads_b), type, payloads_b));
  return same_bytes(whole_a, whole_b);
}

Result<bool> same_attr(std::string_view a, const Payloads& payloads_a, std::string_view b,
                       const Payloads& payloads_b) {
  if (a == b && !holds_handles(a)) return true;
  const AttrValue value_a(a);
  const AttrValue value_b(b);
  if (value_a.kind() == AttrKind::kTensor && value_b.kind() == AttrKind::kTensor) {
    const Result<Tensor> tensor_a = read_tensor(value_a.bytes(), payloads_a);
    const Result<Tensor> tensor_b = read_tensor(value_b.bytes(), payloads_b);
    if (is_readable(tensor_a) && is_readable(tensor_b)) return same_tensor(*tensor_a, *tensor_b);
  }
  return same_message("tensorflow.AttrValue", a, payloads_a, b, payloads_b);
}

}  // namespace cryo
