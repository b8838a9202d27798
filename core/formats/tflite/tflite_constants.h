#pragma once

#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "formats/tflite/tflite_file.h"
#include "tensor/content.h"

namespace cryo {

// The constants of a file as tensors of TensorFlow, whose content is computed while it is read:
// quantized numbers are real ones, packed ones take a byte each, sparse ones are expanded.

// Returns true if the numbers stand for real ones.
bool is_quantized(const TfliteTensor& tensor);

// Returns the type that a tensor has in the graph: float32 if it is quantized.
DType graph_type(const TfliteTensor& tensor);

// Reads nothing but strings. Content that does not fit the type and shape is a fault, which reading
// returns, and a warning.
Result<Tensor> constant_tensor(const TfliteTensor& tensor, const TfliteSubgraph& graph,
                               Diagnostics& diagnostics);

// Returns the zeros that a variable starts with.
Tensor zeros_of(const TfliteTensor& tensor);

// Return a constant computed from another; nullopt if its content cannot be computed piece by
// piece: a permutation must exchange two neighboring runs of axes.
std::optional<Tensor> transposed(const Tensor& tensor, const std::vector<int64_t>& permutation);
std::optional<Tensor> reshaped(const Tensor& tensor, const std::vector<int64_t>& dims);
std::optional<Tensor> cast(const Tensor& tensor, DType to);

}  // namespace cryo
