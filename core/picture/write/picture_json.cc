#include "picture/write/picture_json.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/json_writer.h"
#include "base/text.h"
#include "picture/write/colors.h"

namespace cryo {
namespace {

void length(JsonWriter& json, std::string_view name, double value) {
  json.key(name);
  json.raw(length_text(value));
}

void write_box(JsonWriter& json, size_t id, const Box& box, const std::string& tint) {
  json.begin_object();
  json.members("id", id, "kind", box_kind_name(box.kind), "name", box.name, "label", box.label,
               "detail", box.detail, "op", box.op, "role", role_name(box.role), "parent",
               box.parent == kNoBox ? int64_t{-1} : int64_t{box.parent});
  length(json, "x", box.x);
  length(json, "y", box.y);
  length(json, "w", box.w);
  length(json, "h", box.h);
  json.members("nodes", box.nodes, "bytes", box.bytes);
  json.list("parameters", box.parameters, [&](const Parameter& each) {
    json.object("name", each.name, "dtype", dtype_name(base(each.dtype)), "shape", each.shape);
  });
  json.members("repeats", box.repeats, "color", box.color, "tint", tint, "lines",
               box.shown_parameters, "end", box.is_end, "open", box.is_open);
  json.end_object();
}

void write_edge(JsonWriter& json, const PictureEdge& edge) {
  json.begin_object();
  json.members("from", edge.from, "to", edge.to);
  json.list("points", edge.points, [&](double each) { json.raw(length_text(each)); });
  json.members("tensors", edge.tensors, "label", edge.label, "control", edge.control, "back",
               edge.back, "stub", edge.stub, "aside", edge.aside);
  json.end_object();
}

// Writes a list with a line for each item.
template <typename Write>
void write_lines(JsonWriter& json, std::string_view name, size_t count, Write write) {
  json.begin_line();
  json.key(name);
  json.begin_array();
  json.begin_line();
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) json.begin_line();
    write(i);
  }
  json.end_array();
}

}  // namespace

std::string_view box_kind_name(BoxKind kind) {
  constexpr std::array<std::string_view, 4> kKinds = {"node", "group", "stack", "tray"};
  return kKinds[static_cast<size_t>(kind)];
}

double scale_in(const Pane& pane, const Picture& picture) {
  if (picture.width <= 0 || picture.height <= 0) return 1;
  return std::min({pane.width / picture.width, pane.height / picture.height, 1.0});
}

double quarters(double value) { return std::floor(value * 4 + 0.5) / 4; }

std::string length_text(double value) {
  constexpr std::array<std::string_view, 4> kQuarters = {"", ".25", ".5", ".75"};
  const auto quarters = static_cast<int64_t>(std::floor(value * 4 + 0.5));
  const uint64_t size =
      quarters < 0 ? 0 - static_cast<uint64_t>(quarters) : static_cast<uint64_t>(quarters);
  return cat(quarters < 0 ? "-" : "", size / 4, kQuarters[size % 4]);
}

std::string picture_json(const Picture& picture, const std::string& model) {
  JsonWriter json;
  json.begin_object();
  json.members("verb", "draw", "model", model);
  json.key("view");
  json.object("function", picture.function, "open", picture.open, "nodes", picture.nodes);
  length(json, "width", picture.width);
  length(json, "height", picture.height);
  const std::vector<std::string> tints = box_tints(picture.boxes);
  write_lines(json, "boxes", picture.boxes.size(),
              [&](size_t i) { write_box(json, i, picture.boxes[i], tints[i]); });
  write_lines(json, "edges", picture.edges.size(),
              [&](size_t i) { write_edge(json, picture.edges[i]); });
  json.end_object();
  return cat(json.text(), "\n");
}

}  // namespace cryo
