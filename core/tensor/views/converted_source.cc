#include "tensor/views/converted_source.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "bytes/joined_source.h"
#include "tensor/number.h"
#include "tensor/views/element_source.h"

namespace cryo {
namespace {

bool is_complex(DType dtype) { return part_dtype(dtype) != dtype; }

size_t width_of(DType dtype) { return find_dtype(dtype)->size; }

// Returns true if a double holds the element exactly. Not all 64-bit integers fit.
bool is_whole_double(const char* bytes, DType dtype) {
  if (dtype != DType::kInt64) return true;
  char again[8];
  put_number(as_double(dtype, bytes), dtype, again);
  return std::memcmp(bytes, again, sizeof again) == 0;
}

ElementConversion of_parts(const ElementConversion& conversion) {
  return {part_dtype(conversion.from), conversion.scale, conversion.min, part_dtype(conversion.via),
          part_dtype(conversion.to)};
}

double convert(const char* bytes, const ElementConversion& parts) {
  const double stored = as_double(parts.from, bytes);
  // Adding 0 would take the sign of -0.
  const bool affine = parts.scale != 1 || parts.min != 0;
  return rounded(affine ? stored * parts.scale + parts.min : stored, parts.via);
}

}  // namespace

bool is_convertible(const ElementConversion& conversion) {
  const bool complex = is_complex(conversion.from);
  for (const DType dtype : {conversion.from, conversion.via, conversion.to}) {
    if (is_complex(dtype) != complex) return false;
    if (!is_number(part_dtype(dtype))) return false;
  }
  return true;
}

Slice converted(const Splice& stored, const ElementConversion& conversion) {
  assert(is_convertible(conversion));
  if (stored.size() == 0) return {};
  const ElementConversion parts = of_parts(conversion);
  return elementwise(as_slice(stored), width_of(parts.from), width_of(parts.to),
                     [parts](uint64_t, const char* element, char* made) {
                       put_number(convert(element, parts), parts.to, made);
                     });
}

Result<ConversionEffect> conversion_effect(const Splice& stored,
                                           const ElementConversion& conversion) {
  const ElementConversion parts = of_parts(conversion);
  const size_t width = width_of(parts.from);
  ConversionEffect effect;
  std::string rest;  // of an element that a chunk's end cuts
  CHECK_OK(stored.for_each_chunk([&](std::string_view chunk) -> Status {
    std::string joined;
    if (!rest.empty()) chunk = joined = rest.append(chunk);
    for (; chunk.size() >= width; chunk.remove_prefix(width)) {
      const double value = as_double(parts.from, chunk.data());
      const double kept = rounded(convert(chunk.data(), parts), parts.to);
      const bool same = kept == value || (std::isnan(kept) && std::isnan(value));
      if (!same) effect.largest = std::max(effect.largest, std::fabs(kept - value));
      effect.exact = effect.exact && same && is_whole_double(chunk.data(), parts.from);
    }
    rest = std::string(chunk);
    return Unit{};
  }));
  return effect;
}

Result<bool> converts_exactly(const Splice& stored, const ElementConversion& conversion) {
  TRY(effect, conversion_effect(stored, conversion));
  return effect.exact;
}

}  // namespace cryo
