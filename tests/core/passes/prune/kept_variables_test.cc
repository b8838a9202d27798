#include "passes/prune/kept_variables.h"

#include <gtest/gtest.h>

#include "functions.h"
#include "model/variable_initializers.h"
#include "only_model.h"
#include "verbs/freeze.h"
#include "verbs/prune.h"

namespace cryo {
namespace {

std::string assign(std::string_view name, const std::string& variable, const std::string& value) {
  return node(name, "Assign", {variable, value}, {{"T", type_value(1)}});
}

// w and b, each with its initializer and read; b's initial value is w's.
const std::vector<std::string> kNodes = {
    variable("w", {2}),
    typed("w/read", "Identity", {"w"}),
    node("w/init", "Const"),
    assign("w/Assign", "w", "w/init"),
    variable("b", {2}),
    typed("b/read", "Identity", {"b"}),
    typed("b/init", "Neg", {"w/read"}),
    assign("b/Assign", "b", "b/init"),
    variable("slot", {2}),
    assign("slot/Assign", "slot", "w/init"),
    node("init", "NoOp", {"^w/Assign", "^b/Assign", "^slot/Assign"}),
    node("y", "Op", {"w/read", "b"}),
};

Model model_with_collections(const std::vector<std::string>& nodes = kNodes) {
  Model model = model_of(nodes, checkpoint_of({{"b", {3, 4}}, {"slot", {5, 6}}, {"w", {1, 2}}}));
  tensorflow::MetaGraphDef meta;
  for (const char* key : {"trainable_variables", "variables"}) {
    auto& entry = *meta.add_collection_def();
    entry.set_key(key);
    for (const char* name : {"w", "b", "slot"}) {
      tensorflow::VariableDef def;
      def.set_variable_name(cat(name, ":0"));
      def.set_initializer_name(cat(name, "/Assign"));
      def.set_initial_value_name(cat(name, "/init:0"));
      def.set_snapshot_name(cat(name, "/read:0"));
      entry.mutable_value()->mutable_bytes_list()->add_value(def.SerializeAsString());
    }
  }
  meta.mutable_saver_def()->set_restore_op_name("save/restore_all");
  set_meta(model, meta);
  return model;
}

struct Partly {
  Partly(const Model& model, const Lines& variables, const Lines& keep) {
    FreezeOptions options;
    options.selection.outputs = {"y"};
    for (const auto& each : variables) options.variables.variables.push_back(each);
    for (const auto& each : keep) options.variables.keep_variables.push_back(each);
    result = only_model(freeze(model, options, {}, diagnostics));
  }
  Lines lines() const { return result ? described(result->graph) : Lines{failure_of(result)}; }
  Lines names(std::string_view collection) const {
    Lines names;
    for (const auto& def : variable_defs(parse_meta(*result), collection)) {
      names.push_back(def.variable_name());
    }
    return names;
  }

  Diagnostics diagnostics = {};
  Result<Model> result = failure("", "");
};

TEST(KeptVariables, KeepTheirInitialisersReadsAndCollections) {
  const Partly partly(model_with_collections(), {}, {"b"});
  EXPECT_EQ(partly.lines(),
            (Lines{"w = Const()", "w/read = Identity(w)", "b = VariableV2()",
                   "b/read = Identity(b)", "b/init = Neg(w/read)", "b/Assign = Assign(b, b/init)",
                   "init = NoOp(^b/Assign)", "y = Op(w/read, b)"}));
  EXPECT_EQ(partly.names("variables"), (Lines{"b:0"}));
  EXPECT_EQ(partly.names("trainable_variables"), (Lines{"b:0"}));
  EXPECT_FALSE(parse_meta(*partly.result).has_saver_def());
  ASSERT_NE(partly.result->checkpoint, nullptr);
  EXPECT_EQ(floats(*partly.result, "w"), (std::vector<float>{1, 2}));
}

TEST(KeptVariables, AreAllThatAGlobDoesNotChoose) {
  EXPECT_EQ(described(find(Partly(model_with_collections(), {"b"}, {}).result->graph, "w")),
            "w = VariableV2()");
  EXPECT_EQ(described(find(Partly(model_with_collections(), {"**"}, {"b"}).result->graph, "b")),
            "b = VariableV2()");
  const Partly none(model_with_collections(), {"**"}, {});
  EXPECT_EQ(none.result->checkpoint, nullptr);
  EXPECT_EQ(parse_meta(*none.result).collection_def_size(), 0);
}

TEST(KeptVariables, OfWhichOneNeedsAnotherBothHaveInitialisers) {
  const Partly partly(model_with_collections(), {}, {"*"});
  EXPECT_EQ(partly.names("variables"), (Lines{"w:0", "b:0"}));
  EXPECT_EQ(described(find(partly.result->graph, "init")), "init = NoOp(^w/Assign, ^b/Assign)");
}

TEST(KeptVariables, NeededForAnInitialValueAloneAreLoadableToo) {
  std::vector<std::string> nodes = kNodes;
  nodes.back() = node("y", "Op", {"b"});
  const Partly partly(model_with_collections(nodes), {}, {"*"});
  EXPECT_EQ(partly.names("variables"), (Lines{"w:0", "b:0"}));
  EXPECT_EQ(described(find(partly.result->graph, "w/Assign")), "w/Assign = Assign(w, w/init)");
}

TEST(KeptVariables, FrozenOneAfterTheOtherAreWhatIsFrozenAtOnce) {
  const Partly first(model_with_collections(), {"w"}, {});
  const Partly then(*first.result, {}, {});
  const Partly at_once(model_with_collections(), {}, {});
  EXPECT_EQ(then.lines(), at_once.lines());
  EXPECT_EQ(floats(*then.result, "b"), floats(*at_once.result, "b"));
}

TEST(KeptVariables, RefuseAGlobThatMatchesNothing) {
  EXPECT_EQ(failure_of(Partly(model_with_collections(), {"w", "x/*"}, {}).result),
            "glob-unused: no variable is named by --variables 'x/*'");
  EXPECT_EQ(failure_of(Partly(model_with_collections(), {}, {"nope"}).result),
            "glob-unused: no variable is named by --keep-variables 'nope'");
}

// A Merge may hand on either; so may the handle's.
TEST(KeptVariables, AreRefusedWhereAMergeMayHandOnAFrozenOneInstead) {
  const auto model = [](std::string_view variable_op, std::string_view merge_op) {
    return model_of({variable("w", {2}, variable_op), variable("b", {2}, variable_op),
                     node("m", merge_op, {"w", "b"}), typed("y", "Op", {"m"})},
                    checkpoint_of({{"b", {3, 4}}, {"w", {1, 2}}}));
  };
  EXPECT_EQ(
      failure_of(Partly(model("VariableV2", "RefMerge"), {"b"}, {}).result),
      "variable-in-use: the variable 'b' cannot become a constant: RefMerge 'm' may hand on a "
      "variable instead that stays one, and an output needs that: m -> y");
  Model handles = model_of({variable("w", {2}, "VarHandleOp"), variable("b", {2}, "VarHandleOp"),
                            node("m", "Merge", {"w", "b"}), read_of("y", "m")},
                           checkpoint_of({{"b", {3, 4}}, {"w", {1, 2}}}));
  EXPECT_EQ(Partly(handles, {"b"}, {}).result.error().code, "variable-in-use");
  EXPECT_TRUE(Partly(handles, {}, {}).result.ok());
}

TEST(KeptVariables, PruningKeepsWhatInitializesThem) {
  PruneOptions options;
  options.selection.outputs = {"y"};
  Diagnostics diagnostics;
  const Result<Model> pruned =
      only_model(prune(model_with_collections(), options, nullptr, diagnostics));
  ASSERT_TRUE(pruned);
  EXPECT_EQ(described(pruned->graph),
            (Lines{"w = VariableV2()", "w/read = Identity(w)", "w/init = Const()",
                   "w/Assign = Assign(w, w/init)", "b = VariableV2()", "b/read = Identity(b)",
                   "b/init = Neg(w/read)", "b/Assign = Assign(b, b/init)",
                   "init = NoOp(^w/Assign, ^b/Assign)", "y = Op(w/read, b)"}));
  EXPECT_EQ(variable_defs(parse_meta(*pruned), "variables").size(), 2U);
  ASSERT_EQ(codes(diagnostics), Lines{"collection-dropped"});
  EXPECT_NE(diagnostics.all()[0].message.find("trainable_variables (1 of 3)"), std::string::npos);
  EXPECT_EQ(
      described(without_variable_initializers(*pruned).graph),
      (Lines{"w = VariableV2()", "w/read = Identity(w)", "b = VariableV2()", "y = Op(w/read, b)"}));
}

}  // namespace
}  // namespace cryo
