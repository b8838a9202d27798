#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/content.h"

namespace cryo {

// A tensor of few elements that is known without running the graph, for arithmetic. Of bool, int8
// to int64, uint8, uint16: `whole`. Of float and double: `real`.
struct KnownTensor {
  DType dtype = DType::kInvalid;
  std::vector<int64_t> dims = {};
  std::vector<int64_t> whole = {};
  std::vector<double> real = {};

  bool is_real() const { return dtype == DType::kFloat || dtype == DType::kDouble; }
  size_t count() const { return is_real() ? real.size() : whole.size(); }
};

// Takes the place of an element of `whole` that is not known: a size that depends on what is fed.
constexpr int64_t kUnknownElement = std::numeric_limits<int64_t>::min();

bool is_wholly_known(const KnownTensor& tensor);

// nullopt for another type, and for content of another size.
std::optional<KnownTensor> known_tensor(DType dtype, std::vector<int64_t> dims,
                                        std::string_view content);

// The same of a tensor. nullopt also for over `most` elements, and if the content cannot be read.
std::optional<KnownTensor> read_known(const Tensor& tensor, size_t most);

// The elements, as Tensor::content. REQUIRES: is_wholly_known(tensor).
std::string content_of(const KnownTensor& tensor);

}  // namespace cryo
