#include "picture/groups/op_family.h"

#include <array>
#include <utility>

#include "graph/functions/function_callers.h"
#include "graph/roles.h"

namespace cryo {
namespace {

struct FamilyRow {
  std::string_view part;  // of the op's name
  std::string_view family;
};

// The first row that fits counts.
constexpr std::array kRows = std::to_array<FamilyRow>({
    {"BatchNorm", "norm"},
    {"LRN", "norm"},
    {"LayerNorm", "norm"},
    {"InstanceNorm", "norm"},
    {"Conv", "layer"},
    {"MatMul", "layer"},
    {"Einsum", "layer"},
    {"BiasAdd", "layer"},
    {"LSTM", "layer"},
    {"GRU", "layer"},
    {"RNN", "layer"},
    {"Relu", "activation"},
    {"Softmax", "activation"},
    {"Sigmoid", "activation"},
    {"Tanh", "activation"},
    {"Elu", "activation"},
    {"Selu", "activation"},
    {"Softplus", "activation"},
    {"Softsign", "activation"},
    {"Swish", "activation"},
    {"Gelu", "activation"},
    {"Erf", "activation"},
    {"Pool", "pool"},
    {"Resize", "pool"},
    {"SpaceTo", "pool"},
    {"ToSpace", "pool"},
    {"Dataset", "data"},
    {"Iterator", "data"},
    {"Queue", "data"},
    {"Placeholder", "data"},
    {"Decode", "data"},
    {"Parse", "data"},
    {"Variable", "data"},
    {"VarHandle", "data"},
    {"Const", "data"},
    {"Table", "data"},
    {"TensorArray", "data"},
    {"TensorList", "data"},
    {"Reshape", "shape"},
    {"Shape", "shape"},
    {"Concat", "shape"},
    {"Pack", "shape"},
    {"Slice", "shape"},
    {"Squeeze", "shape"},
    {"ExpandDims", "shape"},
    {"Transpose", "shape"},
    {"Pad", "shape"},
    {"Split", "shape"},
    {"Tile", "shape"},
    {"Gather", "shape"},
    {"Fill", "shape"},
    {"Cast", "shape"},
    {"Reverse", "shape"},
    {"Range", "shape"},
    {"Rank", "shape"},
    {"Size", "shape"},
    {"OneHot", "shape"},
    {"Scatter", "shape"},
    {"ZerosLike", "shape"},
    {"OnesLike", "shape"},
    {"Bitcast", "shape"},
    {"Where", "shape"},
    {"NoOp", "control"},
    {"Assert", "control"},
    {"Identity", "control"},
    {"LoopCond", "control"},
    {"Add", "math"},
    {"Sub", "math"},
    {"Mul", "math"},
    {"Div", "math"},
    {"Sum", "math"},
    {"Mean", "math"},
    {"Max", "math"},
    {"Min", "math"},
    {"Sqrt", "math"},
    {"Square", "math"},
    {"Exp", "math"},
    {"Log", "math"},
    {"Pow", "math"},
    {"Neg", "math"},
    {"Abs", "math"},
    {"Equal", "math"},
    {"Less", "math"},
    {"Greater", "math"},
    {"Logical", "math"},
    {"Prod", "math"},
    {"TopK", "math"},
    {"Arg", "math"},
    {"Select", "math"},
    {"Floor", "math"},
    {"Round", "math"},
    {"Random", "math"},
    {"Reciprocal", "math"},
    {"Norm", "norm"},
});

}  // namespace

std::string_view op_family(std::string_view op) {
  if (op == "_Arg") return "data";
  if (is_switch(op) || is_merge(op) || is_branch(op) || is_while(op) || is_call(op) ||
      op.ends_with("Enter") || op.ends_with("Exit") || op.ends_with("NextIteration"))
    return "control";
  for (const FamilyRow& row : kRows) {
    if (op.find(row.part) != std::string_view::npos) return row.family;
  }
  return "other";
}

}  // namespace cryo
