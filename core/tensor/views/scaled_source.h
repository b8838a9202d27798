#pragma once

#include <vector>

#include "bytes/splice.h"
#include "tensor/dtype.h"

namespace cryo {

// The elements of a tensor, each multiplied by the factor of its channel while it is read, and
// rounded to the type:
//
//     element i    element i * factors[i / inner % factors.size()]
//
// `inner`: the elements of a channel that follow one another. REQUIRES: is_number(dtype); there are
// factors.
Slice scaled(const Splice& stored, DType dtype, std::vector<double> factors, uint64_t inner);

}  // namespace cryo
