#include "picture/write/picture_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "picture/write/colors.h"

namespace cryo {
namespace {

bool is_plain(std::string_view text) {
  for (const char each : text) {
    if (each < 0x20 || each > 0x7E || each == '"' || each == '\\') return false;
  }
  return true;
}

void add_text(std::string& out, std::string_view text) {
  if (!is_plain(text)) {
    out += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return;
  }
  out += '"';
  out += text;
  out += '"';
}

void add_member(std::string& out, std::string_view key, std::string_view value) {
  out += cat(",\"", key, "\":");
  add_text(out, value);
}

// A string beyond 2^53, which JavaScript's numbers do not hold.
std::string number_text(uint64_t number) {
  constexpr uint64_t kLargest = uint64_t{1} << 53;
  return number > kLargest ? cat('"', number, '"') : cat(number);
}

void add_shape(std::string& out, const Shape& shape) {
  if (shape.unknown_rank) {
    out += "null";
    return;
  }
  out += '[';
  for (size_t i = 0; i < shape.dims.size(); ++i) out += cat(i == 0 ? "" : ",", shape.dims[i]);
  out += ']';
}

void add_parameters(std::string& out, const std::vector<Parameter>& parameters) {
  out += ",\"parameters\":[";
  for (size_t i = 0; i < parameters.size(); ++i) {
    out += i == 0 ? "{\"name\":" : ",{\"name\":";
    add_text(out, parameters[i].name);
    add_member(out, "dtype", dtype_name(base(parameters[i].dtype)));
    out += ",\"shape\":";
    add_shape(out, parameters[i].shape);
    out += '}';
  }
  out += ']';
}

std::string_view truth(bool value) { return value ? "true" : "false"; }

void add_box(std::string& out, size_t id, const Box& box, const std::string& tint) {
  out += cat("{\"id\":", id);
  add_member(out, "kind", box_kind_name(box.kind));
  add_member(out, "name", box.name);
  add_member(out, "label", box.label);
  add_member(out, "detail", box.detail);
  add_member(out, "op", box.op);
  add_member(out, "role", role_name(box.role));
  out += ",\"parent\":";
  out += box.parent == kNoBox ? "-1" : cat(box.parent);
  out += cat(",\"x\":", length_text(box.x), ",\"y\":", length_text(box.y));
  out += cat(",\"w\":", length_text(box.w), ",\"h\":", length_text(box.h));
  out += cat(",\"nodes\":", box.nodes, ",\"bytes\":", number_text(box.bytes));
  add_parameters(out, box.parameters);
  out += cat(",\"repeats\":", box.repeats);
  add_member(out, "color", box.color);
  add_member(out, "tint", tint);
  out += cat(",\"lines\":", box.shown_parameters, ",\"end\":", truth(box.is_end),
             ",\"open\":", truth(box.is_open), "}");
}

void add_edge(std::string& out, const PictureEdge& edge) {
  out += cat("{\"from\":", edge.from, ",\"to\":", edge.to, ",\"points\":[");
  for (size_t i = 0; i < edge.points.size(); ++i)
    out += cat(i == 0 ? "" : ",", length_text(edge.points[i]));
  out += cat("],\"tensors\":", edge.tensors);
  add_member(out, "label", edge.label);
  out += cat(",\"control\":", truth(edge.control), ",\"back\":", truth(edge.back),
             ",\"stub\":", truth(edge.stub), ",\"aside\":", truth(edge.aside), "}");
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
  std::string out = "{\"verb\":\"draw\"";
  add_member(out, "model", model);
  out += ",\"view\":{\"function\":";
  add_text(out, picture.function);
  out += ",\"open\":[";
  for (size_t i = 0; i < picture.open.size(); ++i) {
    if (i > 0) out += ',';
    add_text(out, picture.open[i]);
  }
  out += cat("],\"nodes\":", picture.nodes, "},\"width\":", length_text(picture.width));
  out += cat(",\"height\":", length_text(picture.height), ",\n\"boxes\":[\n");
  const std::vector<std::string> tints = box_tints(picture.boxes);
  for (size_t i = 0; i < picture.boxes.size(); ++i) {
    if (i > 0) out += ",\n";
    add_box(out, i, picture.boxes[i], tints[i]);
  }
  out += "],\n\"edges\":[\n";
  for (size_t i = 0; i < picture.edges.size(); ++i) {
    if (i > 0) out += ",\n";
    add_edge(out, picture.edges[i]);
  }
  out += "]}\n";
  return out;
}

}  // namespace cryo
