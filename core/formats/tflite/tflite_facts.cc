#include "formats/tflite/tflite_facts.h"

#include <algorithm>

#include "bytes/coding.h"
#include "wire/flex_buffer.h"

namespace cryo {
namespace {

bool has_plain_strides(const TfliteCall& call) {
  return call.number_of("stride_h", 1) == call.number_of("stride_w", 1) &&
         call.number_of("dilation_h_factor", 1) == 1 && call.number_of("dilation_w_factor", 1) == 1;
}

// An input of a file without the shapes of intermediate tensors has the size of the multiplier.
std::optional<RewriteValue> channels(const TfliteCall& call) {
  const TfliteTensor* x = call.input(0);
  const TfliteTensor* filter = call.input(1);
  if (x != nullptr && x->shape.dims.size() == 4) return rule_number(x->shape.dims[3]);
  const int64_t multiplier = call.number_of("depth_multiplier");
  if (filter == nullptr || filter->shape.dims.size() != 4 || multiplier <= 0) return {};
  return rule_number(filter->shape.dims[3] / multiplier);
}

std::optional<RewriteValue> padded_sizes(const TfliteCall& call, bool crops) {
  const TfliteTensor* x = call.input(0);
  const TfliteTensor* filter = call.input(1);
  if (x == nullptr || filter == nullptr || x->signature.dims.size() != 4 ||
      filter->shape.dims.size() != 4) {
    return {};
  }
  const auto padding = call.of.options.value("padding");
  const bool same = padding && padding->texts == std::vector<std::string>{"SAME"};
  std::vector<int64_t> sizes;
  for (const size_t axis : {size_t{1}, size_t{2}}) {
    const bool is_height = axis == 1;
    const int64_t stride =
        std::max<int64_t>(call.number_of(is_height ? "stride_h" : "stride_w", 1), 1);
    const int64_t dilation = std::max<int64_t>(
        call.number_of(is_height ? "dilation_h_factor" : "dilation_w_factor", 1), 1);
    const int64_t size = x->signature.dims[axis];
    if (size < 0) return {};
    const int64_t kernel = (filter->shape.dims[axis] - 1) * dilation + 1;
    const int64_t made = (size + stride - 1) / stride;
    const int64_t all = same ? std::max<int64_t>((made - 1) * stride + kernel - size, 0) : 0;
    const int64_t rest = (dilation - (size + all) % dilation) % dilation;
    sizes.push_back(crops ? 0 : all / 2);
    sizes.push_back(crops ? rest : all - all / 2 + rest);
  }
  return rule_list(std::move(sizes));
}

// At most one of the sizes may be unknown in a Reshape.
bool has_out_shape(const TfliteTensor& made) {
  const std::vector<int64_t>& dims = made.signature.dims;
  return !made.signature.unknown_rank && std::count(dims.begin(), dims.end(), -1) < 2;
}

// A number of 4 bytes among the options of a custom operator, by its place.
std::optional<RewriteValue> raw_option(const TfliteOperator& of, std::string_view digits) {
  const auto place = static_cast<size_t>(digits[0] - '0');
  const auto bytes = small_options(of);
  if (!bytes || bytes->size() < 4 * (place + 1)) return {};
  return rule_number(static_cast<int32_t>(get_fixed32(bytes->data() + 4 * place)));
}

// A member of the options of a custom operator, which are a map in a FlexBuffer.
std::optional<RewriteValue> flex_option(const TfliteOperator& of, std::string_view name) {
  const auto bytes = small_options(of);
  if (!bytes) return {};
  const FlexValue found = FlexValue::root(*bytes).member(name);
  if (found.is_real()) return RewriteValue{.kind = AttrKind::kFloat, .reals = {*found.real()}};
  const auto whole = found.integer();
  if (!whole) return {};
  return found.is_truth() ? rule_truth(*whole != 0) : rule_number(*whole);
}

}  // namespace

std::optional<std::string> small_options(const TfliteOperator& of) {
  constexpr uint64_t kMostOptions = uint64_t{64} * 1024;
  const Slice& options = of.custom_options;
  if (options.source == nullptr || options.size > kMostOptions) return {};
  const auto bytes = Splice(options).read_all();
  return bytes ? std::optional(*bytes) : std::nullopt;
}

int64_t TfliteCall::number_of(std::string_view name, int64_t otherwise) const {
  const auto value = of.options.value(name);
  return value && !value->numbers.empty() ? value->numbers[0] : otherwise;
}

RewriteValue rule_number(int64_t number) { return {.kind = AttrKind::kInt, .numbers = {number}}; }

RewriteValue rule_truth(bool value) {
  return {.kind = AttrKind::kBool, .numbers = {value ? 1 : 0}};
}

RewriteValue rule_list(std::vector<int64_t> numbers) {
  return {.kind = AttrKind::kInt, .list = true, .numbers = std::move(numbers)};
}

std::optional<RewriteValue> tflite_fact(const TfliteCall& call, std::string_view name) {
  if (call.of.is_custom) {
    if (auto option = flex_option(call.of, name)) return option;
  }
  const TfliteTensor* x = call.input(0);
  const TfliteTensor* weights = call.input(1);
  const TfliteTensor* made = call.output(0);
  if (name.starts_with("raw_")) return raw_option(call.of, name.substr(4));
  if (name == "has_plain_strides") return rule_truth(has_plain_strides(call));
  if (name == "channels") return channels(call);
  if (name == "paddings") return padded_sizes(call, false);
  if (name == "crops") return padded_sizes(call, true);
  if (name == "label_offset" && weights != nullptr && weights->shape.dims.size() == 3) {
    const auto classes = flex_option(call.of, "num_classes");
    if (classes && classes->kind == AttrKind::kInt) {
      return rule_number(weights->shape.dims[2] - classes->numbers[0]);
    }
  }
  if (name == "has_known_sizes" && x != nullptr) {
    const std::vector<int64_t>& dims = x->signature.dims;
    return rule_truth(!dims.empty() && std::count(dims.begin(), dims.end(), -1) == 0);
  }
  if (name == "has_rows" && x != nullptr && weights != nullptr) {
    const std::vector<int64_t>& rows = x->shape.dims;
    const std::vector<int64_t>& units = weights->shape.dims;
    return rule_truth(rows.size() == 2 && (units.size() != 2 || rows[1] == units[1]));
  }
  if (made == nullptr) return {};
  if (name == "out_count") {
    const Result<uint64_t> count = element_count(made->shape);
    if (count) return rule_number(static_cast<int64_t>(*count));
  }
  if (name == "has_out_shape") return rule_truth(has_out_shape(*made));
  if (name == "out_shape" && has_out_shape(*made)) return rule_list(made->signature.dims);
  return {};
}

}  // namespace cryo
