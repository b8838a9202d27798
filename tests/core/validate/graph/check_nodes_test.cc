#include "base/codes/codes.h"
#include "checked.h"
#include "validate/graph/names.h"

namespace cryo {
namespace {

TEST(CheckGraph, AHealthyGraphHasNoFindings) {
  EXPECT_EQ(found(base_with()), "");
  EXPECT_EQ(found(Parts{}), "") << "an empty graph";
}

TEST(CheckGraph, NamesFollowTheGrammar) {
  for (const char* good : {"1x", ".x", "a/", "a/b//c", "a>b", "a.b-c_d/e", "B"}) {
    EXPECT_TRUE(is_node_name(good, false)) << good;
  }
  for (const char* bad : {"", "_x", "-x", "/x", ">a", "a>", "a>_b", "x y", "x:0", "^x", "\xC3\xA9",
                          "a@b", "a\\b", "a\n"}) {
    EXPECT_FALSE(is_node_name(bad, false)) << bad;
  }
  EXPECT_TRUE(is_node_name("_x", true)) << "inside of a function";
  EXPECT_EQ(found(base_with("", {node("a b", "NoOp")})), "error bad-node-name");
}

TEST(CheckGraph, NamesAreUnique) {
  EXPECT_EQ(found(base_with("", {node("b", "NoOp")})), "error duplicate-node-name");
  EXPECT_EQ(found(base_with("", {node("B", "NoOp")})), "");
}

TEST(CheckGraph, TextIsUtf8) {
  EXPECT_EQ(found({node("a\xFF", "NoOp")}), "error not-utf8, error bad-node-name");
  EXPECT_EQ(found({node("a", "NoOp", {"^\xC3"})}), "error not-utf8, error unknown-input-node");
  EXPECT_EQ(found({node("a", "NoOp", {}, {{"_f", func_value("\xC3")}})}), "error not-utf8")
      << "however deep";
  EXPECT_EQ(found({node("a", "NoOp", {},
                        {{"_f", func_value("\xC3\xA9")}, {"_s", string_value("\xC3")}})}),
            "")
      << "and bytes are bytes";
}

TEST(CheckGraph, ANodeHasAnOp) { EXPECT_EQ(found({node("u", "")}), "error no-op"); }

TEST(CheckGraph, OpsAreKnown) {
  EXPECT_EQ(found({node("u", "NoSuchOp")}), "error unknown-op");
  const auto fix_of = [](const char* op) {
    return verdict_of(graph_of({node("u", op)})).diagnostics.all()[0].fix;
  };
  EXPECT_NE(fix_of("Addons>Resampler").find("tensorflow_addons"), std::string::npos);
  EXPECT_EQ(fix_of("NoSuchOp"), find_code("unknown-op")->fix) << "nobody knows who has it";
  EXPECT_EQ(found({node("u", "NoOp")}), "");
}

TEST(CheckGraph, WithoutDefinitionsNothingThatNeedsThemIsSaid) {
  const Graph graph = graph_of({node("u", "NoSuchOp"), node("m", "MatMul")});
  EXPECT_EQ(findings(graph, OpRegistry()), Lines{});
}

TEST(CheckGraph, OfAModelsOwnOpTheNodeIsCheckedAllTheSame) {
  tensorflow::OpList list;
  auto& op = *list.add_op();
  op.set_name("TheirOwn");
  op.add_output_arg()->set_type(tensorflow::DT_INT32);
  const Graph graph = graph_of({node("u", "TheirOwn"), node("t", "Tanh", {"u"}, kFloats)});
  EXPECT_EQ(findings(graph, *ops().extended(list.SerializeAsString())).size(), 2U)
      << "not registered, and a type";
  EXPECT_EQ(findings(graph).size(), 1U) << "not registered";
}

TEST(CheckGraph, InputsNameNodes) {
  for (const char* bad : {"nope", "", "B", "b ", "b:", "b:x", "b:-1", ":0", "b:0:0"}) {
    EXPECT_EQ(found(base_with("add", {node("add", "BiasAdd", {"mm", bad}, kFloats)})),
              "error unknown-input-node")
        << bad;
  }
  for (const char* bad : {"^nope", "^", "^b:0"}) {
    EXPECT_EQ(found(base_with("out", {node("out", "Identity", {"add", bad}, kFloats)})),
              "error unknown-input-node")
        << bad;
  }
  for (const char* good : {"b:0", "b:00", "b:4294967296"}) {
    EXPECT_EQ(found(base_with("add", {node("add", "BiasAdd", {"mm", good}, kFloats)})), "") << good;
  }
}

TEST(CheckGraph, ControlInputsComeLast) {
  EXPECT_EQ(found(base_with("add", {node("add", "BiasAdd", {"^x", "mm", "b"}, kFloats)})),
            "error control-input-order");
  EXPECT_EQ(found(base_with("add", {node("add", "BiasAdd", {"mm", "b", "^x", "^x"}, kFloats)})),
            "note duplicate-control-input");
}

TEST(CheckGraph, PortsExist) {
  EXPECT_EQ(findings(base_with("add", {node("add", "BiasAdd", {"mm", "b:1"}, kFloats)}))[0],
            "error bad-output-port add: Node 'add': Connecting to invalid output 1 of source node "
            "b which has 1 outputs.");
  EXPECT_EQ(found(base_with("add", {node("add", "BiasAdd", {"mm", "b:4294967295"}, kFloats)})),
            "warning control-port");
  EXPECT_EQ(found(base_with("add", {node("add", "BiasAdd", {"mm", "b:2147483653"}, kFloats)})),
            "error bad-output-port");
}

TEST(CheckGraph, ANodeHasAsManyInputsAsItsOpTakes) {
  EXPECT_EQ(found(base_with("add", {node("add", "BiasAdd", {"mm"}, kFloats)})),
            "error input-count");
  EXPECT_EQ(found(base_with("add", {node("add", "BiasAdd", {"mm", "b", "b"}, kFloats)})),
            "error input-count");
  const auto sum = [](int64_t n) {
    return base_with(
        "", {node("sum", "AddN", {"b", "b"}, {{"T", type_value(1)}, {"N", int_value(n)}})});
  };
  EXPECT_EQ(found(sum(2)), "");
  EXPECT_EQ(found(sum(3)), "error input-count");
}

TEST(CheckGraph, TypesFitAlongEdges) {
  EXPECT_EQ(findings(base_with("", {node("d", "Tanh", {"x"}, {{"T", type_value(2)}})}))[0],
            "error input-type d: Input 0 of node d was passed float from x:0 incompatible with "
            "expected double.");
}

TEST(CheckGraph, AReferenceMayStandForAValueButNotTheOtherWay) {
  EXPECT_EQ(found({variable("v", {2}), node("r", "Tanh", {"v"}, kFloats)}), "");
  EXPECT_EQ(found(base_with("", {node("assign", "Assign", {"b", "b"}, kFloats)})),
            "error input-type");
  EXPECT_EQ(
      found(base_with("", {node("read", "ReadVariableOp", {"b"}, {{"dtype", type_value(1)}})})),
      "error input-type");
}

TEST(CheckGraph, AttributesAreThere) {
  EXPECT_EQ(
      findings({node("m", "NoOp"), node("t", "Tanh", {}, {})})[0],
      "error attr-missing t: NodeDef missing attr 'T' from Op<name=Tanh; signature=x:T -> y:T>");
  EXPECT_EQ(found(base_with("mm", {node("mm", "MatMul", {"x", "w"}, kFloats)})), "")
      << "transpose_a has a default";
}

std::string found_of_attr(const std::string& key, const std::string& value) {
  Attrs attrs = kFloats;
  attrs.erase(std::remove_if(attrs.begin(), attrs.end(),
                             [&](const auto& each) { return each.first == key; }),
              attrs.end());
  attrs.emplace_back(key, value);
  return found(base_with("mm", {node("mm", "MatMul", {"x", "w"}, attrs)}));
}

TEST(CheckGraph, AttributesAreOfTheRightKind) {
  EXPECT_EQ(found_of_attr("transpose_a", bool_value(true)), "");
  EXPECT_EQ(found_of_attr("transpose_a", int_value(1)), "error attr-wrong-kind");
  EXPECT_EQ(found_of_attr("transpose_a", ""), "error attr-empty");
  EXPECT_EQ(found_of_attr("transpose_a", type_list_value({1})), "error attr-wrong-kind");
  EXPECT_EQ(found_of_attr("transpose_a", placeholder_value("")), "error attr-wrong-kind");
}

TEST(CheckGraph, TypesInAttributesAreTypes) {
  EXPECT_EQ(found_of_attr("T", type_value(0)).substr(0, 23), "error attr-invalid-type");
  EXPECT_EQ(found_of_attr("T", type_value(9999)).substr(0, 23), "error attr-invalid-type");
  EXPECT_EQ(found_of_attr("T", type_value(101)).substr(0, 19), "error attr-ref-type");
}

TEST(CheckGraph, AttributesKeepToWhatIsAllowed) {
  EXPECT_EQ(found_of_attr("T", type_value(7)).substr(0, 22), "error attr-not-allowed");
  const auto pool = [](const std::string& padding) {
    return base_with(
        "", {placeholder("image", {1, 8, 8, 2}), node("pool", "AvgPool", {"image"},
                                                      {{"T", type_value(1)},
                                                       {"ksize", int_list_value({1, 1, 1, 1})},
                                                       {"strides", int_list_value({1, 1, 1, 1})},
                                                       {"padding", string_value(padding)}})});
  };
  EXPECT_EQ(found(pool("SAME")), "");
  EXPECT_EQ(found(pool("FOO")), "error attr-not-allowed");
  EXPECT_EQ(found({node("sum", "AddN", {}, {{"T", type_value(1)}, {"N", int_value(0)}})}),
            "error attr-below-minimum");
  EXPECT_EQ(found({node("c", "IdentityN", {}, {{"T", type_list_value({})}})}),
            "error attr-below-minimum");
}

TEST(CheckGraph, CountsAreCounts) {
  const auto split = [](int64_t n) {
    return node("s", "Split", {"d", "x"}, {{"T", type_value(1)}, {"num_split", int_value(n)}});
  };
  const std::string axis = node("d", "Placeholder", {}, {{"dtype", type_value(3)}});
  EXPECT_EQ(found({axis, placeholder("x"), split(int64_t{1} << 40)}), "error attr-not-a-count");
  EXPECT_EQ(found({axis, placeholder("x"), split(2)}), "");
}

TEST(CheckGraph, AnUnknownAttributeIsOnlyNoted) {
  EXPECT_EQ(found_of_attr("foo", int_value(1)), "note attr-unknown");
  EXPECT_EQ(found_of_attr("_foo", int_value(1)), "");
  EXPECT_TRUE(verdict_of(graph_of({node("n", "NoOp", {}, {{"foo", int_value(1)}})})).sound());
}

TEST(CheckGraph, RemovedOpsAreRefusedByTheProducersVersion) {
  std::string old;
  put_varint_field(old, 1, 8);
  std::string today;
  put_varint_field(today, 1, 9);
  const std::string image = placeholder("image", {1, 8, 8, 3});
  const std::string op =
      node("n", "BatchNormWithGlobalNormalization", {"image", "b", "b", "b", "b"},
           {{"T", type_value(1)},
            {"variance_epsilon", std::string("\x25\0\0\0\0", 5)},
            {"scale_after_normalization", bool_value(true)}});
  EXPECT_EQ(found(Parts{base_with("", {image, op}), {}, "", old}), "note op-deprecated");
  EXPECT_EQ(found(Parts{base_with("", {image, op}), {}, "", today}), "error op-removed");
}

TEST(CheckGraph, VersionsAreAmongThoseThatTensorFlowReads) {
  const auto with = [](uint32_t field, uint64_t value) {
    Parts parts;
    put_varint_field(parts.versions, field, value);
    return parts;
  };
  EXPECT_EQ(found(with(1, 9999)), "note newer-producer");
  EXPECT_EQ(found(with(1, static_cast<uint64_t>(-1))), "error producer-too-old");
  EXPECT_EQ(found(with(2, 2474)), "");
  EXPECT_EQ(found(with(2, 9999)), "error consumer-too-old");
  EXPECT_EQ(found(with(3, 2473)), "");
  EXPECT_EQ(found(with(3, 2474)), "error consumer-refused");
}

TEST(CheckGraph, ColocationNamesNodes) {
  EXPECT_EQ(
      found(base_with("", {node("n", "NoOp", {}, {{"_class", string_list_value({"loc:@nope"})}})})),
      "error unknown-colocation");
  EXPECT_EQ(found(base_with(
                "", {node("n", "NoOp", {}, {{"_class", string_list_value({"loc:@b", "foo"})}})})),
            "");
}

TEST(CheckGraph, FindingsAreBoundedAndCounted) {
  std::vector<std::string> nodes;
  for (size_t i = 0; i < kMaxFindings + 7; ++i) nodes.push_back(node(cat("n", i), "NoSuchOp"));
  const GraphVerdict verdict = verdict_of(graph_of(nodes));
  EXPECT_EQ(verdict.errors, kMaxFindings + 7);
  EXPECT_EQ(verdict.diagnostics.all().size(), kMaxFindings + 1);
  EXPECT_EQ(verdict.diagnostics.all().back().code, "more-findings");
}

TEST(Codes, AreSortedAndExplained) {
  std::string_view before;
  for (const CodeInfo& info : code_table()) {
    EXPECT_LT(before, info.code);
    EXPECT_FALSE(info.fix.empty()) << info.code;
    EXPECT_FALSE(info.explanation.empty()) << info.code;
    EXPECT_EQ(info.repair.empty(), info.repaired.empty()) << info.code;
    EXPECT_EQ(find_code(info.code), &info);
    before = info.code;
  }
  EXPECT_EQ(find_code("no-such-code"), nullptr);
}

TEST(Codes, OfOtherThanValidateAreExplainedToo) {
  EXPECT_EQ(explanation_of("cycle"), find_code("cycle")->explanation);
  for (const char* code : {"asset-needed", "missing-shard", "not-a-model", "write-failed"}) {
    EXPECT_EQ(find_code(code), nullptr) << code;
    EXPECT_TRUE(explanation_of(code).ends_with('.')) << code;
  }
  for (const char* none : {"", "a", "no-such-code", "zz"}) EXPECT_EQ(explanation_of(none), "");
}

}  // namespace
}  // namespace cryo
