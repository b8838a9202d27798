#include "graph/evaluate/evaluate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "graph/evaluate/evaluation.h"
#include "tensor/number.h"

namespace cryo {
namespace {

using Known = std::optional<KnownTensor>;

// The value as its type stores it: overflow wraps around.
int64_t wrapped(int64_t value, DType dtype) {
  switch (dtype) {
    case DType::kInt8:
      return static_cast<int8_t>(value);
    case DType::kUint8:
      return static_cast<uint8_t>(value);
    case DType::kInt16:
      return static_cast<int16_t>(value);
    case DType::kUint16:
      return static_cast<uint16_t>(value);
    case DType::kInt32:
      return static_cast<int32_t>(value);
    default:
      return value;
  }
}

int64_t added(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
int64_t negated(int64_t a) { return static_cast<int64_t>(uint64_t{0} - static_cast<uint64_t>(a)); }
int64_t multiplied(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}
// REQUIRES for these two: b is not 0.
int64_t quotient(int64_t a, int64_t b) { return b == -1 ? negated(a) : a / b; }
int64_t floor_quotient(int64_t a, int64_t b) {
  const int64_t whole = quotient(a, b);
  return b != -1 && a % b != 0 && (a < 0) != (b < 0) ? whole - 1 : whole;
}

std::optional<int64_t> whole_result(std::string_view op, int64_t a, int64_t b) {
  if (op == "Add" || op == "AddV2") return added(a, b);
  if (op == "Sub") return added(a, negated(b));
  if (op == "Mul") return multiplied(a, b);
  if (op == "Maximum") return std::max(a, b);
  if (op == "Minimum") return std::min(a, b);
  if (op == "LogicalAnd") return a & b;
  if (op == "LogicalOr") return a | b;
  if (b == 0) return std::nullopt;
  if (op == "Div" || op == "TruncateDiv") return quotient(a, b);
  if (op == "FloorDiv") return floor_quotient(a, b);
  if (op == "FloorMod") return added(a, negated(multiplied(floor_quotient(a, b), b)));
  return std::nullopt;
}

std::optional<double> real_result(std::string_view op, double a, double b) {
  if (op == "Add" || op == "AddV2") return a + b;
  if (op == "Sub") return a - b;
  if (op == "Mul") return a * b;
  if (op == "RealDiv" || op == "Div") return a / b;
  // Which zero is the larger one is not defined.
  if (a == b && std::signbit(a) != std::signbit(b)) return std::nullopt;
  if (op == "Maximum") return std::max(a, b);
  if (op == "Minimum") return std::min(a, b);
  return std::nullopt;
}

template <typename Value>
std::optional<int64_t> comparison(std::string_view op, Value a, Value b) {
  if (op == "Equal") return a == b;
  if (op == "NotEqual") return a != b;
  if (op == "Less") return a < b;
  if (op == "LessEqual") return a <= b;
  if (op == "Greater") return a > b;
  if (op == "GreaterEqual") return a >= b;
  return std::nullopt;
}

bool is_comparison(std::string_view op) { return comparison(op, 0, 0).has_value(); }

bool is_subnormal(double value, DType dtype) {
  const double least = dtype == DType::kFloat ? std::numeric_limits<float>::min()
                                              : std::numeric_limits<double>::min();
  return value != 0 && std::fabs(value) < least;
}

// Appends the result of a step; false if it can't be said exactly.
bool append_real(const Evaluation& of, std::optional<double> value, KnownTensor& made) {
  if (!value || std::isnan(*value)) return false;
  if (of.arithmetic == Arithmetic::kDouble) {
    made.real.push_back(*value);
    return true;
  }
  // A result that is rounded up to the smallest normal number is flushed, too.
  if (is_subnormal(*value, made.dtype)) return false;
  made.real.push_back(rounded(*value, made.dtype));
  return true;
}

bool has_exact_elements(const Evaluation& of) {
  if (of.arithmetic == Arithmetic::kDouble) return true;
  for (const KnownTensor* input : of.inputs) {
    for (const double value : input->real) {
      if (std::isnan(value) || is_subnormal(value, input->dtype)) return false;
    }
  }
  return true;
}

// An op of two tensors, element by element.
Known binary(const Evaluation& of) {
  const std::string_view op = of.node.op;
  if (of.inputs.size() != 2 || of.inputs[0]->dtype != of.inputs[1]->dtype) return std::nullopt;
  const KnownTensor& a = *of.inputs[0];
  const KnownTensor& b = *of.inputs[1];
  const auto dims = broadcast_dims(a.dims, b.dims);
  if (!dims || !has_exact_elements(of)) return std::nullopt;
  const auto count = count_of(*dims, of.most);
  if (!count) return std::nullopt;
  const bool compares = is_comparison(op);
  const bool logical = op.starts_with("Logical");
  if (!compares && logical != (a.dtype == DType::kBool)) return std::nullopt;
  KnownTensor made{compares ? DType::kBool : a.dtype, *dims};
  const BroadcastPlaces in_a(a.dims, *dims);
  const BroadcastPlaces in_b(b.dims, *dims);
  for (size_t i = 0; i < *count; ++i) {
    if (a.is_real()) {
      const double x = a.real[in_a.of(i)];
      const double y = b.real[in_b.of(i)];
      if (compares) {
        made.whole.push_back(*comparison(op, x, y));
      } else if (!append_real(of, real_result(op, x, y), made)) {
        return std::nullopt;
      }
      continue;
    }
    const int64_t x = a.whole[in_a.of(i)];
    const int64_t y = b.whole[in_b.of(i)];
    if (x == kUnknownElement || y == kUnknownElement) {
      made.whole.push_back(kUnknownElement);
      continue;
    }
    const auto value = compares ? comparison(op, x, y) : whole_result(op, x, y);
    if (!value) return std::nullopt;
    made.whole.push_back(wrapped(*value, made.dtype));
  }
  return made;
}

std::optional<double> real_of(std::string_view op, double a, Arithmetic arithmetic) {
  if (op == "Neg") return -a;
  if (op == "Abs") return std::fabs(a);
  if (op == "Square") return a * a;
  if (op == "Sqrt") return std::sqrt(a);
  if (op == "Floor") return std::floor(a);
  if (op == "Ceil") return std::ceil(a);
  if (arithmetic == Arithmetic::kDouble && op == "Rsqrt") return 1 / std::sqrt(a);
  return std::nullopt;
}

std::optional<int64_t> whole_of(std::string_view op, int64_t a) {
  if (op == "Neg") return negated(a);
  if (op == "Abs") return a < 0 ? negated(a) : a;
  if (op == "Square") return multiplied(a, a);
  if (op == "LogicalNot") return a == 0 ? 1 : 0;
  return std::nullopt;
}

// An op of one tensor, element by element.
Known unary(const Evaluation& of) {
  if (of.inputs.size() != 1 || !has_exact_elements(of)) return std::nullopt;
  const KnownTensor& a = *of.inputs[0];
  if ((of.node.op == "LogicalNot") != (a.dtype == DType::kBool)) return std::nullopt;
  KnownTensor made{a.dtype, a.dims};
  for (const double value : a.real) {
    if (!append_real(of, real_of(of.node.op, value, of.arithmetic), made)) return std::nullopt;
  }
  for (const int64_t value : a.whole) {
    const auto result = value == kUnknownElement ? value : whole_of(of.node.op, value);
    if (!result) return std::nullopt;
    made.whole.push_back(value == kUnknownElement ? value : wrapped(*result, a.dtype));
  }
  return made;
}

// A number with a point becomes a whole one towards zero. What does not fit depends on the machine.
std::optional<int64_t> truncated(double value, DType dtype) {
  const double whole = std::trunc(value);
  if (!(std::fabs(whole) < std::ldexp(1, 62))) return std::nullopt;
  const auto result = static_cast<int64_t>(whole);
  return wrapped(result, dtype) == result ? std::optional(result) : std::nullopt;
}

double real_of_whole(int64_t value, DType dtype) {
  // A large number would be rounded twice by way of double.
  return dtype == DType::kFloat ? static_cast<float>(value) : static_cast<double>(value);
}

Known cast(const Evaluation& of) {
  if (of.inputs.size() != 1 || !has_exact_elements(of)) return std::nullopt;
  if (bool_attr(of.node, "Truncate").value_or(false)) return std::nullopt;
  const KnownTensor& a = *of.inputs[0];
  KnownTensor made{static_cast<DType>(type_attr(of.node, "DstT").value_or(0)), a.dims};
  const bool whole =
      made.dtype == DType::kBool || (is_number(made.dtype) && !is_16_bit(made.dtype));
  if (!whole && !made.is_real()) return std::nullopt;
  for (const double value : a.real) {
    if (made.is_real()) {
      if (!append_real(of, value, made)) return std::nullopt;
      continue;
    }
    const auto result = made.dtype == DType::kBool ? value != 0 : truncated(value, made.dtype);
    if (!result) return std::nullopt;
    made.whole.push_back(*result);
  }
  for (const int64_t value : a.whole) {
    if (made.is_real()) {
      if (value == kUnknownElement) return std::nullopt;
      made.real.push_back(real_of_whole(value, made.dtype));
    } else if (value == kUnknownElement) {
      made.whole.push_back(value);
    } else {
      made.whole.push_back(made.dtype == DType::kBool ? value != 0 : wrapped(value, made.dtype));
    }
  }
  return made;
}

// Select chooses whole rows where its condition is a vector; SelectV2 broadcasts.
Known select(const Evaluation& of) {
  if (of.inputs.size() != 3 || of.inputs[1]->dtype != of.inputs[2]->dtype) return std::nullopt;
  const KnownTensor& condition = *of.inputs[0];
  if (condition.dtype != DType::kBool || !is_wholly_known(condition)) return std::nullopt;
  const std::vector<int64_t>& a = of.inputs[1]->dims;
  const std::vector<int64_t>& b = of.inputs[2]->dims;
  if (of.node.op == "Select" && (a != b || (condition.dims != a && !condition.dims.empty()))) {
    return std::nullopt;
  }
  const auto both = broadcast_dims(a, b);
  const auto dims = both ? broadcast_dims(*both, condition.dims) : std::nullopt;
  const auto count = dims ? count_of(*dims, of.most) : std::nullopt;
  if (!count) return std::nullopt;
  KnownTensor made{of.inputs[1]->dtype, *dims};
  const BroadcastPlaces in_condition(condition.dims, *dims);
  const BroadcastPlaces in_a(a, *dims);
  const BroadcastPlaces in_b(b, *dims);
  for (size_t i = 0; i < *count; ++i) {
    const bool first = condition.whole[in_condition.of(i)] != 0;
    append_element(*of.inputs[first ? 1 : 2], (first ? in_a : in_b).of(i), made);
  }
  return made;
}

// Combines whole numbers or truth values, whose order does not matter.
std::optional<int64_t> combined(std::string_view op, int64_t a, int64_t b) {
  if (op == "Sum") return added(a, b);
  if (op == "Prod") return multiplied(a, b);
  if (op == "Max") return std::max(a, b);
  if (op == "Min") return std::min(a, b);
  if (op == "All") return a & b;
  if (op == "Any") return a | b;
  return std::nullopt;
}

int64_t neutral(std::string_view op) { return op == "Prod" || op == "All" ? 1 : 0; }

Known reduce(const Evaluation& of) {
  const std::string_view op = of.node.op;
  if (of.inputs.size() != 2 || of.inputs[0]->is_real()) return std::nullopt;
  const KnownTensor& a = *of.inputs[0];
  if ((op == "All" || op == "Any") != (a.dtype == DType::kBool)) return std::nullopt;
  auto axes = axes_of(*of.inputs[1], a.dims.size());
  if (!axes) return std::nullopt;
  std::sort(axes->begin(), axes->end());
  if (std::adjacent_find(axes->begin(), axes->end()) != axes->end()) return std::nullopt;
  const bool extreme = op == "Max" || op == "Min";
  if (extreme && a.whole.empty()) return std::nullopt;
  const bool keeps = bool_attr(of.node, "keep_dims").value_or(false);
  KnownTensor made{a.dtype};
  std::vector<int64_t> reduced = a.dims;  // with 1 in the places of the axes
  for (size_t axis = 0; axis < a.dims.size(); ++axis) {
    const bool goes = std::find(axes->begin(), axes->end(), axis) != axes->end();
    if (goes) reduced[axis] = 1;
    if (!goes || keeps) made.dims.push_back(reduced[axis]);
  }
  const auto count = count_of(reduced, of.most);
  if (!count) return std::nullopt;
  made.whole.assign(*count, neutral(op));
  std::vector<bool> begun(*count, !extreme);
  const BroadcastPlaces place(reduced, a.dims);
  for (size_t i = 0; i < a.whole.size(); ++i) {
    int64_t& into = made.whole[place.of(i)];
    const auto first = begun[place.of(i)] ? combined(op, into, a.whole[i]) : a.whole[i];
    begun[place.of(i)] = true;
    const bool unknown = into == kUnknownElement || a.whole[i] == kUnknownElement;
    into = unknown ? kUnknownElement : wrapped(*first, a.dtype);
  }
  return made;
}

constexpr std::array kElementwise = {
    EvaluationRule{"Abs", unary},         EvaluationRule{"Add", binary},
    EvaluationRule{"AddV2", binary},      EvaluationRule{"All", reduce},
    EvaluationRule{"Any", reduce},        EvaluationRule{"Cast", cast},
    EvaluationRule{"Ceil", unary},        EvaluationRule{"Div", binary},
    EvaluationRule{"Equal", binary},      EvaluationRule{"Floor", unary},
    EvaluationRule{"FloorDiv", binary},   EvaluationRule{"FloorMod", binary},
    EvaluationRule{"Greater", binary},    EvaluationRule{"GreaterEqual", binary},
    EvaluationRule{"Less", binary},       EvaluationRule{"LessEqual", binary},
    EvaluationRule{"LogicalAnd", binary}, EvaluationRule{"LogicalNot", unary},
    EvaluationRule{"LogicalOr", binary},  EvaluationRule{"Max", reduce},
    EvaluationRule{"Maximum", binary},    EvaluationRule{"Min", reduce},
    EvaluationRule{"Minimum", binary},    EvaluationRule{"Mul", binary},
    EvaluationRule{"Neg", unary},         EvaluationRule{"NotEqual", binary},
    EvaluationRule{"Prod", reduce},       EvaluationRule{"RealDiv", binary},
    EvaluationRule{"Rsqrt", unary},       EvaluationRule{"Select", select},
    EvaluationRule{"SelectV2", select},   EvaluationRule{"Sqrt", unary},
    EvaluationRule{"Square", unary},      EvaluationRule{"Sub", binary},
    EvaluationRule{"Sum", reduce},        EvaluationRule{"TruncateDiv", binary},
};

}  // namespace

bool can_evaluate(std::string_view op) {
  return std::any_of(kElementwise.begin(), kElementwise.end(),
                     [&](const EvaluationRule& entry) { return entry.op == op; }) ||
         moves_elements(op);
}

std::optional<KnownTensor> evaluate(const Node& node, std::span<const KnownTensor* const> inputs,
                                    Arithmetic arithmetic, size_t most) {
  const Evaluation of{node, inputs, arithmetic, most};
  for (const EvaluationRule& entry : kElementwise) {
    if (entry.op == node.op) return entry.rule(of);
  }
  return evaluate_layout_op(of);
}

}  // namespace cryo
