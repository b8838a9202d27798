#include <array>

#include "validate/shape/shape_rules.h"

namespace cryo::rules {
namespace {

constexpr size_t kOfRank = 128;  // in OpDef::gives
constexpr size_t kMaxRanks = 8;

// "rank 4", "at least rank 1", "rank 4 or 5".
std::string ranks_text(const OpDef& op, size_t argument) {
  size_t first = 0;
  while (first < kMaxRanks && !op.takes_rank(argument, first)) ++first;
  size_t last = first;
  while (last + 1 < kMaxRanks && op.takes_rank(argument, last + 1)) ++last;
  if (first == last) return cat("rank ", first);
  if (last + 1 == kMaxRanks) return cat("at least rank ", first);
  return first == 0 ? cat("at most rank ", last) : cat("rank ", first, " or ", last);
}

// Returns the position of an argument's only tensor among the inputs; nullopt if it is a list.
std::optional<size_t> place_of(ShapeCall& call, size_t argument) {
  const std::vector<ArgDef>& args = call.op().inputs;
  if (argument >= args.size() || args[argument].number_attr != kNoAttr ||
      args[argument].type_list_attr != kNoAttr) {
    return std::nullopt;
  }
  uint64_t place = 0;
  for (size_t i = 0; i < argument; ++i) place += call.tensors_of(args[i]);
  return place < call.size() ? std::optional<size_t>(place) : std::nullopt;
}

// Returns true for a constant -1 in place of the sizes of a list's elements.
bool is_any_shape(ShapeCall& call, size_t place) {
  if (call.op().name.find("TensorList") == std::string::npos) return false;
  const auto known = call.values().ints(place);
  return known && known->scalar() && known->values[0] == kUnknownDim;
}

// A dimension of an input that has always this size.
struct FixedSize {
  std::string_view op;
  size_t input;
  int64_t place;
  int64_t size;
};
constexpr auto kSizes = std::to_array<FixedSize>({
    {"DecodeAndCropJpeg", 1, 0, 4},
    {"DrawBoundingBoxes", 1, 2, 4},
    {"ExtractGlimpse", 1, 0, 2},
    {"HSVToRGB", 0, -1, 3},
    {"HistogramFixedWidth", 1, 0, 2},
    {"IRFFT", 1, 0, 1},
    {"IRFFT2D", 1, 0, 2},
    {"IRFFT3D", 1, 0, 3},
    {"ImageProjectiveTransformV2", 2, 0, 2},
    {"ImageProjectiveTransformV3", 2, 0, 2},
    {"RFFT", 1, 0, 1},
    {"RFFT2D", 1, 0, 2},
    {"RFFT3D", 1, 0, 3},
    {"RGBToHSV", 0, -1, 3},
    {"StatelessMultinomial", 2, 0, 2},
    {"StatelessRandomGetKeyCounter", 0, 0, 2},
    {"TensorArrayGradV3", 0, 0, 2},
    {"TensorArraySizeV3", 0, 0, 2},
});

}  // namespace

bool ranks_fit(ShapeCall& call) {
  const OpDef& op = call.op();
  // Its rule has them: two inputs may have ranks together that none may have alone.
  if (op.name == "SoftmaxCrossEntropyWithLogits") return true;
  uint64_t place = 0;
  for (size_t argument = 0; argument < op.ranks.size(); ++argument) {
    if (argument >= op.inputs.size()) return true;
    const uint64_t end = place + call.tensors_of(op.inputs[argument]);
    for (; place < end && place < call.size(); ++place) {
      const auto at = static_cast<size_t>(place);
      const Shape& shape = call.input(at);
      if (shape.unknown_rank || op.takes_rank(argument, shape.dims.size())) continue;
      if (is_any_shape(call, at)) continue;
      return call.fail("Shape must be ", ranks_text(op, argument), " but is rank ",
                       shape.dims.size());
    }
  }
  return true;
}

bool by_registry(ShapeCall& call) {
  for (const char byte : call.op().gives) {
    const auto said = static_cast<unsigned char>(byte);
    Shape shape = unknown_shape();
    if (said >= kOfRank) shape = unknown_dims(said - kOfRank);
    const auto place = said > 0 && said < kOfRank ? place_of(call, said - 1U) : std::nullopt;
    if (place) shape = call.input(*place);
    call.output(std::move(shape));
  }
  return true;
}

bool sized(ShapeCall& call) {
  for (const FixedSize& each : kSizes) {
    if (each.op == call.op().name && !call.has_size(each.input, each.place, each.size)) {
      return false;
    }
  }
  return by_registry(call);
}

}  // namespace cryo::rules
