#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/function_ref.h"
#include "passes/redact/neutral_names.h"
#include "tensor/content.h"
#include "wire/cursor.h"
#include "wire/payloads.h"

namespace cryo {

// The use of a constant, other than its value.
enum class TensorRole : uint8_t {
  kValue,
  kNames,   // the keys of a saver's tensors
  kSlices,  // the parts of variables that a saver takes: "10 20 0,5:0,20"
  kNumber,  // an input of Range, which states the size of a tensor and may be a float
};

// Values that were replaced.
struct RemovedValues {
  uint64_t tensors = 0;
  uint64_t bytes = 0;  // that they took
};

// The most elements of whole numbers that stay, and of texts that stay apart from each other:
// shapes, axes, paddings and permutations have fewer.
constexpr uint64_t kMaxKept = 64;

// Returns a field with zero as its value, or with as many zeros as it has bytes.
std::string zero_field(const WireField& field);

// Replaces the values of tensors:
//
//     int32, int64, bool, at most kMaxKept     as they are
//     other numbers                             one zero, which repeats
//     strings, at most kMaxKept                a neutral word each
//     more strings                              one empty text, which repeats
//
// A tensor that cannot be read keeps its fields and their sizes, with zeros in them, so that it has
// the same fault.
class TensorRedaction {
 public:
  // Returns a message within a tensor without its texts: a shape, the handle of a resource.
  using Message = FunctionRef<std::string(std::string_view bytes, std::string_view schema)>;

  // REQUIRES: both outlive it.
  TensorRedaction(NeutralNames& names, Payloads& payloads) : names_(names), payloads_(payloads) {}

  // Returns an elided TensorProto with other values.
  std::string proto(std::string_view skeleton, TensorRole role, Message message);

  // Counts values that are replaced elsewhere.
  void remove(uint64_t bytes);

  const RemovedValues& removed() const { return removed_; }

 private:
  std::string numbers(const Tensor& tensor, TensorRole role);
  std::string strings(std::string_view skeleton, const Tensor& tensor, TensorRole role);
  std::string faulty(std::string_view skeleton, Message message);
  std::string faulty_field(const WireField& field, DType dtype, Message message);
  std::string faulty_bulk(const Payload& payload, DType dtype);

  NeutralNames& names_;
  Payloads& payloads_;
  RemovedValues removed_;
};

}  // namespace cryo
