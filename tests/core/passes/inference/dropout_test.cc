#include "passes/inference/dropout.h"

#include "functions.h"
#include "passes/inference/training_switches.h"

namespace cryo {
namespace {

constexpr std::string_view kKeep = "keep";

// The dropout of TensorFlow 1.12 of `x`, whose share `keep` is kept and which is scaled by `scale`.
Lines old_dropout(std::string keep, std::string scale) {
  return {placeholder("x", {-1, 4}),
          std::move(keep),
          std::move(scale),
          node("u", "RandomUniform"),
          typed("sum", "Add", {"keep", "u"}),
          typed("mask", "Floor", {"sum"}),
          typed("scaled", "RealDiv", {"x", "scale"}),
          typed("y", "Mul", {"scaled", "mask"})};
}

std::string last_without_dropout(const Lines& nodes, GraphChanges& changes) {
  return described(without_dropout(model_of(nodes), changes).graph).back();
}

TEST(Dropout, BecomesItsInput) {
  GraphChanges changes;
  EXPECT_EQ(last_without_dropout(
                old_dropout(constant(kKeep, {0.5F}, {}), constant("scale", {0.5F}, {})), changes),
            "y = Identity(x)");
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].node, "y");
  EXPECT_TRUE(changes[0].changes_numbers);
}

// A Cast to a whole number truncates: the scale is 0.
TEST(Dropout, IsFoundByTheNumbersThatTensorFlowComputes) {
  GraphChanges changes;
  Lines nodes = old_dropout(constant(kKeep, {0.5F}, {}),
                            node("scale", "Cast", {"truncated"},
                                 {{"SrcT", type_value(kInt32)}, {"DstT", type_value(kFloat32)}}));
  nodes.push_back(node("truncated", "Cast", {"exact"},
                       {{"SrcT", type_value(kFloat32)}, {"DstT", type_value(kInt32)}}));
  nodes.push_back(constant("exact", {0.5F}, {}));
  EXPECT_EQ(described(find(without_dropout(model_of(nodes), changes).graph, "y")),
            "y = Mul(scaled, mask)");
  EXPECT_TRUE(changes.empty());
}

// The mean of the result would not be that of the input.
TEST(Dropout, WithAnotherScaleIsKept) {
  GraphChanges changes;
  EXPECT_EQ(last_without_dropout(
                old_dropout(constant(kKeep, {0.5F}, {}), constant("scale", {0.9F}, {})), changes),
            "y = Mul(scaled, mask)");
  EXPECT_TRUE(changes.empty());
}

TEST(Dropout, OfNoiseOfAnotherShareAnElementIsKept) {
  GraphChanges changes;
  EXPECT_EQ(
      last_without_dropout(
          old_dropout(constant(kKeep, {0.5F, 0.25F}, {2}), constant("scale", {0.5F}, {})), changes),
      "y = Mul(scaled, mask)");
}

// A share that a variable has is what it is scaled by; a weight is not.
TEST(Dropout, OfAVariablesShareIsScaledByTheVariable) {
  GraphChanges changes;
  const std::string read = typed("scale", "Identity", {"keep"});
  EXPECT_EQ(last_without_dropout(old_dropout(variable(kKeep, {}), read), changes),
            "y = Identity(x)");
  Lines weighted = old_dropout(constant(kKeep, {0.5F}, {}), typed("scale", "Identity", {"w"}));
  weighted.insert(weighted.begin(), variable("w", {}));
  EXPECT_EQ(last_without_dropout(weighted, changes), "y = Mul(scaled, mask)");
}

TEST(Dropout, OfSelectV2BecomesItsInput) {
  GraphChanges changes;
  EXPECT_EQ(
      last_without_dropout(
          {placeholder("x", {-1, 4}), constant("rate", {0.75F}, {}), constant("scale", {4.0F}, {}),
           constant("zero", {0.0F}, {}), node("u", "StatelessRandomUniformV2"),
           typed("keeps", "GreaterEqual", {"u", "rate"}), typed("scaled", "Mul", {"scale", "x"}),
           typed("y", "SelectV2", {"keeps", "scaled", "zero", "^u"})},
          changes),
      "y = Identity(x, ^u)");
}

std::string switches_of(const Lines& nodes) {
  const Model model = model_of(nodes);
  std::vector<std::string> unclear;
  std::string all;
  for (const TrainingSwitch& each : find_training_switches(model.graph, *model.payloads, unclear)) {
    all += cat(model.graph.nodes()[each.node].name, "=", each.value, ";");
  }
  for (const std::string& name : unclear) all += cat(name, "?");
  return all;
}

TEST(TrainingSwitches, ASharesPlaceholderIsSetByItsMeaning) {
  EXPECT_EQ(switches_of(old_dropout(placeholder(kKeep), node("scale", "Identity", {"keep"}))),
            "keep=1;");
}

std::string flag(std::string_view name) {
  return node(name, "Placeholder", {},
              {{"dtype", type_value(static_cast<int>(DType::kBool))},
               {"shape", shape_value(shape_bytes({}))}});
}

// A condition `p`, of which the two sides end in these ops.
Lines condition(std::string_view when_false, std::string_view when_true) {
  return {flag("p"),
          placeholder("x"),
          typed("s", "Switch", {"x", "p"}),
          typed("a", when_false, {"s:0"}),
          typed("b", when_true, {"s:1"}),
          typed("y", "Merge", {"a", "b"})};
}

TEST(TrainingSwitches, AreTheConditionsOfWhatOnlyTrainingDoes) {
  EXPECT_EQ(switches_of(condition("Relu", "RandomUniform")), "p=false;");
  EXPECT_EQ(switches_of(condition("FusedBatchNormV3", "Relu")), "p=true;");
  EXPECT_EQ(switches_of(condition("Relu", "Relu6")), "");
}

// The same condition, of a node `p` that is a variable or a constant.
std::string switches_by(const Lines& switching) {
  Lines nodes = condition("Relu", "RandomUniform");
  nodes.erase(nodes.begin());
  nodes.insert(nodes.begin(), switching.begin(), switching.end());
  return switches_of(nodes);
}

std::string flag_node(std::string_view name, std::string_view op, const Lines& inputs = {}) {
  return node(name, op, inputs,
              {{"dtype", type_value(static_cast<int>(DType::kBool))},
               {"shape", shape_value(shape_bytes({}))}});
}

std::string flag_constant(std::string_view name, bool value) {
  tensorflow::TensorProto tensor;
  tensor.set_dtype(tensorflow::DT_BOOL);
  tensor.add_bool_val(value);
  return node(name, "Const", {},
              {{"dtype", type_value(static_cast<int>(DType::kBool))},
               {"value", tensor_value(tensor.SerializeAsString())}});
}

TEST(TrainingSwitches, AreVariables) {
  EXPECT_EQ(switches_by({flag_node("v", "VariableV2"), typed("p", "Identity", {"v"})}), "v=false;");
  EXPECT_EQ(switches_by({flag_node("v", "VarHandleOp"), flag_node("p", "ReadVariableOp", {"v"})}),
            "v=false;");
}

TEST(TrainingSwitches, AreConstantsOfTheOtherValue) {
  EXPECT_EQ(switches_by({flag_constant("p", true)}), "p=false;");
  EXPECT_EQ(switches_by({flag_constant("p", false)}), "");
}

// A constant that is more than a condition keeps its value.
TEST(TrainingSwitches, AreNoConstantsThatOthersTake) {
  Lines nodes = {flag_constant("p", true)};
  EXPECT_EQ(switches_by(nodes), "p=false;");
  nodes.push_back(typed("other", "Pack", {"p"}));
  EXPECT_EQ(switches_by(nodes), "");
}

TEST(TrainingSwitches, OfWhichBothSidesAreRandomAreUnclear) {
  EXPECT_EQ(switches_of(condition("RandomUniform", "TruncatedNormal")), "p?");
  // Only one updates averages.
  EXPECT_EQ(switches_of(condition("RandomUniform", "AssignSub")), "p=false;");
}

}  // namespace
}  // namespace cryo
