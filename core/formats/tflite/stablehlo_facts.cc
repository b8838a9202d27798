#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "formats/tflite/tflite_facts.h"
#include "tensor/content.h"

namespace cryo {
namespace {

using Ints = std::vector<int64_t>;

// TensorFlow pads tensors of at most so many axes.
constexpr size_t kMostPadded = 6;

Ints option_list(const TfliteCall& call, std::string_view name) {
  const auto value = call.of.options.value(name);
  return value ? value->numbers : Ints();
}

// Returns 0, 1, ..., up to `end`.
Ints counted(int64_t begin, int64_t end) {
  Ints numbers(static_cast<size_t>(std::max<int64_t>(end - begin, 0)));
  std::iota(numbers.begin(), numbers.end(), begin);
  return numbers;
}

Ints constant_list(const TfliteTensor* tensor) {
  if (tensor == nullptr || tensor->content.source == nullptr) return {};
  const Result<uint64_t> count = element_count(tensor->shape);
  const DType dtype = dtype_of_tflite(tensor->type);
  if (!count || *count > kMaxDims) return {};
  return integers_of({dtype, tensor->shape, *count, Splice(tensor->content)}).value_or(Ints());
}

const TfliteSubgraph* body_of(const TfliteCall& call) {
  for (const char* name :
       {"body_subgraph_index", "update_computation_subgraph_index", "comparator_subgraph_index"}) {
    const int64_t index = call.number_of(name, -1);
    if (index >= 0 && index < static_cast<int64_t>(call.graphs.size())) {
      return &call.graphs[static_cast<size_t>(index)];
    }
  }
  return nullptr;
}

// The only operator of the body, of its arguments in their order; nullptr if it has another form.
const TfliteOperator* operator_of(const TfliteSubgraph* body) {
  if (body == nullptr || body->operators.size() != 1) return nullptr;
  const TfliteOperator& only = body->operators[0];
  return only.inputs == body->inputs && only.outputs == body->outputs ? &only : nullptr;
}

std::optional<RewriteValue> body_fact(const TfliteCall& call, std::string_view name) {
  const TfliteSubgraph* body = body_of(call);
  const TfliteOperator* only = operator_of(body);
  if (name == "body_direction") {
    if (only == nullptr || only->name != "STABLEHLO_COMPARE") return {};
    return only->options.value("comparison_direction");
  }
  if (name != "body" || body == nullptr) return {};
  const bool takes_second = body->operators.empty() && body->inputs.size() == 2 &&
                            body->outputs == std::vector<int32_t>{body->inputs[1]};
  if (only == nullptr && !takes_second) return {};
  return RewriteValue{.kind = AttrKind::kString,
                      .texts = {std::string(takes_second ? "" : only->name)}};
}

// The first axes are those of an index, the others are whole.
bool is_plain_gather(const TfliteCall& call, const TfliteTensor& x, const TfliteTensor& indices) {
  const Ints starts = option_list(call, "start_index_map");
  const Ints sizes = option_list(call, "slice_sizes");
  const auto depth = static_cast<int64_t>(starts.size());
  const auto rank = static_cast<int64_t>(indices.shape.dims.size());
  const auto made = static_cast<int64_t>(call.output(0)->shape.dims.size());
  if (rank == 0 || call.number_of("index_vector_dim") != rank - 1 ||
      indices.shape.dims.back() != depth || sizes.size() != x.shape.dims.size()) {
    return false;
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != (i < starts.size() ? 1 : x.shape.dims[i])) return false;
  }
  return starts == counted(0, depth) && option_list(call, "collapsed_slice_dims") == starts &&
         option_list(call, "offset_dims") == counted(rank - 1, made);
}

bool is_plain_scatter(const TfliteCall& call, const TfliteTensor& indices,
                      const TfliteTensor& updates) {
  const Ints axes = option_list(call, "scatter_dims_to_operand_dims");
  const auto depth = static_cast<int64_t>(axes.size());
  const auto rank = static_cast<int64_t>(indices.shape.dims.size());
  if (rank == 0 || call.number_of("index_vector_dim") != rank - 1) return false;
  if (indices.shape.dims.back() != depth) return false;
  const auto made = static_cast<int64_t>(updates.shape.dims.size());
  return axes == counted(0, depth) && option_list(call, "inserted_window_dims") == axes &&
         option_list(call, "update_window_dims") == counted(rank - 1, made);
}

// The sizes of the steps of dilated().
struct Dilations {
  Ints split = {};
  Ints paddings = {};
  Ints joined = {};
  Ints sizes = {};
  bool is_dilated = false;
};

std::optional<Dilations> dilations_of(const TfliteCall& call, const TfliteTensor& x) {
  const bool pads = call.of.name == "STABLEHLO_PAD";
  Ints steps = pads ? option_list(call, "interior_padding") : constant_list(call.input(1));
  if (pads) std::for_each(steps.begin(), steps.end(), [](int64_t& step) { ++step; });
  if (steps.size() != x.shape.dims.size()) return {};
  Dilations made;
  for (size_t i = 0; i < steps.size(); ++i) {
    const int64_t size = x.shape.dims[i];
    if (steps[i] < 1 || steps[i] > INT32_MAX / std::max<int64_t>(size, 1)) return {};
    made.split.push_back(size);
    made.paddings.insert(made.paddings.end(), {0, 0});
    made.joined.push_back(size * steps[i]);
    made.sizes.push_back(size == 0 ? 0 : (size - 1) * steps[i] + 1);
    if (steps[i] == 1) continue;
    made.is_dilated = true;
    made.split.push_back(1);
    made.paddings.insert(made.paddings.end(), {0, steps[i] - 1});
  }
  return made.split.size() > kMostPadded ? std::nullopt : std::optional(std::move(made));
}

std::optional<RewriteValue> edge_fact(const TfliteCall& call, const Dilations& dilations,
                                      std::string_view name) {
  const Ints low = option_list(call, "edge_padding_low");
  const Ints high = option_list(call, "edge_padding_high");
  if (low.size() != dilations.sizes.size() || high.size() != low.size()) return {};
  Ints begin;
  Ints size;
  Ints edges;
  bool is_cut = false;
  for (size_t i = 0; i < low.size(); ++i) {
    const int64_t before = std::max<int64_t>(-low[i], 0);
    const int64_t after = std::max<int64_t>(-high[i], 0);
    is_cut = is_cut || before + after > 0;
    begin.push_back(before);
    size.push_back(std::max<int64_t>(dilations.sizes[i] - before - after, 0));
    edges.insert(edges.end(), {std::max<int64_t>(low[i], 0), std::max<int64_t>(high[i], 0)});
  }
  if (name == "is_cut") return rule_truth(is_cut);
  if (name == "cut_begin_sizes") return rule_list(begin);
  if (name == "cut_sizes") return rule_list(size);
  if (name == "edge_paddings") return rule_list(edges);
  return {};
}

std::optional<RewriteValue> dilation_fact(const TfliteCall& call, const TfliteTensor& x,
                                          std::string_view name) {
  const auto dilations = dilations_of(call, x);
  if (!dilations) return {};
  if (name == "has_dilations") {
    return rule_truth(call.of.name == "DILATE" || edge_fact(call, *dilations, "is_cut"));
  }
  if (name == "is_dilated") return rule_truth(dilations->is_dilated);
  if (name == "split_shape") return rule_list(dilations->split);
  if (name == "split_paddings") return rule_list(dilations->paddings);
  if (name == "joined_shape") return rule_list(dilations->joined);
  if (name == "dilated_sizes") return rule_list(dilations->sizes);
  if (name == "zeros_sizes") return rule_list(Ints(dilations->sizes.size()));
  return edge_fact(call, *dilations, name);
}

// "abd,acd->abc": letters of the axes of x, of y, and of the product.
std::optional<RewriteValue> equation_of(const TfliteCall& call, size_t x_rank, size_t y_rank) {
  const Ints x_batch = option_list(call, "lhs_batching_dimensions");
  const Ints y_batch = option_list(call, "rhs_batching_dimensions");
  const Ints x_sum = option_list(call, "lhs_contracting_dimensions");
  const Ints y_sum = option_list(call, "rhs_contracting_dimensions");
  if (x_batch.size() != y_batch.size() || x_sum.size() != y_sum.size()) return {};
  if (x_rank + y_rank > 26) return {};
  std::string x(x_rank, ' ');
  std::string y(y_rank, ' ');
  char letter = 'a';
  const auto pair = [&](const Ints& of_x, const Ints& of_y) {
    for (size_t i = 0; i < of_x.size(); ++i, ++letter) {
      const auto in_x = static_cast<size_t>(of_x[i]);
      const auto in_y = static_cast<size_t>(of_y[i]);
      if (in_x >= x_rank || in_y >= y_rank) return false;
      x[in_x] = y[in_y] = letter;
    }
    return true;
  };
  if (!pair(x_batch, y_batch)) return {};
  std::string made;
  for (char each = 'a'; each < letter; ++each) made += each;
  if (!pair(x_sum, y_sum)) return {};
  for (std::string* text : {&x, &y}) {
    for (char& each : *text) {
      if (each == ' ') made += each = letter++;
    }
  }
  return RewriteValue{.kind = AttrKind::kString, .texts = {cat(x, ",", y, "->", made)}};
}

Ints ones_but(size_t rank, const Ints& places, const Ints& sizes) {
  Ints ones(rank, 1);
  for (size_t i = 0; i < places.size() && i < sizes.size(); ++i) {
    if (places[i] >= 0 && static_cast<size_t>(places[i]) < rank) {
      ones[static_cast<size_t>(places[i])] = sizes[i];
    }
  }
  return ones;
}

std::optional<RewriteValue> iota_fact(const TfliteCall& call, const TfliteTensor& made,
                                      std::string_view name) {
  const auto axis = static_cast<size_t>(call.number_of("iota_dimension"));
  const Ints& sizes = made.shape.dims;
  if (axis >= sizes.size()) return {};
  if (name == "iota_size") return rule_number(sizes[axis]);
  return rule_list(ones_but(sizes.size(), {static_cast<int64_t>(axis)}, {sizes[axis]}));
}

}  // namespace

std::optional<RewriteValue> stablehlo_fact(const TfliteCall& call, std::string_view name) {
  const TfliteTensor* x = call.input(0);
  const TfliteTensor* y = call.input(1);
  const TfliteTensor* made = call.output(0);
  if (made == nullptr) return {};
  if (name == "iota_size" || name == "iota_shape") return iota_fact(call, *made, name);
  if (x == nullptr) return {};
  const Ints& sizes = x->shape.dims;
  if (name == "body" || name == "body_direction") return body_fact(call, name);
  if (name == "broadcast_shape") {
    return rule_list(
        ones_but(made->shape.dims.size(), option_list(call, "broadcast_dimensions"), sizes));
  }
  if (name == "last_starts") {
    Ints last = option_list(call, "slice_sizes");
    for (size_t i = 0; i < last.size(); ++i) last[i] = (i < sizes.size() ? sizes[i] : 0) - last[i];
    return rule_list(last);
  }
  if (name == "sorts_last_axis") {
    const auto rank = static_cast<int64_t>(sizes.size());
    return rule_truth(rank > 0 && call.number_of("dimension") == rank - 1);
  }
  if (name == "last_size" && !sizes.empty()) return rule_number(sizes.back());
  if (y == nullptr) return {};
  if (name == "equation") return equation_of(call, sizes.size(), y->shape.dims.size());
  if (name == "is_plain_gather") return rule_truth(is_plain_gather(call, *x, *y));
  if (name == "is_plain_scatter" && call.input(2) != nullptr) {
    return rule_truth(is_plain_scatter(call, *y, *call.input(2)));
  }
  return dilation_fact(call, *x, name);
}

}  // namespace cryo
