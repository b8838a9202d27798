#include "tensor/views/scaled_source.h"

#include "bytes/joined_source.h"
#include "tensor/number.h"
#include "tensor/views/element_source.h"

namespace cryo {

Slice scaled(const Splice& stored, DType dtype, std::vector<double> factors, uint64_t inner) {
  if (stored.size() == 0) return {};
  const size_t width = find_dtype(dtype)->size;
  const auto scale = [dtype, inner, factors = std::move(factors)](uint64_t index,
                                                                  const char* element, char* made) {
    const double factor = factors[static_cast<size_t>(index / inner % factors.size())];
    put_number(as_double(dtype, element) * factor, dtype, made);
  };
  return elementwise(as_slice(stored), width, width, scale);
}

}  // namespace cryo
