#include "model/saver.h"

#include <gtest/gtest.h>

#include "graphs.h"
#include "model/string_tensor.h"

namespace cryo {
namespace {

struct Saved {
  Graph graph;
  tensorflow::SaverDef saver;
};

using Version = tensorflow::SaverDef::CheckpointFormatVersion;

Saved with_saver(const std::vector<std::string>& nodes, std::vector<SavedVariable> variables,
                 Version version = tensorflow::SaverDef::V2) {
  const Graph base = graph_of(nodes);
  const NodeNames names(base.nodes());
  GraphBuilder builder(base);
  Saved saved;
  saved.saver = add_saver(std::move(variables), version, names, builder);
  saved.graph = builder.finish();
  return saved;
}

Lines strings_of(const Graph& graph, std::string_view name) {
  return *read_strings(*tensor_attr(find(graph, name), "value"), Payloads());
}

const std::vector<SavedVariable> kVariables = {
    {"w", "w", false, DType::kFloat, "z/w", ""},
    {"v", "v/Read/ReadVariableOp", true, DType::kInt32, "a/v", "4 0,2"},
};

TEST(Saver, HasTheNodesOfTensorFlows) {
  const Saved saved = with_saver({}, kVariables);
  EXPECT_EQ(described(saved.graph),
            (Lines{
                "save/filename/input = Const()",
                "save/filename = PlaceholderWithDefault(save/filename/input)",
                "save/Const = PlaceholderWithDefault(save/filename)",
                "save/SaveV2/tensor_names = Const()",
                "save/SaveV2/shape_and_slices = Const()",
                "save/SaveV2 = SaveV2(save/Const, save/SaveV2/tensor_names, "
                "save/SaveV2/shape_and_slices, "
                "v/Read/ReadVariableOp, w)",
                "save/control_dependency = Identity(save/Const, ^save/SaveV2)",
                "save/RestoreV2/tensor_names = Const()",
                "save/RestoreV2/shape_and_slices = Const()",
                "save/RestoreV2 = RestoreV2(save/Const, save/RestoreV2/tensor_names, "
                "save/RestoreV2/shape_and_slices)",
                "save/Identity = Identity(save/RestoreV2)",
                "save/AssignVariableOp = AssignVariableOp(v, save/Identity)",
                "save/Assign_1 = Assign(w, save/RestoreV2:1)",
                "save/restore_all = NoOp(^save/AssignVariableOp, ^save/Assign_1)",
            }));
}

TEST(Saver, OfTheFirstVersionSavesSlices) {
  const Saved saved = with_saver({}, kVariables, tensorflow::SaverDef::V1);
  EXPECT_EQ(saved.saver.version(), tensorflow::SaverDef::V1);
  EXPECT_EQ(described(find(saved.graph, "save/save")),
            "save/save = SaveSlices(save/Const, save/save/tensor_names, "
            "save/save/shapes_and_slices, v/Read/ReadVariableOp, w)");
  EXPECT_EQ(described(find(saved.graph, "save/control_dependency")),
            "save/control_dependency = Identity(save/Const, ^save/save)");
  EXPECT_EQ(described(find(saved.graph, "save/RestoreV2")),
            described(find(with_saver({}, kVariables).graph, "save/RestoreV2")));
}

TEST(Saver, IsNamedByItsSaverDef) {
  const tensorflow::SaverDef saver = with_saver({}, kVariables).saver;
  EXPECT_EQ(saver.filename_tensor_name(), "save/Const:0");
  EXPECT_EQ(saver.save_tensor_name(), "save/control_dependency:0");
  EXPECT_EQ(saver.restore_op_name(), "save/restore_all");
  EXPECT_EQ(saver.version(), tensorflow::SaverDef::V2);
}

TEST(Saver, SavesVariablesInTheOrderOfTheirKeys) {
  const Saved saved = with_saver({}, kVariables);
  for (const char* op : {"save/SaveV2", "save/RestoreV2"}) {
    EXPECT_EQ(strings_of(saved.graph, cat(op, "/tensor_names")), (Lines{"a/v", "z/w"}));
    EXPECT_EQ(strings_of(saved.graph, cat(op, "/shape_and_slices")), (Lines{"4 0,2", ""}));
    tensorflow::AttrValue dtypes;
    ASSERT_TRUE(dtypes.ParseFromString(std::string(*find_attr(find(saved.graph, op), "dtypes"))));
    EXPECT_EQ(dtypes.list().type(0), tensorflow::DT_INT32);
    EXPECT_EQ(dtypes.list().type(1), tensorflow::DT_FLOAT);
  }
}

TEST(Saver, SavesOnceWhatTwoVariablesShareAndRestoresBoth) {
  const Saved saved = with_saver({}, {{"copy", "copy", false, DType::kFloat, "w", ""},
                                      {"a", "a", false, DType::kFloat, "w", ""},
                                      {"b", "b", false, DType::kFloat, "w", "4 0,2"}});
  EXPECT_EQ(strings_of(saved.graph, "save/SaveV2/tensor_names"), (Lines{"w", "w"}));
  EXPECT_EQ(strings_of(saved.graph, "save/RestoreV2/tensor_names"), (Lines{"w", "w", "w"}));
  EXPECT_NE(described(find(saved.graph, "save/SaveV2")).find(", a, b)"), std::string::npos);
}

TEST(Saver, LetsAVariableOfNoShapeTakeAnyValue) {
  const Saved saved = with_saver({}, {{"any", "any", false, DType::kFloat, "any", "", false},
                                      {"w", "w", false, DType::kFloat, "w", ""}});
  EXPECT_EQ(bool_attr(find(saved.graph, "save/Assign"), "validate_shape"), false);
  EXPECT_EQ(bool_attr(find(saved.graph, "save/Assign_1"), "validate_shape"), true);
}

TEST(Saver, TakesAScopeWhereThereIsRoom) {
  for (const char* taken : {"save", "save/Const", "save/restore_all", "save/SaveV2"}) {
    const Saved saved =
        with_saver({node(taken, "NoOp"), node("save_1/Assign", "NoOp")}, kVariables);
    EXPECT_EQ(saved.saver.restore_op_name(), "save_2/restore_all") << taken;
  }
  EXPECT_EQ(with_saver({node("save/other", "NoOp")}, kVariables).saver.restore_op_name(),
            "save/restore_all");
}

}  // namespace
}  // namespace cryo
