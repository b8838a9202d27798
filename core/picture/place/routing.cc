#include "picture/place/routing.h"

#include <algorithm>

namespace cryo {
namespace {

class Router {
 public:
  Router(const BoxTree& boxes, const OpenGroups& groups,
         const std::map<uint32_t, Contents>& contents)
      : boxes_(boxes), groups_(groups), contents_(contents) {}

  // The two ends of a stub; the writers draw only these.
  void place_stub(PictureEdge& edge) const {
    const Box& from = boxes_.boxes[edge.from];
    const Box& to = boxes_.boxes[edge.to];
    edge.points = {quarters(from.x + from.w / 2), from.y + from.h, quarters(to.x + to.w / 2), to.y};
    edge.back = edge.points[3] <= edge.points[1];
  }

  // From the source out of the groups around it, and into those around the target.
  void route(PictureEdge& edge) {
    std::vector<Step> steps;
    std::vector<Step> inwards;
    uint32_t from = edge.from;
    uint32_t to = edge.to;
    const auto parent = [&](uint32_t box) { return boxes_.boxes[box].parent; };
    while (parent(from) != parent(to)) {
      const bool leaves = boxes_.depths[from] >= boxes_.depths[to];
      const bool enters = boxes_.depths[to] >= boxes_.depths[from];
      if (leaves) {
        steps.push_back({parent(from), from, kNoBox});
        from = parent(from);
      }
      if (enters) {
        inwards.push_back({parent(to), kNoBox, to});
        to = parent(to);
      }
    }
    steps.push_back({parent(to), from, to});
    steps.insert(steps.end(), inwards.rbegin(), inwards.rend());
    for (const Step& step : steps) add_step(edge, step);
    const Box& end = boxes_.boxes[edge.to];
    const double x = std::clamp(last_x_, end.x, end.x + end.w);
    edge.points.push_back(quarters(x));
    edge.points.push_back(end.y);
  }

 private:
  // A step of an edge's way: from one unit of a group to another; kNoBox: across its border.
  struct Step {
    uint32_t group;
    uint32_t from;
    uint32_t to;
  };

  void add_step(PictureEdge& edge, const Step& step) {
    const UnitPlaces& places = groups_.at(step.group).places;
    const auto unit = [&](uint32_t box) {
      return box == kNoBox ? kBorder : places.of(boxes_.units[box]);
    };
    const std::vector<uint32_t>& column_of = contents_.at(step.group).column_of;
    const uint32_t from = unit(step.from);
    const uint32_t to = unit(step.to);
    const uint32_t end = column_of[to == kBorder ? from : to];
    const uint32_t start = from == kBorder ? end : column_of[from];
    if (start != end) add_way(edge, step.group, start, kBorder);
    if (from == kBorder || start != end) add_connector(edge, step.group, start, end);
    add_way(edge, step.group, end, to);
  }

  double left_of(uint32_t group) {
    return contents_.at(group).left + (group == kNoBox ? 0 : boxes_.boxes[group].x);
  }
  double top_of(uint32_t group) {
    return contents_.at(group).top + (group == kNoBox ? 0 : boxes_.boxes[group].y);
  }

  // The part of an edge's way from one column to another, or from the border if they are one.
  void add_connector(PictureEdge& edge, uint32_t group, uint32_t start, uint32_t end) {
    const std::vector<Connector>& all = contents_.at(group).connectors;
    auto at = std::lower_bound(all.begin(), all.end(), edge.from,
                               [](const Connector& each, uint32_t net) { return each.net < net; });
    const auto fits = [&](const Connector& each) {
      return each.to == end && each.enters == (start == end) && (each.enters || each.from == start);
    };
    while (at != all.end() && at->net == edge.from && !fits(*at)) ++at;
    if (at == all.end() || at->net != edge.from) return;
    const Column& column = contents_.at(group).columns[end];
    const double entry = left_of(group) + column.left + route_of(column, edge.from).xs[0];
    if (!at->enters) {
      turn(edge, last_x_, top_of(group) + at->bottom, left_of(group) + at->gutter);
      last_x_ = left_of(group) + at->gutter;
    }
    turn(edge, last_x_, top_of(group) + at->top, entry);
    last_x_ = entry;
  }

  static void turn(PictureEdge& edge, double x, double y, double next) {
    if (quarters(x) == quarters(next)) return;
    edge.points.insert(edge.points.end(), {quarters(x), quarters(y), quarters(next), quarters(y)});
  }

  static const EdgeRoute& route_of(const Column& column, uint32_t net) {
    const std::vector<EdgeRoute>& routes = column.arrangement.routes;
    return *std::lower_bound(routes.begin(), routes.end(), net,
                             [](const EdgeRoute& route, uint32_t key) { return route.net < key; });
  }

  // The part of an edge's way within one column, to a unit or the border.
  void add_way(PictureEdge& edge, uint32_t group, uint32_t at_column, uint32_t unit) {
    const Column& column = contents_.at(group).columns[at_column];
    const EdgeRoute& route = route_of(column, edge.from);
    const double left = left_of(group) + column.left;
    const double top = top_of(group) + column.top;
    const auto sink = std::find_if(route.sinks.begin(), route.sinks.end(),
                                   [&](const EdgeRoute::Sink& each) { return each.unit == unit; });
    if (edge.points.empty()) {
      const Box& start = boxes_.boxes[edge.from];
      const double x = std::clamp(left + route.xs[0], start.x, start.x + start.w);
      edge.points = {quarters(x), start.y + start.h};
      last_x_ = x;
    }
    for (size_t row = route.first; row < sink->row; ++row) {
      const size_t at = row - route.first;
      const double next = left + (row + 1 == sink->row ? sink->x : route.xs[at + 1]);
      turn(edge, left + route.xs[at], top + route.turns[at], next);
      last_x_ = next;
    }
  }

  const BoxTree& boxes_;
  const OpenGroups& groups_;
  const std::map<uint32_t, Contents>& contents_;
  double last_x_ = 0;
};

}  // namespace

void route_edges(const BoxTree& boxes, const OpenGroups& groups,
                 const std::map<uint32_t, Contents>& contents, std::vector<PictureEdge>& edges) {
  Router router(boxes, groups, contents);
  for (PictureEdge& edge : edges) edge.stub ? router.place_stub(edge) : router.route(edge);
}

}  // namespace cryo
