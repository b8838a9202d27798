#include "graph/analysis/forward_roles.h"

#include <array>

#include "base/text.h"
#include "graph/roles.h"

namespace cryo {
namespace {

constexpr std::array<std::string_view, 14> kReshapes = {
    "Reshape",  "Shape",   "Size",       "Rank", "Slice",        "StridedSlice", "Pack",
    "ConcatV2", "Squeeze", "ExpandDims", "Cast", "StopGradient", "Range",        "ArgMax"};

// Between a prediction and a loss, and seldom a prediction themselves.
constexpr std::array<std::string_view, 11> kLossOps = {
    "Square", "SquaredDifference", "Mean", "Sum", "Sub", "Neg", "Log", "L2Loss", "Abs", "AddN",
    "Pow"};

// Ops between a tensor and its summary: zero_fraction, a mean, an image in bytes.
constexpr std::array<std::string_view, 24> kStatistics = {
    "Sub",     "Cast",    "RealDiv",      "Div",    "Mean",      "Sum",  "Max",      "Min",
    "Mul",     "Sqrt",    "Size",         "Square", "Identity",  "Abs",  "NotEqual", "AddN",
    "Maximum", "Minimum", "StridedSlice", "L2Loss", "LessEqual", "Prod", "AddV2",    "Add"};

bool is_shape_op(std::string_view op) {
  return op == "Shape" || op == "ShapeN" || op == "Size" || op == "Rank" || op == "VariableShape";
}

}  // namespace

uint32_t roles_of(std::string_view op) {
  uint32_t roles = 0;
  const auto add = [&](bool is, Role role) { roles |= is ? role : 0U; };
  const bool no_value = gives_no_value(op);
  add(is_variable(op), kVariable);
  add(op == "ReadVariableOp" || is_pass_through(op), kReads);
  add(is_shape_op(op), kShapeOp);
  add(is_one_of(op, kReshapes), kReshape);
  add(is_one_of(op, kLossOps), kLossOp);
  add(is_one_of(op, kLossOps) || op == "Equal" || op == "NotEqual" || op == "ArgMax" ||
          op.starts_with("InTopK") || op.starts_with("CTC") ||
          op.find("CrossEntropy") != std::string_view::npos,
      kJudge);
  add(is_side_effect(op) || no_value, kSideEffect);
  add(is_update(op), kUpdate);
  add(is_training_step(op), kStep);
  add(is_saver_op(op), kSaver);
  add(no_value || is_update(op) || op.starts_with("QueueEnqueue"), kTaker);
  add(is_placeholder(op), kPlaceholder);
  add(is_pipeline_read(op), kPipeline);
  add(is_layer(op), kLayer);
  add(is_one_of(op, kStatistics), kStatistic);
  add(is_switch(op) || is_merge(op), kSwitch);
  add(op.ends_with("NextIteration"), kNext);
  add(op == "Enter" || op == "RefEnter", kEnter);
  add(op == "Exit" || op == "RefExit", kExit);
  add(is_pipeline_read(op) || is_decoder(op), kData);
  add(is_shape_op(op) || op == "ZerosLike" || op == "OnesLike", kOfShape);
  add(op.find("Summary") != std::string_view::npos, kSummary);
  return roles;
}

}  // namespace cryo
