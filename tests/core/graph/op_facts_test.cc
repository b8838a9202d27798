#include "graph/op_facts.h"

#include <algorithm>

#include "checked.h"

namespace cryo {
namespace {

// "float32" of an output that is always of it, "T" of one that an attribute gives.
std::string type_of(const OpDef& op, const ArgDef& argument) {
  if (argument.type_attr == kNoAttr) return std::string(dtype_name(argument.type));
  return std::string(op.attrs[static_cast<size_t>(argument.type_attr)].name);
}

template <typename Check>
void for_each_named(OpFacts facts, Check check) {
  for (const OpRow& row : named_op_rows()) {
    if ((row.facts & facts) == 0) continue;
    SCOPED_TRACE(row.op);
    const OpDef* op = ops().find(row.op);
    ASSERT_NE(op, nullptr);
    check(*op);
  }
}

TEST(OpFacts, AreOfOpsThatThereAre) {
  const auto rows = named_op_rows();
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(),
                             [](const OpRow& a, const OpRow& b) { return a.op < b.op; }));
  for (const OpRow& row : rows) EXPECT_TRUE(ops().is_registered(row.op)) << row.op;
  const auto names = ops().names();
  for (const OpRow& row : op_pattern_rows()) {
    EXPECT_TRUE(std::any_of(names.begin(), names.end(), [&](std::string_view name) {
      return fits_op_pattern(name, row.op);
    })) << row.op;
  }
}

TEST(OpFacts, OfOpsThatHandOnAgreeWithTheirTypes) {
  for_each_named(kPassesOn | kHandsOn | kReshapes | kRearranges, [](const OpDef& op) {
    ASSERT_FALSE(op.inputs.empty() || op.outputs.empty());
    EXPECT_EQ(type_of(op, op.outputs[0]), type_of(op, op.inputs[0]));
    EXPECT_FALSE(op.is_stateful);
  });
}

TEST(OpFacts, OfTestsAreOfOneTruthValue) {
  for_each_named(kTests, [](const OpDef& op) {
    EXPECT_EQ(op.outputs.size(), 1U);
    EXPECT_EQ(type_of(op, op.outputs[0]), "bool");
  });
}

TEST(OpFacts, OfElementwiseOpsAgreeWithTheirDefinitions) {
  for_each_named(kElementwise, [](const OpDef& op) {
    EXPECT_EQ(op.outputs.size(), 1U);
    EXPECT_EQ(type_of(op, op.outputs[0]), type_of(op, op.inputs.back()));
    EXPECT_FALSE(op.is_stateful);
  });
}

// An update takes the variable first, as a reference or a handle.
TEST(OpFacts, OfUpdatesAgreeWithWhatTheyTake) {
  for (const std::string_view name : ops().names()) {
    if (!has_fact(name, kUpdates) || has_fact(name, kPlaceholderOp)) continue;
    const OpDef& op = *ops().find(name);
    ASSERT_FALSE(op.inputs.empty()) << name;
    EXPECT_TRUE(op.inputs[0].is_ref || op.inputs[0].type == DType::kResource) << name;
    EXPECT_TRUE(has_fact(name, kStep) == false || op.inputs.size() > 2) << name;
  }
}

TEST(OpFacts, OfPatternsFitAnyVersionAtTheEnd) {
  EXPECT_TRUE(fits_op_pattern("BatchDatasetV2", "*Dataset"));
  EXPECT_FALSE(fits_op_pattern("DatasetToGraphV2", "*Dataset"));
  EXPECT_TRUE(fits_op_pattern("_FusedConv2D", "*Conv2D*"));
  EXPECT_TRUE(has_fact("ResourceApplyAdam", kStep));
  EXPECT_FALSE(has_fact("AssignSub", kStep));
  EXPECT_EQ(facts_of("NoSuchOp"), OpFacts{0});
}

}  // namespace
}  // namespace cryo
