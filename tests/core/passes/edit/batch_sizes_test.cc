#include "passes/edit/batch_sizes.h"

#include <algorithm>

#include "functions.h"

namespace cryo {
namespace {

const Attrs kTypes = {{"T", type_value(kFloat32)}};

std::string sized(std::string_view name, std::string_view op, const Lines& inputs,
                  std::string_view type_of_sizes) {
  Attrs attrs = kTypes;
  attrs.emplace_back(type_of_sizes, type_value(kInt32));
  return node(name, op, inputs, attrs);
}

std::string reshape(std::string_view name, const Lines& inputs) {
  return sized(name, "Reshape", inputs, "Tshape");
}

std::string joined(std::string_view name, const std::string& a, const std::string& b) {
  return node(name, "ConcatV2", {a, b, "axis"},
              {{"T", type_value(kFloat32)}, {"Tidx", type_value(kInt32)}, {"N", int_value(2)}});
}

// "NODE INPUT factor", one for each constant that was found, then "kept NODE".
Lines sizes_of(const Lines& nodes, int64_t batch) {
  const Model model = model_of(nodes);
  const uint32_t x = model.graph.index().names().find("x");
  const BatchSizes sizes = find_batch_sizes(model, {x}, batch, &ops());
  Lines lines;
  for (const BatchSize& each : sizes.found) {
    lines.push_back(cat(model.graph.nodes()[each.node].name, " ",
                        model.graph.nodes()[each.constant].name, each.factor == 1 ? "" : " x ",
                        each.factor == 1 ? std::string() : cat(each.factor)));
  }
  std::sort(lines.begin(), lines.end());
  for (const KeptSize& each : sizes.kept) {
    lines.push_back(cat("kept ", model.graph.nodes()[each.node].name));
  }
  return lines;
}

TEST(BatchSizes, OfAReshapeFollowItsInput) {
  EXPECT_EQ(
      sizes_of({placeholder("x", {4, 6}), ints("sizes", {4, 3, 2}), reshape("y", {"x", "sizes"})},
               4),
      Lines({"y sizes"}));
  EXPECT_EQ(
      sizes_of({placeholder("x", {1, 6}), ints("sizes", {1, 3, 2}), reshape("y", {"x", "sizes"})},
               1),
      Lines({"y sizes"}));
}

TEST(BatchSizes, MayBeMultiples) {
  EXPECT_EQ(sizes_of({placeholder("x", {4, 6}), ints("flat", {12, 2}), ints("back", {4, 6}),
                      reshape("y", {"x", "flat"}), reshape("z", {"y", "back"})},
                     4),
            Lines({"y flat x 3", "z back"}));
}

TEST(BatchSizes, AreThoseWithoutWhichShapesDoNotFit) {
  const Lines nodes = {
      placeholder("x", {4, 6}), constant("row", {1, 2}, {1, 2}),
      ints("times", {4, 1}),    sized("table", "Tile", {"row", "times"}, "Tmultiples"),
      ints("axis", {1}, true),  joined("y", "x", "table")};
  EXPECT_EQ(sizes_of(nodes, 4), Lines({"table times"}));
}

// A Fill and the Reshape of it fit each other, and the batch only together.
TEST(BatchSizes, MayBeNeededTogether) {
  const Lines nodes = {placeholder("x", {4, 6}),
                       ints("dims", {4, 3}),
                       constant("one", {1}, {}),
                       node("ones", "Fill", {"dims", "one"},
                            {{"T", type_value(kFloat32)}, {"index_type", type_value(kInt32)}}),
                       ints("sizes", {4, 3, 1}),
                       reshape("deep", {"ones", "sizes"}),
                       ints("flat", {4, 3}),
                       reshape("again", {"deep", "flat"}),
                       ints("axis", {1}, true),
                       joined("y", "x", "again")};
  EXPECT_EQ(sizes_of(nodes, 4), Lines({"again flat", "deep sizes", "ones dims"}));
}

TEST(BatchSizes, MayBeEqualRows) {
  const auto nodes = [](float last) {
    return Lines{placeholder("x", {2, 6}), constant("state", {1, 2, 1, last}, {2, 2}),
                 ints("axis", {1}, true), joined("y", "x", "state")};
  };
  EXPECT_EQ(sizes_of(nodes(2), 2), Lines({"y state"}));
  EXPECT_EQ(sizes_of(nodes(3), 2), Lines({"kept y"})) << "nobody knows further rows";
}

// A kernel has as many rows as the input has columns, which the batch happens to be.
TEST(BatchSizes, AreNoOtherNumbersOfThatSize) {
  const Lines nodes = {
      placeholder("x", {4, 4}), constant("row", {1, 2}, {1, 2}), ints("times", {4, 1}),
      sized("table", "Tile", {"row", "times"}, "Tmultiples"), typed("y", "MatMul", {"x", "table"})};
  EXPECT_EQ(sizes_of(nodes, 4), Lines({"kept table"})) << "nothing shows what it is";
}

TEST(BatchSizes, OfANodeThatTakesNoOtherAreKept) {
  const Lines nodes = {
      placeholder("x", {4, 6}),
      node("parts", "Unpack", {"x"}, {{"T", type_value(kFloat32)}, {"num", int_value(4)}})};
  EXPECT_EQ(sizes_of(nodes, 4), Lines({"kept parts"}));
}

TEST(BatchSizes, WithoutDefinitionsOfOpsAreUnknown) {
  const Model model =
      model_of({placeholder("x", {4, 6}), ints("sizes", {4, 3, 2}), reshape("y", {"x", "sizes"})});
  EXPECT_TRUE(find_batch_sizes(model, {0}, 4, nullptr).found.empty());
}

}  // namespace
}  // namespace cryo
