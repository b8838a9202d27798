#include "formats/tflite/tflite_source.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace cryo {
namespace {

RewriteValue int_of(int64_t number) { return {.kind = AttrKind::kInt, .numbers = {number}}; }
RewriteValue bool_of(bool value) { return {.kind = AttrKind::kBool, .numbers = {value ? 1 : 0}}; }

RewriteValue ints_of(std::vector<int64_t> numbers) {
  return {.kind = AttrKind::kInt, .list = true, .numbers = std::move(numbers)};
}

bool take_number(std::string_view& text, size_t& number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc()) return false;
  text.remove_prefix(static_cast<size_t>(read.ptr - text.data()));
  return true;
}

}  // namespace

const TfliteTensor* TfliteSource::tensor(const std::vector<int32_t>& of, size_t place) const {
  if (place >= of.size() || of[place] < 0) return nullptr;
  return &graph_.tensors[static_cast<size_t>(of[place])];
}

int64_t TfliteSource::option(std::string_view name) const {
  const auto value = operator_.options.value(name);
  return value && !value->numbers.empty() ? value->numbers[0] : 1;
}

// "T0", "O1": a type; "R0": a rank; "D0_3", "DO_1": a size.
std::optional<RewriteValue> TfliteSource::type_or_size(std::string_view name) const {
  if (name == "T") name = "T0";
  const char kind = name[0];
  if ((kind != 'T' && kind != 'O' && kind != 'R' && kind != 'D') || name.size() < 2) return {};
  name.remove_prefix(1);
  const bool of_output = kind == 'O' || (kind == 'D' && name[0] == 'O');
  size_t place = 0;
  if (kind == 'D' && of_output) {
    name.remove_prefix(1);
  } else if (!take_number(name, place)) {
    return {};
  }
  const TfliteTensor* found = tensor(of_output ? operator_.outputs : operator_.inputs, place);
  if (found == nullptr) return {};
  if (kind == 'R') return int_of(static_cast<int64_t>(found->shape.dims.size()));
  if (kind == 'T' || kind == 'O') {
    return RewriteValue{.kind = AttrKind::kType,
                        .numbers = {static_cast<int64_t>(graph_type(*found))}};
  }
  size_t axis = 0;
  if (!name.starts_with('_')) return {};
  name.remove_prefix(1);
  if (!take_number(name, axis) || axis >= found->shape.dims.size()) return {};
  return int_of(found->shape.dims[axis]);
}

bool TfliteSource::has_plain_strides() const {
  return option("stride_h") == option("stride_w") && option("dilation_h_factor") == 1 &&
         option("dilation_w_factor") == 1;
}

RewriteValue TfliteSource::padded_sizes(bool crops) const {
  const TfliteTensor* x = tensor(operator_.inputs, 0);
  const TfliteTensor* filter = tensor(operator_.inputs, 1);
  if (x == nullptr || filter == nullptr || x->shape.dims.size() != 4 ||
      filter->shape.dims.size() != 4) {
    return ints_of({0, 0, 0, 0});
  }
  const auto padding = operator_.options.value("padding");
  const bool same = padding && padding->texts == std::vector<std::string>{"SAME"};
  std::vector<int64_t> sizes;
  for (const size_t axis : {size_t{1}, size_t{2}}) {
    const int64_t stride = std::max<int64_t>(option(axis == 1 ? "stride_h" : "stride_w"), 1);
    const int64_t dilation =
        std::max<int64_t>(option(axis == 1 ? "dilation_h_factor" : "dilation_w_factor"), 1);
    const int64_t size = x->shape.dims[axis];
    const int64_t kernel = (filter->shape.dims[axis] - 1) * dilation + 1;
    const int64_t made = (size + stride - 1) / stride;
    const int64_t all = same ? std::max<int64_t>((made - 1) * stride + kernel - size, 0) : 0;
    const int64_t rest = (dilation - (size + all) % dilation) % dilation;
    sizes.push_back(crops ? 0 : all / 2);
    sizes.push_back(crops ? rest : all - all / 2 + rest);
  }
  return ints_of(std::move(sizes));
}

std::optional<RewriteValue> TfliteSource::computed(std::string_view name) const {
  if (name == "has_plain_strides") return bool_of(has_plain_strides());
  if (name == "paddings") return padded_sizes(false);
  if (name == "crops") return padded_sizes(true);
  const TfliteTensor* x = tensor(operator_.inputs, 0);
  const TfliteTensor* made = tensor(operator_.outputs, 0);
  if (x == nullptr || made == nullptr) return {};
  const TfliteTensor* weights = tensor(operator_.inputs, 1);
  if (name == "has_rows") {
    return bool_of(weights != nullptr && x->shape.dims.size() == 2 &&
                   weights->shape.dims.size() == 2 && x->shape.dims[1] == weights->shape.dims[1]);
  }
  if (name == "has_other_out_rank") return bool_of(made->shape.dims.size() != 2);
  if (name == "out_shape") {
    const auto& open = made->signature.dims;
    const bool is_known = std::count(open.begin(), open.end(), -1) < 2;
    return ints_of(is_known && !made->signature.unknown_rank ? open : made->shape.dims);
  }
  return {};
}

std::optional<RewriteValue> TfliteSource::value(std::string_view name) const {
  if (auto found = operator_.options.value(name)) return found;
  if (auto found = type_or_size(name)) return found;
  return computed(name);
}

}  // namespace cryo
