#include "formats/tflite/range_source.h"

#include <cmath>

#include "formats/tflite/tflite_constants.h"
#include "formats/tflite/tflite_schema.h"

namespace cryo {
namespace {

struct IntegerRange {
  int64_t bits = 8;
  int64_t least = -128;
  int64_t most = 127;
};

IntegerRange range_of(int32_t type) {
  if (type == tflite::Type::kUINT8) return {8, 0, 255};
  if (type == tflite::Type::kINT16) return {16, -32768, 32767};
  if (type == tflite::Type::kUINT16) return {16, 0, 65535};
  return {};
}

}  // namespace

bool has_range(const TfliteTensor& tensor) {
  const bool is_narrow =
      tensor.type == tflite::Type::kINT8 || tensor.type == tflite::Type::kUINT8 ||
      tensor.type == tflite::Type::kINT16 || tensor.type == tflite::Type::kUINT16;
  const std::vector<float>& scales = tensor.quantization.scales;
  return is_narrow && scales.size() == 1 && std::isfinite(scales[0]) && scales[0] > 0;
}

RangeSource::RangeSource(const TfliteTensor& tensor, std::string input, bool keeps_quantization)
    : inputs_({std::move(input)}), keeps_quantization_(keeps_quantization) {
  const IntegerRange range = range_of(tensor.type);
  const int64_t zero = tensor.quantization.zero_points[0];
  bits_ = range.bits;
  step_ = tensor.quantization.scales[0];
  low_ = static_cast<float>(range.least - zero) * step_;
  high_ = static_cast<float>(range.most - zero) * step_;
}

std::optional<RewriteValue> RangeSource::value(std::string_view name) const {
  const auto is_true = [](bool value) {
    return RewriteValue{.kind = AttrKind::kBool, .numbers = {value ? 1 : 0}};
  };
  const auto real = [](float value) {
    return RewriteValue{.kind = AttrKind::kFloat, .reals = {double{value}}};
  };
  if (name == "T") {
    return RewriteValue{.kind = AttrKind::kType, .numbers = {static_cast<int>(DType::kFloat)}};
  }
  if (name == "keeps_quantization") return is_true(keeps_quantization_);
  if (name == "is_relu6") return is_true(low_ == 0 && std::abs(high_ - 6) <= step_ / 2);
  if (name == "low") return real(low_);
  if (name == "high") return real(high_);
  if (name == "num_bits") return RewriteValue{.kind = AttrKind::kInt, .numbers = {bits_}};
  return std::nullopt;
}

}  // namespace cryo
