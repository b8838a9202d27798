#include "passes/diff/structure_difference.h"

#include <gtest/gtest.h>

#include "checked.h"

namespace cryo {
namespace {

std::string described(const NodePlace& place) {
  return place.function.empty() ? place.name : cat(place.function, "/", place.name);
}

// "+added -removed ~changed(what)", and functions and signatures by name.
Lines between(const Model& a, const Model& b, const std::set<std::string>& weights = {}) {
  const auto found = structure_difference(a, b, weights);
  if (!found) return {found.error().code};
  Lines lines;
  for (const NodePlace& place : found->added) lines.push_back(cat("+", described(place)));
  for (const NodePlace& place : found->removed) lines.push_back(cat("-", described(place)));
  for (const NodeChange& change : found->changed) {
    const std::string op = change.op_a.empty() ? "" : cat(" op ", change.op_a, ">", change.op_b);
    const std::string inputs =
        change.inputs ? cat(" ", join(change.inputs_a, ","), ">", join(change.inputs_b, ",")) : "";
    const std::string attrs = change.attrs.empty() ? "" : cat(" ", join(change.attrs, ","));
    lines.push_back(
        cat("~", described(change.place), op, inputs, attrs, change.device ? " device" : ""));
  }
  for (const std::string& name : found->functions.added) lines.push_back(cat("+f ", name));
  for (const std::string& name : found->functions.removed) lines.push_back(cat("-f ", name));
  for (const std::string& name : found->functions.changed) lines.push_back(cat("~f ", name));
  for (const std::string& name : found->signatures.added) lines.push_back(cat("+s ", name));
  for (const std::string& name : found->signatures.removed) lines.push_back(cat("-s ", name));
  for (const std::string& name : found->signatures.changed) lines.push_back(cat("~s ", name));
  EXPECT_EQ(found->equal(), lines.empty());
  return lines;
}

Model of(const Parts& parts) { return Model{Kind::kGraphDef, "m.pb", {}, true, graph_of(parts)}; }

TEST(StructureDifference, OfAModelAndItselfIsNone) {
  EXPECT_EQ(between(of({base_with(), {function("F")}}), of({base_with(), {function("F")}})),
            Lines());
}

TEST(StructureDifference, NamesWhatChangedOfANode) {
  const Model a = of({base_with()});
  EXPECT_EQ(between(a, of({base_with("b", {})})), Lines{"-b"});
  EXPECT_EQ(between(of({base_with("b", {})}), a), Lines{"+b"});
  EXPECT_EQ(between(a, of({base_with("out", {node("out", "Relu", {"add"}, kFloats)})})),
            Lines{"~out op Identity>Relu"});
  EXPECT_EQ(between(a, of({base_with("mm", {node("mm", "MatMul", {"x", "b"}, kFloats)})})),
            Lines{"~mm x,w>x,b"});
  EXPECT_EQ(between(a, of({base_with("mm", {node("mm", "MatMul", {"x", "w"},
                                                 {{"T", type_value(2)}, {"u", type_value(1)}})})})),
            Lines{"~mm T,u"});
}

TEST(StructureDifference, TakesSpellingsOfOneInputForOne) {
  const Model a = of({{node("y", "Op", {"x", "^b", "^a"})}});
  EXPECT_EQ(between(a, of({{node("y", "Op", {"x:0", "^a", "^b"})}})), Lines());
  EXPECT_EQ(between(a, of({{node("y", "Op", {"x:1", "^a", "^b"})}})),
            Lines{"~y x,^a,^b>x:1,^a,^b"});
}

// No valid graph has two nodes of one name; a broken one still is what it is.
TEST(StructureDifference, TakesNodesOfOneNameInTurn) {
  const Model two = of({{node("y", "A"), node("y", "B")}});
  EXPECT_EQ(between(two, two), Lines());
  EXPECT_EQ(between(two, of({{node("y", "A")}})), Lines{"-y"});
  EXPECT_EQ(between(of({{node("y", "A"), node("y", "C")}}), two), Lines{"~y op C>B"});
}

TEST(StructureDifference, LeavesTheValuesOfWeightsToThoseWhoCompareThem) {
  const Model a = of({base_with()});
  const Model b = of({base_with("w", {constant("w", {1, 2, 3, 4, 5, 7}, {2, 3})})});
  EXPECT_EQ(between(a, b), Lines{"~w value"});
  EXPECT_EQ(between(a, b, {"w"}), Lines());
}

TEST(StructureDifference, LooksIntoFunctions) {
  const Model a = of({base_with(), {function("F"), function("G")}});
  EXPECT_EQ(between(a, of({base_with(), {function("F"), function("G", "Relu", "activations")}})),
            (Lines{"~G/n op Tanh>Relu", "~f G"}));
  EXPECT_EQ(between(a, of({base_with(), {function("F"), function("H")}})), (Lines{"+f H", "-f G"}));
  tensorflow::FunctionDef other = function("G");
  other.mutable_signature()->mutable_input_arg(0)->set_type(tensorflow::DT_DOUBLE);
  EXPECT_EQ(between(a, of({base_with(), {function("F"), other}})), Lines{"~f G"});
}

TEST(StructureDifference, ComparesSignaturesByKey) {
  const auto signed_by = [](const std::string& key, const std::string& tensor) {
    Model model = of({base_with()});
    tensorflow::MetaGraphDef meta;
    auto& signature = *meta.add_signature_def();
    signature.set_key(key);
    auto& input = *signature.mutable_value()->add_inputs();
    input.set_key("x");
    input.mutable_value()->set_name(tensor);
    set_meta(model, meta);
    return model;
  };
  EXPECT_EQ(between(signed_by("serve", "x:0"), signed_by("serve", "x:0")), Lines());
  EXPECT_EQ(between(signed_by("serve", "x:0"), signed_by("serve", "w:0")), Lines{"~s serve"});
  EXPECT_EQ(between(signed_by("serve", "x:0"), signed_by("other", "x:0")),
            (Lines{"+s other", "-s serve"}));
}

}  // namespace
}  // namespace cryo
