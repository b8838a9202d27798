#include "graph/evaluate/known_tensor.h"

#include <algorithm>

#include "tensor/number.h"

namespace cryo {

bool is_wholly_known(const KnownTensor& tensor) {
  return std::find(tensor.whole.begin(), tensor.whole.end(), kUnknownElement) == tensor.whole.end();
}

std::optional<KnownTensor> known_tensor(DType dtype, std::vector<int64_t> dims,
                                        std::string_view content) {
  KnownTensor known{dtype, std::move(dims)};
  if ((!is_number(dtype) && dtype != DType::kBool) || is_16_bit(dtype)) return std::nullopt;
  const size_t width = find_dtype(dtype)->size;
  uint64_t count = 1;
  for (const int64_t dim : known.dims) count *= static_cast<uint64_t>(dim);
  if (content.size() != count * width) return std::nullopt;
  for (const char* at = content.data(); at < content.data() + content.size(); at += width) {
    if (known.is_real()) {
      known.real.push_back(as_double(dtype, at));
    } else {
      const Number number = number_at(dtype, at);
      const uint64_t size = number.magnitude;
      known.whole.push_back(static_cast<int64_t>(number.negative ? uint64_t{0} - size : size));
    }
  }
  if (!is_wholly_known(known)) return std::nullopt;
  return known;
}

std::optional<KnownTensor> read_known(const Tensor& tensor, size_t most) {
  if (tensor.count > most) return std::nullopt;
  const Result<std::string> content = tensor.content.read_all();
  return content ? known_tensor(tensor.dtype, tensor.shape.dims, *content) : std::nullopt;
}

std::string content_of(const KnownTensor& tensor) {
  const size_t width = find_dtype(tensor.dtype)->size;
  std::string content(tensor.count() * width, '\0');
  char* at = content.data();
  for (const double value : tensor.real) {
    put_number(value, tensor.dtype, at);
    at += width;
  }
  for (const int64_t value : tensor.whole) {
    for (size_t i = 0; i < width; ++i) *at++ = static_cast<char>(value >> (8 * i));
  }
  return content;
}

}  // namespace cryo
