#include "passes/edit/join.h"

#include "checked.h"
#include "model/variables.h"
#include "only_model.h"
#include "passes/edit/edit.h"

namespace cryo {
namespace {

struct Joined {
  std::optional<Model> model = {};
  std::string code = {};
  Diagnostics diagnostics = {};
};

Joined join(const Model& first, const Model& second, const std::vector<std::string>& connect,
            const std::string& scope = "") {
  Joined joined;
  EditOptions options;
  options.connect = connect;
  options.scope = scope;
  Model own = first;
  own.payloads = std::make_shared<Payloads>(first.payloads);
  Result<Model> made = only_model(edit(own, &second, options, &ops(), joined.diagnostics));
  if (!made) joined.code = made.error().code;
  if (made) joined.model = std::move(*made);
  return joined;
}

Lines nodes_of(const Joined& joined) {
  return joined.model ? described(joined.model->graph) : Lines({joined.code});
}

Model chain(const std::string& input, const std::string& output) {
  return model_of({placeholder(input, {-1, 4}), node(output, "Neg", {input}, kFloats)});
}

TEST(Join, FeedsAPlaceholderOfEitherModel) {
  EXPECT_EQ(nodes_of(join(chain("x", "y"), chain("a", "b"), {"b=x"})),
            Lines({"x = Identity(b)", "y = Neg(x)", "a = Placeholder()", "b = Neg(a)"}));
  EXPECT_EQ(nodes_of(join(chain("x", "y"), chain("a", "b"), {"y=a"})),
            Lines({"x = Placeholder()", "y = Neg(x)", "a = Identity(y)", "b = Neg(a)"}));
}

TEST(Join, PutsTheSecondUnderTheScope) {
  const Model model = chain("x", "y");
  const Lines in_front = {"x = Identity(s/y)", "y = Neg(x)", "s/x = Placeholder()",
                          "s/y = Neg(s/x)"};
  const Joined both_ways = join(model, model, {"y=x"}, "s/");
  EXPECT_EQ(nodes_of(both_ways), in_front);
  ASSERT_EQ(both_ways.diagnostics.all().size(), 1U);
  EXPECT_EQ(both_ways.diagnostics.all()[0].code, "connect-both-ways");
  const Joined scoped = join(model, model, {"s/y=x"}, "s");
  EXPECT_EQ(nodes_of(scoped), in_front);
  EXPECT_TRUE(scoped.diagnostics.all().empty());
  EXPECT_EQ(nodes_of(join(model, model, {"y=s/x"}, "s")),
            Lines({"x = Placeholder()", "y = Neg(x)", "s/x = Identity(y)", "s/y = Neg(s/x)"}));
}

TEST(Join, KeepsTheOtherNodesByteForByte) {
  const Model first = chain("x", "y");
  const Joined joined = join(first, chain("a", "b"), {"b=x"});
  EXPECT_EQ(joined.model->graph.nodes()[1].bytes, first.graph.nodes()[1].bytes);
}

Model with_variable(float value) {
  Model model = model_of({placeholder("x", {2}), variable("w", {2}, "VarHandleOp"),
                          node("r", "ReadVariableOp", {"w"}, {{"dtype", type_value(kFloat32)}}),
                          node("y", "Mul", {"x", "r"}, kFloats)});
  model.checkpoint = checkpoint_of({{"w", {value, value}}});
  return model;
}

TEST(Join, KeepsTheValuesOfBoth) {
  const Joined joined = join(with_variable(1), with_variable(2), {"s/y=x"}, "s");
  ASSERT_TRUE(joined.model) << joined.code;
  Lines keys;
  for (const CheckpointEntry& each : joined.model->checkpoint->entries) keys.push_back(each.key);
  EXPECT_EQ(keys, Lines({"s/w", "w"}));
  const Node handle = find(joined.model->graph, "s/w");
  EXPECT_EQ(string_attr(handle, "shared_name"), "s/w");
  for (const Variable& each : variables_of(*joined.model)) EXPECT_EQ(each.key, each.name);
}

TEST(Join, TakesTheOlderProducer) {
  const auto with_versions = [](const std::string& name, int producer, int consumer) {
    std::string versions;
    put_varint_field(versions, 1, static_cast<uint64_t>(producer));
    put_varint_field(versions, 2, static_cast<uint64_t>(consumer));
    Model model;
    model.has_graph = true;
    model.graph = graph_of(
        Parts{{placeholder(name + "/x", {4}), node(name + "/y", "Neg", {name + "/x"}, kFloats)},
              {},
              "",
              versions});
    return model;
  };
  const Joined joined = join(with_versions("a", 1000, 0), with_versions("b", 24, 12), {"b/y=a/x"});
  ASSERT_TRUE(joined.model) << joined.code;
  EXPECT_EQ(joined.model->graph.producer(), 24);
  EXPECT_EQ(joined.model->graph.min_consumer(), 12);
}

TEST(Join, RenamesAFunctionOfAnotherBody) {
  const auto calling = [](const std::string& op) {
    Model model;
    model.has_graph = true;
    model.graph = graph_of(Parts{{placeholder("x", {4}), call("y", "f")}, {function("f", op)}});
    return model;
  };
  const Joined same = join(calling("Tanh"), calling("Tanh"), {"s/y=x"}, "s");
  ASSERT_TRUE(same.model) << same.code;
  EXPECT_EQ(same.model->graph.functions().size(), 1U);
  const Joined other = join(calling("Tanh"), calling("Sigmoid"), {"s/y=x"}, "s");
  ASSERT_TRUE(other.model) << other.code;
  ASSERT_EQ(other.model->graph.functions().size(), 2U);
  EXPECT_EQ(other.model->graph.functions()[1].name, "f_1");
  EXPECT_EQ(functions_named_by(find(other.model->graph, "s/y")).back(), "f_1");
  EXPECT_EQ(functions_named_by(find(other.model->graph, "y")).back(), "f");
}

TEST(Join, RefusesBadInput) {
  const Model model = chain("x", "y");
  const Model other = model_of({placeholder("a", {-1, 5}), node("b", "Neg", {"a"}, kFloats)});
  EXPECT_EQ(join(model, model, {"y=x"}).code, "name-taken");
  EXPECT_EQ(join(model, other, {"b=x"}).code, "connect-mismatch");
  EXPECT_EQ(join(model, other, {}).code, "bad-option");
  EXPECT_EQ(join(model, other, {"b"}).code, "bad-option");
  EXPECT_EQ(join(model, other, {"b=a"}).code, "bad-option");
  EXPECT_EQ(join(model, other, {"b=y"}).code, "not-a-placeholder");
  EXPECT_EQ(join(model, other, {"^b=x"}).code, "not-in-graph");
  EXPECT_EQ(join(model, other, {"b=z"}).code, "not-in-graph");
  EXPECT_EQ(join(model, other, {"b=x"}, "a b").code, "bad-option");
}

}  // namespace
}  // namespace cryo
