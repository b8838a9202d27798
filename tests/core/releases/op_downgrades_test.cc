#include "releases/op_downgrades.h"

#include "histories.h"
#include "releases/downgrade_rules.h"
#include "rule_check.h"

namespace cryo {
namespace {

size_t place(std::string_view release) {
  return *histories().place_of(cat("tensorflow-", release));
}

const Attrs kFloats = {{"T", type_value(kFloat32)}};

// The form of the last node in a release.
std::optional<OpDowngrade> last_form(const Graph& graph, std::string_view release,
                                     const std::vector<std::string>& outputs = {}) {
  const Payloads payloads;
  DowngradeContext context{payloads, OpDowngrades::deciding_shapes(graph), outputs};
  CheckOptions options;
  options.shapes = &context.shapes;
  check_graph(graph, ops(), payloads, options);
  const auto last = static_cast<uint32_t>(graph.nodes().size() - 1);
  FreshNames names(graph.index().names());
  const OpDowngrades forms(graph, histories(), context);
  auto older = forms.of(last, place(release), names);
  EXPECT_EQ(older.has_value(), forms.has(last, place(release)));
  return older;
}

// "OP: why"; "" if it stays as it is.
std::string form(const Graph& graph, std::string_view release,
                 const std::vector<std::string>& outputs = {}) {
  const auto older = last_form(graph, release, outputs);
  return older ? cat(scan_node(older->node_def)->op, ": ", older->why) : "";
}

// "z = Op(inputs)", and so the nodes that it takes.
Lines form_nodes(const Graph& graph, std::string_view release) {
  const auto older = last_form(graph, release);
  if (!older) return {};
  Lines lines = {described(scanned(older->node_def))};
  for (const std::string& each : older->added) lines.push_back(described(scanned(each)));
  return lines;
}

constexpr int kInt32Type = static_cast<int>(DType::kInt32);

// A constant scalar.
std::string index(std::string_view name, int value) {
  tensorflow::TensorProto tensor;
  tensor.set_dtype(tensorflow::DT_INT32);
  tensor.mutable_tensor_shape();
  tensor.add_int_val(value);
  return node(
      name, "Const", {},
      {{"dtype", type_value(kInt32Type)}, {"value", tensor_value(tensor.SerializeAsString())}});
}

Graph with_last(std::string last, const std::vector<int64_t>& x = {2, 3, 4},
                const std::vector<int64_t>& y = {2, 3, 4}) {
  return graph_of(Parts{.nodes = {placeholder("x", x), placeholder("y", y), std::move(last)}});
}

TEST(OpDowngrades, RulesAreOfOpsAsTheyAreDefined) {
  EXPECT_EQ(rule_faults(kDowngradeRules), Lines());
  EXPECT_EQ(rule_faults(kConvertedInputRules), Lines());
}

TEST(OpDowngrades, AnOpThatTheReleaseHasStays) {
  const Graph graph = with_last(node("z", "AddV2", {"x", "y"}, kFloats));
  EXPECT_EQ(form(graph, "1.4"), "Add: AddV2 is Add");
  EXPECT_EQ(form(graph, "1.15"), "");
  EXPECT_EQ(form(with_last(node("z", "Roll", {"x", "y"}, kFloats)), "1.4"), "");
  EXPECT_EQ(form(with_last(node("z", "TheirOwn", {"x"})), "1.4"), "");
}

TEST(OpDowngrades, AGatherOfTheFirstAxisNeedsNoAxis) {
  const auto gathered = [](int axis, int64_t batch) {
    const Attrs attrs = {{"Tparams", type_value(kFloat32)},
                         {"Tindices", type_value(kInt32Type)},
                         {"Taxis", type_value(kInt32Type)},
                         {"batch_dims", int_value(batch)}};
    return graph_of(Parts{.nodes = {placeholder("x", {2, 3}), index("i", 1), index("axis", axis),
                                    node("z", "GatherV2", {"x", "i", "axis"}, attrs)}});
  };
  EXPECT_EQ(form(gathered(0, 0), "1.2"), "Gather: GatherV2 is Gather");
  EXPECT_EQ(form(gathered(1, 0), "1.2"), "");
  EXPECT_EQ(form(gathered(0, 1), "1.2"), "");
}

// A constant that a pass made, or a large one, has its content outside of the graph.
TEST(OpDowngrades, AnAxisMayHaveItsContentInAPayload) {
  Payloads payloads;
  std::string content;
  put_fixed32(content, 0);
  const auto zero =
      const_tensor(DType::kInt32, Shape{}, Splice(fresh(std::move(content))), payloads);
  const Graph graph = graph_of(
      Parts{.nodes = {placeholder("x", {2, 3}), index("i", 1),
                      node("axis", "Const", {},
                           {{"dtype", type_value(kInt32Type)}, {"value", tensor_value(*zero)}}),
                      node("z", "GatherV2", {"x", "i", "axis"},
                           {{"Tparams", type_value(kFloat32)},
                            {"Tindices", type_value(kInt32Type)},
                            {"Taxis", type_value(kInt32Type)}})}});
  const DowngradeContext context{payloads};
  EXPECT_TRUE(OpDowngrades(graph, histories(), context).has(3, place("1.2")));
}

TEST(OpDowngrades, ASelectIsBroadcastUnlessItsShapesAreKnownToBeTheSame) {
  const auto selected = [&](const std::vector<int64_t>& c, const std::vector<int64_t>& x,
                            const std::vector<int64_t>& y) {
    const std::string condition =
        node("c", "Placeholder", {},
             {{"dtype", type_value(DType::kBool)}, {"shape", shape_value(shape_bytes(c))}});
    std::string versions;  // before 24 the shape [] of a Placeholder meant any shape
    put_tag(versions, 1, WireType::kVarint);
    put_varint(versions, 24);
    return graph_of(Parts{.nodes = {condition, placeholder("x", x), placeholder("y", y),
                                    node("z", "SelectV2", {"c", "x", "y"}, kFloats)},
                          .versions = versions});
  };
  const auto first = [](const Graph& graph) { return form_nodes(graph, "1.12")[0]; };
  const std::string all = "z = Select(z/broadcast, z/broadcast_1, z/broadcast_2)";
  EXPECT_EQ(form(selected({2, 3}, {2, 3}, {2, 3}), "1.12"), "Select: SelectV2 is Select");
  EXPECT_EQ(form(selected({}, {2, 3}, {2, 3}), "1.12"), "Select: SelectV2 is Select");
  EXPECT_EQ(first(selected({3}, {3, 3}, {3, 3})), "z = Select(z/broadcast, x, y)")
      << "Select would take rows";
  EXPECT_EQ(first(selected({2, 3}, {2, 3}, {1, 3})), "z = Select(c, x, z/broadcast)");
  EXPECT_EQ(first(selected({2, 3}, {1, 3}, {})), "z = Select(c, z/broadcast, z/broadcast_1)");
  EXPECT_EQ(first(selected({-1, 3}, {-1, 3}, {-1, 3})), all);
  const Graph unfed = with_last(node("z", "SelectV2", {"c", "x", "y"}, kFloats));
  EXPECT_EQ(first(unfed), all) << "the condition is not known";
  EXPECT_EQ(form(with_last(node("z", "SelectV2", {"x", "y"}, kFloats)), "1.12"), "");
  const Attrs of_variants = {{"T", type_value(DType::kVariant)}};
  EXPECT_EQ(form(with_last(node("z", "SelectV2", {"c", "x", "y"}, of_variants)), "1.12"), "")
      << "no release tiles variants";
}

TEST(OpDowngrades, ATensorIsBroadcastByTiles) {
  const auto broadcast = [](DType index) {
    return with_last(node("z", "BroadcastTo", {"x", "shape"},
                          {{"T", type_value(kFloat32)}, {"Tidx", type_value(index)}}));
  };
  EXPECT_EQ(form(broadcast(DType::kInt32), "1.4"), "Tile: BroadcastTo is Tile");
  EXPECT_EQ(form_nodes(broadcast(DType::kInt64), "1.4")[1], "z/to = Cast(shape)");
  EXPECT_EQ(form(broadcast(DType::kInt32), "1.15"), "");
  EXPECT_EQ(
      form_nodes(broadcast(DType::kInt32), "1.4"),
      Lines({"z = Tile(z/reshaped, z/multiples)", "z/shape = Shape(x)", "z/rank = Size(shape)",
             "z/own_rank = Size(z/shape)", "z/missing = Sub(z/rank, z/own_rank)",
             "z/number_0 = Const(^x)", "z/vector = ExpandDims(z/missing, z/number_0)",
             "z/number_1 = Const(^x)", "z/ones = Fill(z/vector, z/number_1)",
             "z/padded = ConcatV2(z/ones, z/shape, z/number_0)",
             "z/divisor = Maximum(z/padded, z/number_1)", "z/reshaped = Reshape(x, z/padded)",
             "z/multiples = FloorDiv(shape, z/divisor)"}));
}

TEST(OpDowngrades, AnInputIsConvertedForAnOlderOp) {
  const auto summed = [](DType ids) {
    return with_last(node("z", "SparseSegmentSum", {"x", "i", "ids"},
                          {{"T", type_value(kFloat32)},
                           {"Tidx", type_value(DType::kInt32)},
                           {"Tsegmentids", type_value(ids)}}));
  };
  EXPECT_EQ(form(summed(DType::kInt32), "1.15"),
            "SparseSegmentSum: without Tsegmentids, which has its default");
  EXPECT_EQ(form(summed(DType::kInt64), "1.15"),
            "SparseSegmentSum: without Tsegmentids, whose input is converted");
  EXPECT_EQ(form(summed(DType::kInt64), "2.21"), "");
  EXPECT_EQ(form(with_last(node("z", "Where", {"x"}, kFloats)), "1.2"),
            "Where: without T, whose input is converted");
  EXPECT_EQ(form(with_last(node("z", "Where", {"x"}, kFloats)), "1.8"), "");
}

TEST(OpDowngrades, ABatchIsBroadcastUnlessItIsKnownToBeTheSame) {
  const auto first = [](const Graph& graph) { return form_nodes(graph, "1.12")[0]; };
  const std::string product = node("z", "BatchMatMulV2", {"x", "y"}, kFloats);
  EXPECT_EQ(form(with_last(product, {2, 3, 4}, {2, 4, 3}), "1.12"),
            "BatchMatMul: BatchMatMulV2 is BatchMatMul");
  EXPECT_EQ(first(with_last(product, {2, 3, 4}, {1, 4, 3})), "z = BatchMatMul(x, z/broadcast)");
  EXPECT_EQ(first(with_last(product, {2, 3, 4}, {4, 3})), "z = BatchMatMul(x, z/broadcast)");
  EXPECT_EQ(first(with_last(product, {1, 3, 4}, {2, 4, 3})), "z = BatchMatMul(z/broadcast, y)");
  EXPECT_EQ(first(with_last(product, {-1, 3, 4}, {-1, 4, 3})),
            "z = BatchMatMul(z/broadcast, z/broadcast_1)");
  const Attrs integers = {{"T", type_value(DType::kInt64)}};
  const Graph whole = with_last(node("z", "BatchMatMulV2", {"x", "y"}, integers));
  EXPECT_EQ(form(whole, "1.4"), "") << "1.4 multiplies no int64";
  const auto types = [](int sum) {
    return node(
        "z", "BatchMatMulV3", {"x", "y"},
        {{"Ta", type_value(kFloat32)}, {"Tb", type_value(kFloat32)}, {"Tout", type_value(sum)}});
  };
  EXPECT_EQ(form(with_last(types(kFloat32), {2, 3, 4}, {2, 4, 3}), "1.15"),
            "BatchMatMulV2: BatchMatMulV3 is BatchMatMulV2");
  EXPECT_EQ(form(with_last(types(static_cast<int>(DType::kInt32))), "1.15"), "");
}

TEST(OpDowngrades, TheReserveOfBatchNormalizationIsNotUsed) {
  const auto normalized = [](bool training, DType type, const std::vector<std::string>& more) {
    std::vector<std::string> nodes = {placeholder("x", {1, 2, 2, 3}), placeholder("s", {3})};
    nodes.insert(nodes.end(), more.begin(), more.end());
    nodes.push_back(node("z", "FusedBatchNormV3", {"x", "s", "s", "s", "s"},
                         {{"T", type_value(type)},
                          {"U", type_value(kFloat32)},
                          {"is_training", bool_value(training)}}));
    return graph_of(Parts{.nodes = std::move(nodes)});
  };
  const Graph plain = normalized(false, DType::kFloat, {});
  EXPECT_EQ(form(plain, "1.12"), "FusedBatchNormV2: FusedBatchNormV3 is FusedBatchNormV2");
  EXPECT_EQ(form(plain, "1.2"), "FusedBatchNorm: FusedBatchNormV3 is FusedBatchNorm");
  EXPECT_EQ(form(plain, "1.2", {"z:5"}), "");
  const std::string user = node("u", "Identity", {"z:5"}, kFloats);
  EXPECT_EQ(form(normalized(false, DType::kFloat, {user}), "1.2"), "");
  EXPECT_EQ(form(normalized(true, DType::kFloat, {}), "1.2"),
            "FusedBatchNorm: FusedBatchNormV3 is FusedBatchNorm");
  EXPECT_EQ(form(normalized(false, DType::kHalf, {}), "1.2"), "");
  EXPECT_EQ(form(normalized(false, DType::kHalf, {}), "1.4"), "") << "no kernel takes the type";
}

TEST(OpDowngrades, ADivisionWithoutNanIsFourNodes) {
  const std::string made = placeholder("z/zeros", {2, 3, 4});
  const auto divided = [&](DType type) {
    return graph_of(
        Parts{.nodes = {placeholder("x"), placeholder("y"), made, node("c", "NoOp"),
                        node("z", "DivNoNan", {"x", "y:0", "^c"}, {{"T", type_value(type)}})}});
  };
  EXPECT_EQ(form(divided(DType::kFloat), "1.2"), "Select: DivNoNan is Select");
  EXPECT_EQ(form(divided(DType::kFloat), "1.12"), "");
  EXPECT_EQ(form(divided(DType::kHalf), "1.2"), "");
  EXPECT_EQ(
      form_nodes(divided(DType::kDouble), "1.2"),
      Lines({"z = Select(z/is_zero, z/zeros_1, z/quotient)", "z/quotient = RealDiv(x, y:0, ^c)",
             "z/zeros_1 = ZerosLike(z/quotient)", "z/is_zero = Equal(y:0, z/zeros_1)"}));
}

TEST(OpDowngrades, AnAttributeThatCountsStays) {
  const auto product = [](bool grad) {
    Attrs attrs = kFloats;
    attrs.emplace_back("grad_a", bool_value(grad));
    return with_last(node("z", "MatMul", {"x", "y"}, attrs), {2, 2}, {2, 2});
  };
  EXPECT_EQ(form(product(false), "1.15"), "MatMul: without grad_a, which has its default");
  EXPECT_EQ(form(product(true), "1.15"), "");
  const auto array = [](std::string_view attr) {
    return with_last(
        node("z", "TensorArrayV3", {"x"},
             {{"dtype", type_value(kFloat32)}, {std::string(attr), bool_value(true)}}));
  };
  EXPECT_EQ(form(array("identical_element_shapes"), "1.4"),
            "TensorArrayV3: without identical_element_shapes, which only checks");
  EXPECT_EQ(form(array("dynamic_size"), "1.4"), "");
}

}  // namespace
}  // namespace cryo
