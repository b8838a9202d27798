#include "graph/rewrite/rewrite.h"

#include "graph/rewrite/rewrite_nodes.h"
#include "graphs.h"

namespace cryo {
namespace {

// The lines of the nodes that a rule makes of z, the last one z itself; none if no rule applies.
Lines made_of(
    std::string_view text, const std::string& z,
    NodeSource::Facts facts = [](std::string_view) { return std::optional<bool>(); }) {
  const Result<RewriteRules> rules = RewriteRules::parse(text);
  EXPECT_TRUE(rules) << (rules ? "" : rules.error().message);
  const Node node = scanned(z);
  const NodeSource source(node, node.op, facts);
  const RewriteRule* rule = rules ? rule_for(*rules, source) : nullptr;
  if (rule == nullptr) return {};
  FreshNames names;
  names.set_taken("z/taken");
  NodeTarget target(node, names);
  rewrite(*rules, *rule, source, target);
  Lines lines;
  for (const std::string& each : target.added) lines.push_back(described(scanned(each)));
  if (!target.node.empty()) lines.push_back(described(scanned(target.node)));
  return lines;
}

std::string fault_of(std::string_view text) {
  const Result<RewriteRules> rules = RewriteRules::parse(text);
  return rules ? "" : rules.error().message;
}

const Attrs kOfFloats = {{"T", type_value(kFloat32)}};

TEST(Rewrite, LinesAreNodesAndTheLastHasTheName) {
  const std::string z = node("z", "Old", {"x", "y:1", "^c"}, kOfFloats);
  EXPECT_EQ(made_of("Old(x, y):\n  taken = Neg(y)\n  Add(x, taken)\n", z),
            Lines({"z/taken_1 = Neg(y:1)", "z = Add(x, z/taken_1, ^c)"}));
  EXPECT_EQ(made_of("Old(x, y):\n  n = Neg(y, ^*)\n  Add(x, n)\n", z),
            Lines({"z/n = Neg(y:1, ^c)", "z = Add(x, z/n)"}));
  EXPECT_EQ(made_of("Old(x, y):\n  Add(x, Neg(Abs(y)))\n", z),
            Lines({"z/Abs = Abs(y:1)", "z/Neg = Neg(z/Abs)", "z = Add(x, z/Neg, ^c)"}));
}

TEST(Rewrite, EqualNodesAreOneAndUnneededOnesNone) {
  const std::string z = node("z", "Old", {"x"}, kOfFloats);
  EXPECT_EQ(made_of("Old(x):\n  a = Neg(x)\n  b = Neg(x)\n  c = Abs(x)\n  Add(a, b)\n", z),
            Lines({"z/a = Neg(x)", "z = Add(z/a, z/a)"}));
  EXPECT_EQ(made_of("Old(x):\n  a = Neg(x) {T=int32}\n  Add(a, Neg(x))\n", z),
            Lines({"z/a = Neg(x)", "z/Neg = Neg(x)", "z = Add(z/a, z/Neg)"}));
}

TEST(Rewrite, ANeededConstantWithoutAValueMakesNoNode) {
  const std::string z = node("z", "Old", {"x"}, kOfFloats);
  EXPECT_EQ(made_of("Old(x):\n  a = Abs(x)\n  Add(a, missing)\n", z), Lines());
  EXPECT_EQ(made_of("Old(x):\n  a = Add(x, [1, missing])\n  Neg(x)\n", z), Lines({"z = Neg(x)"}));
}

TEST(Rewrite, TheFirstRuleThatAppliesCounts) {
  constexpr std::string_view kRules = R"(
Old(x) if T == int32:
  A(x)
Old(x, y?) if T in [float32, float64] and small:
  x = B(x, y) if y
  C(x)
Old(x, more...) if !small:
  D(x, more...) {N=count(more)}
)";
  const auto small = [](std::string_view name) { return std::optional(name == "small"); };
  const auto never = [](std::string_view) { return std::optional(false); };
  const auto old = [&](std::vector<std::string> inputs) {
    return node("z", "Old", std::move(inputs), kOfFloats);
  };
  EXPECT_EQ(made_of(kRules, old({"x"}), small), Lines({"z = C(x)"}));
  EXPECT_EQ(made_of(kRules, old({"x", "y"}), small), Lines({"z/x = B(x, y)", "z = C(z/x)"}));
  EXPECT_EQ(made_of(kRules, old({"x", "y", "w"}), small), Lines());
  EXPECT_EQ(made_of(kRules, old({"x", "y", "w"}), never), Lines({"z = D(x, y, w)"}));
  EXPECT_EQ(made_of(kRules, node("z", "Other", {"x"})), Lines());
}

TEST(Rewrite, PartsAreReplacedByTheirLines) {
  constexpr std::string_view kRules = R"(
half(x):
  Mul(x, 0.5 as T)

two(x):
  a, b = Split(0, x) {T, num_split=2}
  a, b

Old(x):
  a, b = two(x)
  Sub(half(a), half(b) {T=float64})
)";
  EXPECT_EQ(made_of(kRules, node("z", "Old", {"x"}, kOfFloats)),
            Lines({"z/number_0 = Const(^x)", "z/a = Split(z/number_0, x)", "z/number = Const(^x)",
                   "z/half = Mul(z/a, z/number)", "z/number_1 = Const(^x)",
                   "z/half_1 = Mul(z/a:1, z/number_1)", "z = Sub(z/half, z/half_1)"}));
}

TEST(Rewrite, AttributesAreCopiedRenamedAndGiven) {
  const auto attr = [&](std::string_view text, std::string_view key) {
    const Attrs attrs = {{"T", type_value(kFloat32)}, {"k", int_value(-3)}};
    const std::string z = node("z", "Old", {"x"}, attrs);
    const Result<RewriteRules> rules = RewriteRules::parse(text);
    const Node scan = scanned(z);
    const NodeSource source(scan, scan.op, [](std::string_view) { return std::optional<bool>(); });
    FreshNames names;
    NodeTarget target(scan, names);
    rewrite(*rules, rules->all()[0], source, target);
    const auto found = find_attr(scanned(target.node), key);
    return found ? std::string(*found) : "none";
  };
  EXPECT_EQ(attr("Old(x):\n  New(x)\n", "T"), type_value(kFloat32));
  EXPECT_EQ(attr("Old(x):\n  New(x) {}\n", "T"), "none");
  EXPECT_EQ(attr("Old(x):\n  New(x) {*, -T}\n", "T"), "none");
  EXPECT_EQ(attr("Old(x):\n  New(x) {*, S=T, -T}\n", "S"), type_value(kFloat32));
  EXPECT_EQ(attr("Old(x):\n  New(x) {j=k}\n", "j"), int_value(-3));
  EXPECT_EQ(attr("Old(x):\n  New(x) {S=int64}\n", "S"), type_value(DType::kInt64));
  EXPECT_EQ(attr("Old(x):\n  New(x) {s=\"SAME\"}\n", "s"), string_value("SAME"));
  EXPECT_EQ(attr("Old(x):\n  New(x) {b=true}\n", "b"), bool_value(true));
  EXPECT_EQ(attr("Old(x):\n  New(x) {f=-2.5e-1}\n", "f"), float_value(-0.25F));
  const std::string list = attr("Old(x):\n  New(x) {l=[1, k]}\n", "l");
  EXPECT_EQ(AttrValue(list).integers(), (std::vector<int64_t>{1, -3}));
}

TEST(Rewrite, ConstantsAreSmallTensors) {
  const auto content = [](std::string_view constant) {
    const std::string z = node("z", "Old", {"x:2"}, kOfFloats);
    const std::string text = cat("Old(x):\n  New(x, ", constant, ")\n");
    const Result<RewriteRules> rules = RewriteRules::parse(text);
    const Node scan = scanned(z);
    const NodeSource source(scan, scan.op, [](std::string_view) { return std::optional<bool>(); });
    FreshNames names;
    NodeTarget target(scan, names);
    rewrite(*rules, rules->all()[0], source, target);
    const Node made = scanned(target.added.at(0));
    EXPECT_EQ(*made.inputs().begin(), "^x") << "in the loop of the input";
    const auto tensor = read_tensor(*tensor_attr(made, "value"), Payloads());
    return cat(dtype_name(tensor->dtype), to_text(tensor->shape), " ", *tensor->content.read_all());
  };
  EXPECT_EQ(content("1"), std::string("int32[] \1\0\0\0", 12));
  EXPECT_EQ(content("[-1]"), "int32[1] \xFF\xFF\xFF\xFF");
  EXPECT_EQ(content("0.5"), std::string("float32[] \0\0\0\x3F", 14));
  EXPECT_EQ(content("1 as int64"), std::string("int64[] \1\0\0\0\0\0\0\0", 16));
  EXPECT_EQ(content("2 as T"), std::string("float32[] \0\0\0\x40", 14));
}

TEST(Rewrite, AFaultOfARuleHasItsLine) {
  EXPECT_EQ(fault_of(""), "");
  EXPECT_EQ(fault_of("Old(x):\n"), "line 2: expected the outputs of the rule");
  EXPECT_EQ(fault_of("Old(x):\n  y\n"), "line 2: expected a tensor of the rule, not 'y'");
  EXPECT_EQ(fault_of("Old(x)\n  New(x)\n"), "line 1: expected ':'");
  EXPECT_EQ(fault_of("Old(x):\n  New(x\n"), "line 3: expected ','");
  EXPECT_EQ(fault_of("Old(x):\n  part(x)\n"),
            "line 2: expected a rule before this one, not 'part'");
  EXPECT_EQ(fault_of("Old(x):\n  New(x)\n  New(x)\n"),
            "line 3: expected the end of the rule after its outputs");
}

}  // namespace
}  // namespace cryo
