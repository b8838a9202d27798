#include "validate/repair.h"

#include "functions.h"
#include "graph/attr_value.h"
#include "reports.h"
#include "validate/validate.h"

namespace cryo {
namespace {

Model model_with(Graph graph) { return Model{Kind::kGraphDef, "model.pb", {}, true, graph}; }

struct Mended {
  explicit Mended(const Model& before) : model(repair(before, &ops(), repaired)) {}
  explicit Mended(const Graph& graph) : Mended(model_with(graph)) {}
  explicit Mended(const std::vector<std::string>& nodes) : Mended(graph_of(nodes)) {}

  // Returns lines such as "unknown-input-node add: WHAT WAS DONE".
  Lines done() const {
    Lines lines;
    for (const Repaired& each : repaired) {
      lines.push_back(cat(each.code, " ", each.where.node, ": ", each.what));
    }
    return lines;
  }
  std::string line(std::string_view name) const { return described(find(model.graph, name)); }

  std::vector<Repaired> repaired = {};
  Model model;
};

// All attributes of MatMul and its like, so that none is filled in.
Attrs all_attrs() {
  return {{"T", type_value(kFloat32)},
          {"grad_a", bool_value(false)},
          {"grad_b", bool_value(false)},
          {"transpose_a", bool_value(false)},
          {"transpose_b", bool_value(false)}};
}

std::vector<std::string> with(const Lines& inputs, Attrs attrs = all_attrs()) {
  return {placeholder("x", {-1, 2}), constant("w", {1, 2, 3, 4, 5, 6}, {2, 3}),
          node("init", "NoOp"), node("mm", "MatMul", inputs, attrs)};
}

TEST(Repair, LeavesAHealthyGraphAsItIs) {
  const Model model = model_with(graph_of(with({"x", "w", "^init"})));
  const Mended repaired(model);
  EXPECT_EQ(repaired.done(), Lines());
  EXPECT_EQ(repaired.model.graph.skeleton(), model.graph.skeleton());
}

TEST(Repair, PutsControlInputsLastAndOnce) {
  const Mended repaired(with({"^init", "x", "^init", "w", "^x", "^init"}));
  EXPECT_EQ(repaired.line("mm"), "mm = MatMul(x, w, ^init, ^x)");
  EXPECT_EQ(repaired.done(),
            (Lines{"control-input-order mm: moved the control inputs after the data inputs",
                   "duplicate-control-input mm: removed repeated control inputs: ^init, ^init"}));
}

TEST(Repair, LeavesOutControlInputsThatNameNothing) {
  const Mended repaired(with({"^gone", "x", "w", "^init", "^", "^gone"}));
  EXPECT_EQ(repaired.line("mm"), "mm = MatMul(x, w, ^init)");
  EXPECT_EQ(verdict_of(repaired.model.graph).errors, 0U);
}

TEST(Repair, GuessesNothing) {
  const Lines inputs = {"x", "gone", "^w:0"};
  const Mended repaired(with(inputs));
  EXPECT_EQ(repaired.done(), Lines()) << "^w:0 may have been meant for w";
  EXPECT_EQ(repaired.line("mm"), "mm = MatMul(x, gone, ^w:0)");
}

TEST(Repair, LeavesOutColocationsWithNothing) {
  Attrs attrs = all_attrs();
  attrs.emplace_back("_class", string_list_value({"loc:@gone", "loc:@w", "loc:@", "other"}));
  const Mended repaired(with({"x", "w"}, attrs));
  EXPECT_EQ(*find_attr(find(repaired.model.graph, "mm"), "_class"),
            string_list_value({"loc:@w", "other"}));
  EXPECT_EQ(repaired.done(), Lines{"unknown-colocation mm: removed the colocation with gone, "});
  attrs.back().second = string_list_value({"loc:@gone"});
  EXPECT_FALSE(find_attr(find(Mended(with({"x", "w"}, attrs)).model.graph, "mm"), "_class"));
}

TEST(Repair, GivesEmptyAndMissingAttributesTheirDefault) {
  Attrs attrs = all_attrs();
  attrs[3].second = "";
  attrs.pop_back();
  const Mended repaired(with({"x", "w"}, attrs));
  const Node mm = find(repaired.model.graph, "mm");
  EXPECT_EQ(bool_attr(mm, "transpose_a"), false);
  EXPECT_EQ(bool_attr(mm, "transpose_b"), false);
  EXPECT_EQ(repaired.done(),
            (Lines{"attr-empty mm: gave the attribute transpose_a its default",
                   "attr-default-missing mm: wrote down the default of transpose_b"}));
  attrs[0].second = "";
  EXPECT_EQ(Mended(with({"x", "w"}, attrs)).done().size(), 2U) << "T has none";
}

TEST(Repair, LeavesOutWrongOutputShapes) {
  Attrs attrs = all_attrs();
  attrs.emplace_back("_output_shapes", std::string("\x0A\x00", 2));
  EXPECT_EQ(Mended(with({"x", "w"}, attrs)).done(),
            Lines{"output-shapes-count mm: removed the attribute _output_shapes"});
}

TEST(Repair, LeavesOutWhatANewerProducerWroteByDefault) {
  tensorflow::MetaGraphDef meta;
  auto& op = *meta.mutable_meta_info_def()->mutable_stripped_op_list()->add_op();
  op.set_name("MatMul");
  auto& attr = *op.add_attr();
  attr.set_name("sparse");
  attr.set_type("bool");
  attr.mutable_default_value()->set_b(true);
  for (const bool value : {true, false}) {
    Attrs attrs = all_attrs();
    attrs.emplace_back("sparse", bool_value(value));
    Model model = model_with(graph_of(with({"x", "w"}, attrs)));
    EXPECT_EQ(Mended(model).done(), Lines()) << "nobody says what its default is";
    set_meta(model, meta);
    EXPECT_EQ(Mended(model).done().size(), value ? 1U : 0U);
  }
}

TEST(Repair, MendsBodiesOfFunctionsToo) {
  const auto relu = [](const std::string& name, const Lines& inputs) {
    return node(name, "Tanh", inputs, kFloats);
  };
  Parts parts;
  parts.nodes = {placeholder("x", {2}), call("c", "F")};
  parts.functions = {body("F", {{"a", kFloat32}}, {{"r", kFloat32, "n:y:0"}},
                          {node("init", "NoOp"), relu("n", {"^init", "a", "^init", "^gone"})})};
  parts.functions.push_back(parts.functions[0]);  // a copy, which TensorFlow drops
  const Graph graph = graph_of(parts);
  EXPECT_EQ(verdict_of(graph).errors, 1U);
  const Mended repaired(graph);
  EXPECT_EQ(described(repaired.model.graph, "F")[2], "n = Tanh(a, ^init)");
  EXPECT_EQ(repaired.model.graph.functions().size(), 1U);
  EXPECT_EQ(verdict_of(repaired.model.graph).errors, 0U);
}

TEST(Repair, TakesNodesOfOneNameApart) {
  Attrs attrs = all_attrs();
  std::vector<std::string> nodes = with({"x", "w"});
  nodes.push_back(node("mm", "MatMul", {"w", "x", "^gone"}, attrs));
  const Mended repaired(nodes);
  EXPECT_EQ(described(repaired.model.graph),
            (Lines{"x = Placeholder()", "w = Const()", "init = NoOp()", "mm = MatMul(x, w)",
                   "mm = MatMul(w, x)"}));
}

TEST(Repair, KeepsOneOfNodesThatAreTheSame) {
  std::vector<std::string> nodes = with({"x", "w"});
  nodes.push_back(nodes.back());
  const Mended repaired(nodes);
  EXPECT_EQ(described(repaired.model.graph).size(), 4U);
  EXPECT_EQ(repaired.done(), Lines{"duplicate-node-name mm: removed a copy of the node"});
}

// Exactly the fixable findings are repaired, and once is enough.
TEST(Repair, MendsWhatIsFixableAndNothingElse) {
  Attrs attrs = all_attrs();
  attrs[1].second = "";
  attrs[0].second = type_value(9999);
  attrs.emplace_back("_class", string_list_value({"loc:@gone"}));
  const std::vector<std::vector<std::string>> graphs = {
      with({"^gone", "x", "gone", "^init", "^init"}, attrs), with({"x"}), with({"x", "^w:0"}),
      base_with()};
  for (const auto& nodes : graphs) {
    const Graph graph = graph_of(nodes);
    const auto before = verdict_of(graph).diagnostics;
    const Mended repaired(graph);
    const auto after = verdict_of(repaired.model.graph).diagnostics;
    const auto fixable = [](const Diagnostics& all) {
      return std::count_if(all.all().begin(), all.all().end(),
                           [](const Diagnostic& each) { return each.fixable; });
    };
    EXPECT_EQ(fixable(after), 0);
    EXPECT_EQ(fixable(before) == 0, repaired.repaired.empty());
    EXPECT_EQ(Mended(repaired.model).model.graph.skeleton(), repaired.model.graph.skeleton());
  }
}

TEST(Repair, IsWhatValidateDoesWithFix) {
  const Model model = model_with(graph_of(with({"^gone", "x", "w"})));
  const auto run = [&](const char* options) {
    return run_verb("validate", model, *parse_options(options), &ops(), Diagnostics());
  };
  const Outcome plain = run("{}");
  EXPECT_EQ(plain.status, kNo);
  EXPECT_FALSE(plain.model);
  EXPECT_EQ(plain.report.diagnostics.all().at(0).fixable, true);
  const Outcome repaired = run(R"({"fix": true, "out": "o.pb"})");
  EXPECT_EQ(repaired.status, kDone);
  ASSERT_TRUE(repaired.model);
  const Json report = report_of(repaired);
  EXPECT_EQ(report["valid"], true);
  EXPECT_EQ(report["repaired"].size(), 2U) << to_string(report);
  EXPECT_EQ(run(R"({"out": "o.pb"})").status, kBadCommandLine);
}

}  // namespace
}  // namespace cryo
