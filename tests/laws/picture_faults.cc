#include "picture_faults.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "graph/node.h"
#include "picture/captions.h"
#include "picture/glyphs.h"
#include "picture/write/picture_json.h"

namespace cryo::laws {
namespace {

constexpr double kApart = 4;
constexpr size_t kMaxBoxes = 40;  // of a first view

bool is_within(const Box& inner, double x, double y, double w, double h) {
  return inner.x >= x && inner.y >= y && inner.x + inner.w <= x + w && inner.y + inner.h <= y + h;
}

bool is_on_border(const Box& box, double x, double y) {
  const bool within = x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h;
  const bool on_side = x == box.x || x == box.x + box.w || y == box.y || y == box.y + box.h;
  return within && on_side;
}

// Returns true if an edge leads down; or up only on its way right to another column.
bool leads_on(const std::vector<double>& points) {
  bool changes_column = false;
  for (size_t i = 3; i < points.size(); i += 2) {
    if (points[i] >= points[i - 2]) continue;
    const bool came_right = i >= 5 && points[i - 3] > points[i - 5];
    if (!came_right) return false;
    changes_column = true;
  }
  return changes_column || points.back() > points[1];
}

bool fits(const Box& box) {
  double width = std::max(text_width(box.label, TextStyle::kTitle),
                          text_width(box.detail, TextStyle::kDetail));
  if (box.is_open) width = text_width(box.label, TextStyle::kTitle);
  return width <= box.w;
}

bool overlap(const Box& a, const Box& b) {
  return a.x < b.x + b.w + kApart && b.x < a.x + a.w + kApart && a.y < b.y + b.h + kApart &&
         b.y < a.y + a.h + kApart;
}

std::map<uint32_t, std::vector<const Box*>> children_of(const Picture& picture) {
  std::map<uint32_t, std::vector<const Box*>> children;
  for (const Box& box : picture.boxes) children[box.parent].push_back(&box);
  return children;
}

void find_overlaps(std::vector<const Box*> siblings, std::vector<std::string>& faults) {
  std::sort(siblings.begin(), siblings.end(),
            [](const Box* a, const Box* b) { return a->y < b->y; });
  for (size_t i = 0; i < siblings.size(); ++i) {
    for (size_t j = i + 1; j < siblings.size(); ++j) {
      if (siblings[j]->y >= siblings[i]->y + siblings[i]->h + kApart) break;
      if (overlap(*siblings[i], *siblings[j]))
        faults.push_back(cat(siblings[i]->name, " overlaps ", siblings[j]->name));
    }
  }
}

void check_box(const Picture& picture, const Box& box, std::vector<std::string>& faults) {
  const bool inside = box.parent == kNoBox
                          ? is_within(box, 0, 0, picture.width, picture.height)
                          : is_within(box, picture.boxes[box.parent].x, picture.boxes[box.parent].y,
                                      picture.boxes[box.parent].w, picture.boxes[box.parent].h);
  if (!inside) faults.push_back(cat(box.name, " is outside"));
  if (!fits(box)) faults.push_back(cat(box.name, ": the label does not fit"));
}

void check_edge(const Picture& picture, const PictureEdge& edge, std::vector<std::string>& faults) {
  const Box& from = picture.boxes[edge.from];
  const Box& to = picture.boxes[edge.to];
  const std::string name = cat(from.name, " -> ", to.name);
  const std::vector<double>& points = edge.points;
  if (!is_on_border(from, points[0], points[1])) faults.push_back(cat(name, ": the start"));
  if (!is_on_border(to, points[points.size() - 2], points.back()))
    faults.push_back(cat(name, ": the end"));
  const bool wrong =
      edge.stub ? edge.back == (points.back() > points[1]) : edge.back || !leads_on(points);
  if (wrong) faults.push_back(cat(name, ": the direction"));
  if (from.is_open || to.is_open) faults.push_back(cat(name, ": an end is open"));
}

bool is_above(const Box& a, const Box& b) { return a.y + a.h <= b.y; }

// Above, and in one column.
bool is_over(const Box& a, const Box& b) {
  return is_above(a, b) && a.x < b.x + b.w && b.x < a.x + a.w;
}

bool is_aside(const Picture& picture, const Box& box) {
  if (box.kind == BoxKind::kTray) return true;
  return box.parent != kNoBox && is_aside(picture, picture.boxes[box.parent]);
}

std::vector<bool> reached(const std::vector<std::vector<uint32_t>>& next,
                          std::vector<uint32_t> open) {
  std::vector<bool> reached(next.size(), false);
  for (const uint32_t start : open) reached[start] = true;
  while (!open.empty()) {
    const uint32_t box = open.back();
    open.pop_back();
    for (const uint32_t to : next[box]) {
      if (reached[to]) continue;
      reached[to] = true;
      open.push_back(to);
    }
  }
  return reached;
}

}  // namespace

std::vector<std::string> first_view_faults(const Picture& picture, const Pane& pane) {
  std::vector<std::string> faults;
  size_t count = 0;
  for (const Box& box : picture.boxes) {
    if (!box.is_open && !is_aside(picture, box)) ++count;
    const size_t cut = box.label.find("…");
    if (cut != std::string::npos && cut + std::string_view("…").size() != box.label.size())
      faults.push_back(cat(box.label, ": an ellipsis within the label"));
    if (box.kind == BoxKind::kStack && box.repeats < 3)
      faults.push_back(cat(box.name, ": a stack of ", box.repeats));
  }
  for (const auto& [parent, children] : children_of(picture)) {
    if (parent != kNoBox && children.size() == 1)
      faults.push_back(cat(picture.boxes[parent].name, ": a frame with a single child"));
  }
  if (count > kMaxBoxes) faults.push_back(cat(count, " boxes"));
  const double scale = scale_in(pane, picture);
  if (scale < kFirstScale && !picture.open.empty())
    faults.push_back(cat("scale ", length_text(scale)));
  return faults;
}

std::vector<std::string> hidden_outputs(const Picture& picture, const ViewEnds& ends) {
  std::set<std::string_view> shown;
  for (const Box& box : picture.boxes) {
    if (box.kind == BoxKind::kStack && box.label.ends_with(" outputs")) return {};
    if (box.kind == BoxKind::kNode) shown.insert(box.name);
  }
  std::vector<std::string> hidden;
  for (const ViewEnd& end : ends.outputs) {
    const std::string_view name = parse_tensor_name(end.tensor).node;
    if (!shown.contains(name)) hidden.emplace_back(name);
  }
  return hidden;
}

double share_on_ways(const Picture& picture) {
  std::vector<std::vector<uint32_t>> next(picture.boxes.size());
  std::vector<std::vector<uint32_t>> previous(picture.boxes.size());
  for (const PictureEdge& edge : picture.edges) {
    if (edge.aside) continue;  // a loss takes an output, too
    next[edge.from].push_back(edge.to);
    previous[edge.to].push_back(edge.from);
  }
  std::vector<uint32_t> inputs;
  std::vector<uint32_t> outputs;
  for (uint32_t i = 0; i < picture.boxes.size(); ++i) {
    const Box& box = picture.boxes[i];
    const bool counts = !box.is_open && !is_aside(picture, box);
    if (counts && (box.is_end || box.label.ends_with(" inputs")) && previous[i].empty())
      inputs.push_back(i);
    if (counts && next[i].empty()) outputs.push_back(i);
  }
  const std::vector<bool> fed = reached(next, inputs);
  const std::vector<bool> needed = reached(previous, outputs);
  uint64_t all = 0;
  uint64_t on_ways = 0;
  for (uint32_t i = 0; i < picture.boxes.size(); ++i) {
    const Box& box = picture.boxes[i];
    if (box.is_open || is_aside(picture, box)) continue;
    all += box.bytes;
    on_ways += fed[i] && needed[i] ? box.bytes : 0;
  }
  return inputs.empty() || all == 0 ? 1 : static_cast<double>(on_ways) / static_cast<double>(all);
}

std::vector<std::string> picture_faults(const Picture& picture) {
  std::vector<std::string> faults;
  uint64_t nodes = 0;
  for (const Box& box : picture.boxes) {
    check_box(picture, box, faults);
    if (!box.is_open) nodes += box.nodes;
  }
  if (nodes != picture.nodes) faults.push_back(cat(nodes, " of ", picture.nodes, " nodes"));
  for (const auto& [parent, siblings] : children_of(picture)) find_overlaps(siblings, faults);
  for (const PictureEdge& edge : picture.edges) check_edge(picture, edge, faults);
  return faults;
}

uint64_t crossing_inputs(const Graph& graph, const Picture& picture) {
  std::unordered_map<std::string_view, bool> drawn;
  for (const Box& box : picture.boxes) {
    if (box.kind == BoxKind::kNode) drawn[box.name] = true;
  }
  uint64_t count = 0;
  for (const Node& node : graph.nodes()) {
    if (!drawn.contains(node.name)) continue;
    for (const std::string_view input : node.inputs()) {
      const std::string_view from = parse_tensor_name(input).node;
      if (from != node.name && drawn.contains(from)) ++count;
    }
  }
  return count;
}

std::vector<std::string> moved_siblings(const Picture& before, const Picture& after) {
  std::map<std::pair<std::string, BoxKind>, const Box*> later;
  for (const Box& box : after.boxes) later[{box.name, box.kind}] = &box;
  std::vector<std::string> moved;
  for (const auto& [parent, siblings] : children_of(before)) {
    for (const Box* a : siblings) {
      for (const Box* b : siblings) {
        const auto a2 = later.find({a->name, a->kind});
        const auto b2 = later.find({b->name, b->kind});
        if (a->kind == BoxKind::kTray || b->kind == BoxKind::kTray) continue;
        if (a == b || a2 == later.end() || b2 == later.end()) continue;
        const Box& one = *a2->second;
        const Box& other = *b2->second;
        const bool level = !is_above(*a, *b) && !is_above(*b, *a);
        const bool level_after = !is_above(one, other) && !is_above(other, one);
        const bool swapped = level && level_after && a->x < b->x && one.x > other.x;
        const bool overturned = is_over(*a, *b) && is_over(other, one);
        if (swapped || overturned) moved.push_back(cat(a->name, ", ", b->name));
      }
    }
  }
  return moved;
}

}  // namespace cryo::laws
