#include "checked.h"

namespace cryo {
namespace {

using Functions = std::vector<tensorflow::FunctionDef>;

Parts calling(Functions functions, const std::string& node = call("call", "F")) {
  return {{placeholder("x"), node}, std::move(functions)};
}

// F, with its one node changed.
template <typename Change>
tensorflow::FunctionDef changed(Change change) {
  tensorflow::FunctionDef f = function("F");
  change(f);
  return f;
}

void set_input(tensorflow::FunctionDef& f, const std::string& input) {
  f.mutable_node_def(0)->set_input(0, input);
}
void set_attr(tensorflow::FunctionDef& f, const std::string& key, const std::string& value) {
  auto* attr = f.mutable_node_def(0)->add_attr();
  attr->set_key(key);
  attr->mutable_value()->ParseFromString(value);
}

TEST(CheckFunctions, ACallOfAGoodFunctionIsSound) {
  EXPECT_EQ(found(calling({function("F")})), "");
  EXPECT_EQ(found(calling({function("F")}, node("c", "F", {"x"}))), "") << "by its own name";
}

TEST(CheckFunctions, AFunctionDefinedTwiceMustBeTheSame) {
  EXPECT_EQ(found(calling({function("F"), function("F")})), "");
  EXPECT_EQ(found(calling({function("F"), function("F", "Abs")})), "error duplicate-function");
  const auto internal = changed([](auto& f) { set_attr(f, "_x", int_value(1)); });
  EXPECT_EQ(found(calling({function("F"), internal})), "")
      << "attributes that begin with _ do not count";
  const auto doubled = changed([](auto& f) { *f.add_node_def() = f.node_def(0); });
  EXPECT_EQ(found(Parts{{}, {doubled, doubled}}).substr(0, 24), "error duplicate-function");
}

TEST(CheckFunctions, AFunctionIsNotNamedAsAnOp) {
  EXPECT_EQ(found(Parts{{}, {function("MatMul")}}), "error function-named-as-op");
  EXPECT_EQ(found(Parts{{}, {function("a b")}}), "");
}

TEST(CheckFunctions, TextIsUtf8WhetherCalledOrNot) {
  Parts parts{{}, {function("F")}};
  const std::string good = parts.functions[0].SerializeAsString();
  Parts bad;
  put_bytes_field(bad.library, 1, good + std::string("\x1A\x03\x0A\x01\xC3", 5));
  EXPECT_EQ(found(bad).substr(0, 14), "error not-utf8");
}

TEST(CheckFunctions, AFunctionHasOneGradient) {
  const auto gradients = [](const std::string& first, const std::string& second) {
    Parts parts{{}, {function("F"), function("G")}};
    for (const std::string& each : {first, second}) {
      std::string gradient;
      put_bytes_field(gradient, 1, "F");
      put_bytes_field(gradient, 2, each);
      put_bytes_field(parts.library, 2, gradient);
    }
    return parts;
  };
  EXPECT_EQ(found(gradients("F", "F")), "");
  EXPECT_EQ(found(gradients("A", "A")), "error missing-gradient");
  EXPECT_EQ(found(gradients("F", "G")).substr(0, 24), "error duplicate-gradient");
}

TEST(CheckFunctions, FaultsInABodyThatImportLooksIntoAreErrors) {
  EXPECT_EQ(found(calling({function("F", "NoSuchOp")})), "error unknown-op");
  EXPECT_EQ(found(calling({function("F", "NoSuchOp")}, node("c", "F", {"x"}))), "error unknown-op");
  EXPECT_EQ(found(calling({changed([](auto& f) { set_input(f, "zz"); })})),
            "error unknown-input-node");
}

TEST(CheckFunctions, ThroughAnyDepth) {
  tensorflow::FunctionDef outer = function("G", "F", "r");
  outer.mutable_node_def(0)->clear_attr();
  EXPECT_EQ(found(calling({outer, function("F")}, call("c", "G"))), "");
  EXPECT_EQ(found(calling({outer, function("F", "NoSuchOp")}, call("c", "G"))), "error unknown-op");
}

TEST(CheckFunctions, ElsewhereTheyAreWarnings) {
  EXPECT_EQ(found(Parts{{}, {function("F", "NoSuchOp")}}), "warning unknown-op")
      << "nothing calls it";
  const std::string branch = node("if", "If", {"p", "x"},
                                  {{"Tcond", type_value(1)},
                                   {"Tin", type_list_value({1})},
                                   {"Tout", type_list_value({1})},
                                   {"then_branch", func_value("F")},
                                   {"else_branch", func_value("F")}});
  EXPECT_EQ(found(Parts{{placeholder("x"), placeholder("p"), branch}, {function("F", "NoSuchOp")}}),
            "warning unknown-op");
  const std::string silenced =
      node("c", "F", {"x"}, {{"_disable_call_shape_inference", bool_value(true)}});
  EXPECT_EQ(found(calling({function("F", "NoSuchOp")}, silenced)), "warning unknown-op");
}

TEST(CheckFunctions, FunctionsThatAreCalledAreThere) {
  EXPECT_EQ(found(calling({})), "warning missing-function");
  EXPECT_TRUE(verdict_of(graph_of(calling({}))).valid()) << "import does not look for them";
}

TEST(CheckFunctions, NoFunctionCallsItself) {
  const auto calls = [](const std::string& name, const std::string& callee) {
    tensorflow::FunctionDef f = function(name, callee, "r");
    f.mutable_node_def(0)->clear_attr();
    return f;
  };
  EXPECT_EQ(found(calling({calls("F", "F")})), "error function-recursion");
  EXPECT_EQ(found(calling({calls("F", "G"), calls("G", "H"), calls("H", "G")})),
            "error function-recursion");
  EXPECT_EQ(found(Parts{{}, {calls("F", "F")}}), "") << "nothing calls it";
}

TEST(CheckFunctions, BodyInputsNameArgumentsOrOutputs) {
  for (const char* good : {"a", "a:0"})
    EXPECT_EQ(found(calling({changed([&](auto& f) { set_input(f, good); })})), "") << good;
  for (const char* bad : {"a:1", "a:00", "n:y", "i", "^a", ""}) {
    EXPECT_NE(found(calling({changed([&](auto& f) { set_input(f, bad); })})), "") << bad;
  }
  EXPECT_EQ(found(calling({changed([](auto& f) { f.mutable_node_def(0)->add_input("a"); })})),
            "error input-count");
  EXPECT_EQ(found(calling({changed([](auto& f) { f.mutable_node_def(0)->clear_input(); })})),
            "error input-count");
  EXPECT_EQ(found(calling({changed([](auto& f) { f.mutable_node_def(0)->add_input("^a"); })})), "");
  EXPECT_EQ(found(calling({changed([](auto& f) { f.mutable_node_def(0)->add_input("^zz"); })})),
            "error unknown-input-node");
}

TEST(CheckFunctions, BodyTypesFit) {
  const auto wrong = changed([](auto& f) {
    f.mutable_node_def(0)->mutable_attr(0)->mutable_value()->set_type(tensorflow::DT_DOUBLE);
  });
  EXPECT_EQ(found(calling({wrong})), "error input-type, error function-return");
  const auto assigned = changed([](auto& f) {
    f.add_node_def()->ParseFromString(node("as", "Assign", {"a", "a"}, kFloats));
  });
  EXPECT_EQ(found(calling({assigned})), "error input-type");
}

TEST(CheckFunctions, ReturnsAreThereAndOfTheirType) {
  EXPECT_EQ(found(calling({changed([](auto& f) { f.clear_ret(); })})), "error function-return");
  EXPECT_EQ(found(calling({changed([](auto& f) { f.mutable_ret(0)->set_value("zz:output:0"); })})),
            "error function-return");
  const auto integer = changed([](auto& f) {
    f.mutable_signature()->mutable_output_arg(0)->set_type(tensorflow::DT_INT32);
  });
  EXPECT_EQ(found(calling({integer})), "error function-return");
}

TEST(CheckFunctions, BodyNamesAreUniqueAlsoAmongArgumentsAndReturns) {
  for (const char* taken : {"n", "a", "r_RetVal"}) {
    const auto twice =
        changed([&](auto& f) { f.add_node_def()->ParseFromString(node(taken, "NoOp")); });
    EXPECT_EQ(found(calling({twice})), "error duplicate-node-name") << taken;
  }
  const auto internal =
      changed([](auto& f) { f.add_node_def()->ParseFromString(node("_q", "NoOp")); });
  EXPECT_EQ(found(calling({internal})), "");
  const auto illegal =
      changed([](auto& f) { f.add_node_def()->ParseFromString(node("q q", "NoOp")); });
  EXPECT_EQ(found(calling({illegal})), "error bad-node-name");
  const auto nameless = changed([](auto& f) {
    f.mutable_signature()->mutable_input_arg(0)->set_name("b c");
    set_input(f, "b c");
  });
  EXPECT_EQ(found(calling({nameless})), "error bad-node-name")
      << "an argument is a node of its name";
}

TEST(CheckFunctions, BodyAttributesAreThere) {
  EXPECT_EQ(
      found(calling({changed([](auto& f) { f.mutable_node_def(0)->clear_attr(); })})).substr(0, 18),
      "error attr-missing");
  const auto constant = changed([](auto& f) {
    f.add_node_def()->ParseFromString(node("c", "Const", {}, {{"dtype", type_value(1)}}));
  });
  EXPECT_EQ(found(calling({constant})), "error attr-missing");
  const auto strings = changed([](auto& f) { set_attr(f, "T", type_value(7)); });
  EXPECT_EQ(found(calling({strings})).find("error attr-not-allowed"), std::string::npos)
      << "import does not look";
}

TEST(CheckFunctions, PlaceholdersStandForWhatTheCallerGives) {
  const auto polymorphic = changed([](auto& f) {
    f.mutable_node_def(0)->clear_attr();
    set_attr(f, "T", placeholder_value("Q"));
  });
  EXPECT_EQ(found(calling({polymorphic})),
            "error unbound-placeholder, error input-type, error function-return");
  EXPECT_EQ(found(calling({polymorphic}, node("c", "F", {"x"}, {{"Q", type_value(1)}}))),
            "note attr-unknown");
}

TEST(CheckFunctions, ASignaturesAttributesAreGiven) {
  const auto asking = changed([](auto& f) {
    f.mutable_signature()->add_attr()->set_name("Q");
    f.mutable_signature()->mutable_attr(0)->set_type("int");
  });
  EXPECT_EQ(found(calling({asking})), "error attr-missing");
  EXPECT_EQ(found(calling({asking}, node("c", "F", {"x"}, {{"Q", int_value(1)}}))), "");
}

TEST(CheckFunctions, ListsOfTypesAreNotEmpty) {
  const auto list = changed([](auto& f) {
    auto* arg = f.mutable_signature()->mutable_input_arg(0);
    arg->clear_type();
    arg->set_type_list_attr("L");
    f.mutable_signature()->add_attr()->set_name("L");
    f.mutable_signature()->mutable_attr(0)->set_type("list(type)");
  });
  EXPECT_EQ(found(calling({list}, node("c", "F", {"x"}, {{"L", type_list_value({1})}}))), "");
  EXPECT_NE(found(calling({list}, node("c", "F", {}, {{"L", type_list_value({})}})))
                .find("error function-empty-list"),
            std::string::npos);
}

TEST(CheckFunctions, ASignatureSaysItsTypes) {
  const auto untyped =
      changed([](auto& f) { f.mutable_signature()->mutable_input_arg(0)->clear_type(); });
  EXPECT_NE(found(calling({untyped}, node("c", "F", {"x"}))).find("error bad-signature"),
            std::string::npos);
}

TEST(CheckFunctions, CallsGiveAsManyArgumentsAsTheFunctionTakes) {
  EXPECT_EQ(found(calling({function("F")}, call("c", "F", {}))), "error call-arguments");
  EXPECT_EQ(found(calling({function("F")}, call("c", "F", {"x", "x"}))), "warning call-arguments");
  EXPECT_EQ(found(calling({function("F")}, call("c", "F", {"x"}, 0))), "error call-arguments");
  EXPECT_EQ(found(calling({function("F")}, call("c", "F", {"x"}, 2))), "");
}

TEST(CheckFunctions, CallsGiveTheTypesThatTheFunctionTakes) {
  tensorflow::FunctionDef integer = function("F", "Abs");
  integer.mutable_signature()->mutable_input_arg(0)->set_type(tensorflow::DT_INT32);
  integer.mutable_signature()->mutable_output_arg(0)->set_type(tensorflow::DT_INT32);
  integer.mutable_node_def(0)->mutable_attr(0)->mutable_value()->set_type(tensorflow::DT_INT32);
  EXPECT_EQ(found(calling({integer})), "warning call-types");
}

TEST(CheckFunctions, BranchesTakeAndGiveWhatTheirNodeDoes) {
  const auto branch = [](const std::string& then_branch, int given, int taken) {
    return Parts{{placeholder("p"), node("x", "Placeholder", {}, {{"dtype", type_value(given)}}),
                  node("if", "If", {"p", "x"},
                       {{"Tcond", type_value(1)},
                        {"Tin", type_list_value({given})},
                        {"Tout", type_list_value({taken})},
                        {"then_branch", func_value(then_branch)},
                        {"else_branch", func_value(then_branch)}})},
                 {function("F")}};
  };
  EXPECT_EQ(found(branch("F", 1, 1)), "");
  EXPECT_EQ(found(branch("F", 3, 1)), "warning call-types");
  EXPECT_EQ(findings(branch("F", 1, 3))[0],
            "warning call-types if: Expect 0-th output of 'F' is of type int32 but get float");
  Parts two = branch("F", 1, 1);
  two.nodes[2] = node("if", "If", {"p", "x", "x"},
                      {{"Tcond", type_value(1)},
                       {"Tin", type_list_value({1, 1})},
                       {"Tout", type_list_value({1})},
                       {"then_branch", func_value("F")},
                       {"else_branch", func_value("F")}});
  EXPECT_EQ(found(two), "warning call-arguments, warning call-arguments");
}

TEST(CheckFunctions, ALoopsConditionGivesOneTensorOfAnyType) {
  const auto loop = [](const std::string& cond, const std::string& body) {
    return Parts{{placeholder("x"), node("w", "While", {"x"},
                                         {{"T", type_list_value({1})},
                                          {"cond", func_value(cond)},
                                          {"body", func_value(body)}})},
                 {function("F"), function("G")}};
  };
  Parts sound = loop("F", "F");
  EXPECT_EQ(found(sound), "");
  Parts silent = loop("G", "F");
  silent.functions[1].mutable_signature()->clear_output_arg();
  EXPECT_EQ(found(silent), "warning call-arguments");
}

TEST(CheckFunctions, WhatRunningWouldMissInABodyIsWarnedOf) {
  const auto device = changed([](auto& f) { f.mutable_node_def(0)->set_device("garbage"); });
  EXPECT_EQ(found(calling({device})), "warning bad-device");
  const auto exit = changed([](auto& f) { f.mutable_node_def(0)->set_op("Exit"); });
  tensorflow::FunctionDef outside = exit;
  outside.mutable_ret(0)->set_value("n:output:0");
  EXPECT_EQ(found(calling({outside})), "warning exit-without-frame");
}

TEST(CheckFunctions, CyclesInABodyAreFound) {
  const auto cycle = changed([](auto& f) { set_input(f, "n:y:0"); });
  EXPECT_EQ(found(calling({cycle})), "error cycle");
}

TEST(CheckFunctions, AFunctionOfTooManyTypesIsSaidNotToBeChecked) {
  tensorflow::FunctionDef wide;
  wide.mutable_signature()->set_name("W");
  wide.mutable_signature()->add_attr()->set_name("L");
  wide.mutable_signature()->mutable_attr(0)->set_type("list(type)");
  for (int i = 0; i < 11; ++i) {
    wide.add_node_def()->ParseFromString(node(cat("n", i), "Switch", {}, {{"T", type_value(1)}}));
    wide.mutable_node_def(i)->ParseFromString(
        node(cat("n", i), "IdentityN", {}, {{"T", placeholder_value("L")}}));
  }
  std::vector<int> types;
  for (int i = 0; i < 2'000'000; ++i) types.push_back(i % 2 == 0 ? 1 : 3);
  const Parts parts{{node("c", "W", {}, {{"L", type_list_value(types)}})}, {wide}};
  EXPECT_EQ(found(parts), "warning too-many-types");
}

}  // namespace
}  // namespace cryo
