// The laws of pictures: every node is in one closed box, nothing overlaps, edges lead down.

#include <gtest/gtest.h>

#include <algorithm>

#include "laws.h"
#include "model/analysis/likely_outputs.h"
#include "picture/draw.h"
#include "picture/write/picture_json.h"
#include "picture/write/picture_svg.h"
#include "picture_faults.h"
#include "road.h"

namespace cryo::laws {
namespace {

constexpr uint64_t kEverything = 1'000;  // groups around a group, at most
constexpr size_t kMaxNodes = 6'000;      // of graphs that are drawn whole

void expect_lawful(const Picture& picture) {
  const std::vector<std::string> faults = picture_faults(picture);
  EXPECT_TRUE(faults.empty()) << faults.size() << " faults, first " << faults.front();
}

Picture drawn(const Graph& graph, const DrawOptions& options) {
  Result<Picture> picture = draw(graph, options);
  EXPECT_TRUE(picture.ok());
  return picture ? std::move(*picture) : Picture();
}

void first_view(Road& road, Tally& tally) {
  if (!road.model().has_graph) return tally.skip("no graph");
  const Picture picture = drawn(road.model().graph, {});
  expect_lawful(picture);
  EXPECT_TRUE(picture_json(picture, "m") == picture_json(drawn(road.model().graph, {}), "m"));
  ++tally.held;
}

// Returns the ends that inspect lists, as the verb draw does.
ViewEnds ends_of(const Model& model) {
  ViewEnds ends;
  const Endpoints all = likely_endpoints(model);
  for (const Endpoint& each : all.inputs) ends.inputs.push_back({each.name});
  for (const Endpoint& each : all.outputs) {
    if (each.chosen) ends.outputs.push_back({each.name});
  }
  return ends;
}

void first_view_is_readable(Road& road, Tally& tally) {
  const Picture picture = drawn(road.model().graph, {.ends = ends_of(road.model())});
  expect_lawful(picture);
  const std::vector<std::string> faults = first_view_faults(picture, {});
  EXPECT_TRUE(faults.empty()) << faults.front();
  ++tally.held;
}

void outputs_are_in_view(Road& road, Tally& tally) {
  if (!road.model().graph.functions().empty()) return tally.skip("functions give the outputs");
  const ViewEnds ends = ends_of(road.model());
  const Picture picture = drawn(road.model().graph, {.ends = ends});
  const bool all_shown = hidden_outputs(picture, ends).empty();
  ++(all_shown ? tally.held : tally.missed);
}

void weights_are_on_ways(Road& road, Tally& tally) {
  constexpr double kLeast = 0.8;
  const Picture picture = drawn(road.model().graph, {.ends = ends_of(road.model())});
  ++(share_on_ways(picture) >= kLeast ? tally.held : tally.missed);
}

void whole_picture(Road& road, Tally& tally) {
  const Graph& graph = road.model().graph;
  if (graph.nodes().size() > kMaxNodes) return tally.skip("too large");
  const bool flat = graph.functions().empty();
  const NodeNames names(graph.nodes());
  for (const bool raw : {false, true}) {
    const Picture picture = drawn(graph, {.opening = {.depth = kEverything}, .raw = raw});
    expect_lawful(picture);
    if (!flat || !names.duplicates().empty()) continue;
    uint64_t tensors = 0;
    for (const PictureEdge& edge : picture.edges) tensors += edge.tensors;
    EXPECT_EQ(tensors, crossing_inputs(graph, picture));
  }
  ++tally.held;
}

void opening_keeps_the_order(Road& road, Tally& tally) {
  const Picture before = drawn(road.model().graph, {});
  const auto closed = std::find_if(before.boxes.begin(), before.boxes.end(), [](const Box& box) {
    return !box.is_open && box.kind != BoxKind::kNode;
  });
  if (closed == before.boxes.end()) return tally.skip("nothing to open");
  DrawOptions options;
  for (const std::string& name : before.open) options.opening.groups.push_back(Glob(name));
  options.opening.groups.push_back(Glob(closed->name));
  const Picture after = drawn(road.model().graph, options);
  EXPECT_EQ(after.open.size(), before.open.size() + 1) << closed->name;
  const std::vector<std::string> moved = moved_siblings(before, after);
  EXPECT_TRUE(moved.empty()) << moved.front();
  ++tally.held;
}

}  // namespace

std::vector<Law> picture_laws() {
  return {{"the first view is lawful, and the same twice", 100, first_view},
          {"the first view fits its pane, with names and without invented pairs", 100,
           first_view_is_readable},
          {"the first view has the outputs that inspect chooses", 100, outputs_are_in_view, 0.02},
          {"weights in the first view are on ways from inputs to outputs", 100, weights_are_on_ways,
           0.1},
          {"everything open is lawful, folded and raw, and has every input", 100, whole_picture},
          {"opening a group keeps the order of its siblings", 20, opening_keeps_the_order}};
}

}  // namespace cryo::laws
