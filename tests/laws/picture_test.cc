// The laws of pictures: every node is in one closed box, nothing overlaps, edges lead down.

#include <algorithm>

#include "laws.h"
#include "layout/draw.h"
#include "layout/write/picture_json.h"
#include "layout/write/picture_svg.h"
#include "picture_laws.h"

namespace cryo::laws {
namespace {

constexpr uint64_t kEverything = 1'000;  // groups around a group, at most
constexpr size_t kMostNodes = 6'000;     // of graphs that are drawn whole

void expect_lawful(const Case& of, const Picture& picture) {
  const std::vector<std::string> faults = picture_faults(picture);
  EXPECT_TRUE(faults.empty()) << of.name() << ": " << faults.size() << " faults, first "
                              << faults.front();
}

Picture drawn(const Graph& graph, const DrawOptions& options) {
  Result<Picture> picture = draw(graph, options);
  EXPECT_TRUE(picture.ok());
  return picture ? std::move(*picture) : Picture();
}

TEST(PictureLaws, FirstViewsAreLawful) {
  Tally tally("the first view is lawful, and the same twice");
  for (const Case& each : cases()) {
    const Opened opened(each);
    if (!opened.model || !opened.model->has_graph) {
      tally.skip("no graph");
      continue;
    }
    const Picture picture = drawn(opened.model->graph, {});
    expect_lawful(each, picture);
    EXPECT_TRUE(picture_json(picture, "m") == picture_json(drawn(opened.model->graph, {}), "m"))
        << each.name();
    tally.held();
  }
  EXPECT_GT(tally.count(), 100);
}

TEST(PictureLaws, WholePicturesAreLawful) {
  Tally tally("everything open is lawful, folded and raw, and has every input");
  for (const Case& each : cases()) {
    const Opened opened(each);
    if (!opened.model || opened.model->graph.nodes().size() > kMostNodes) {
      tally.skip("too large");
      continue;
    }
    const Graph& graph = opened.model->graph;
    const bool flat = graph.functions().empty();
    const NodeNames names(graph.nodes());
    for (const bool raw : {false, true}) {
      const Picture picture = drawn(graph, {.opening = {.depth = kEverything}, .raw = raw});
      expect_lawful(each, picture);
      if (!flat || !names.duplicates().empty()) continue;
      uint64_t tensors = 0;
      for (const PictureEdge& edge : picture.edges) tensors += edge.tensors;
      EXPECT_EQ(tensors, crossing_inputs(graph, picture)) << each.name();
    }
    tally.held();
  }
  EXPECT_GT(tally.count(), 100);
}

TEST(PictureLaws, OpeningKeepsTheOrderOfSiblings) {
  Tally tally("opening a group keeps the order of its siblings");
  for (const Case& each : cases()) {
    const Opened opened(each);
    if (!opened.model) continue;
    const Picture before = drawn(opened.model->graph, {});
    const auto closed = std::find_if(before.boxes.begin(), before.boxes.end(), [](const Box& box) {
      return !box.is_open && box.kind != BoxKind::kNode;
    });
    if (closed == before.boxes.end()) {
      tally.skip("nothing to open");
      continue;
    }
    DrawOptions options;
    for (const std::string& name : before.open) options.opening.groups.push_back(Glob(name));
    options.opening.groups.push_back(Glob(closed->name));
    const Picture after = drawn(opened.model->graph, options);
    EXPECT_EQ(after.open.size(), before.open.size() + 1) << each.name() << ": " << closed->name;
    const std::vector<std::string> moved = moved_siblings(before, after);
    EXPECT_TRUE(moved.empty()) << each.name() << ": " << moved.front();
    tally.held();
  }
  EXPECT_GT(tally.count(), 20);
}

}  // namespace
}  // namespace cryo::laws
