#include "picture/write/picture_svg.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"
#include "base/utf8.h"
#include "picture/captions.h"
#include "picture/glyphs.h"
#include "picture/write/colors.h"
#include "picture/write/picture_json.h"

namespace cryo {
namespace {

constexpr double kCorner = 6;     // radius of an edge's turns
constexpr size_t kMaxText = 500;  // bytes

std::string point_text(double x, double y) { return cat(length_text(x), " ", length_text(y)); }

// M x y L ... with rounded corners: each corner is a quadratic curve between two places on its
// lines.
std::string path_of(const std::vector<double>& points) {
  std::string path = cat("M", point_text(points[0], points[1]));
  for (size_t i = 2; i + 2 < points.size(); i += 2) {
    const double x = points[i];
    const double y = points[i + 1];
    const auto toward = [&](size_t other, double& to_x, double& to_y) {
      const double dx = points[other] - x;
      const double dy = points[other + 1] - y;
      const double length = std::abs(dx) + std::abs(dy);
      const double part = length == 0 ? 0 : std::min(kCorner, length / 2) / length;
      to_x = x + dx * part;
      to_y = y + dy * part;
    };
    double in_x = 0;
    double in_y = 0;
    double out_x = 0;
    double out_y = 0;
    toward(i - 2, in_x, in_y);
    toward(i + 2, out_x, out_y);
    path += cat("L", point_text(in_x, in_y), "Q", point_text(x, y), " ", point_text(out_x, out_y));
  }
  return cat(path, "L", point_text(points[points.size() - 2], points[points.size() - 1]));
}

// The width is stated, so that text fits its box whatever the font.
void add_svg_text(std::string_view style, double x, double y, std::string_view text, bool middle,
                  std::string& out) {
  const double width =
      text_width(text, style == "t" || style == "f" ? TextStyle::kTitle : TextStyle::kDetail);
  out += cat("<text class=\"", style, "\" x=\"", length_text(middle ? x - width / 2 : x), "\" y=\"",
             length_text(y), "\" textLength=\"", length_text(width),
             "\" lengthAdjust=\"spacingAndGlyphs\">", xml_text(text), "</text>");
}

void add_rect(const std::string& classes, double x, double y, double w, double h, double radius,
              std::string& out) {
  out += cat("<rect class=\"", classes, "\" x=\"", length_text(x), "\" y=\"", length_text(y),
             "\" width=\"", length_text(w), "\" height=\"", length_text(h), "\" rx=\"",
             length_text(radius), "\"/>");
}

// The box that is the n-th of the layout has the id "bn", for pages that show the picture.
size_t index_of(const Picture& picture, const Box& box) {
  return static_cast<size_t>(&box - picture.boxes.data());
}

std::string id_of(const Picture& picture, const Box& box) {
  return cat(" id=\"b", index_of(picture, box), '"');
}

void add_title(const Box& box, std::string& out) {
  out += cat("<title>", xml_text(box.name), box.op.empty() ? "" : "\n", xml_text(box.op));
  for (const Parameter& parameter : box.parameters)
    out += cat("\n", xml_text(parameter_text(parameter)));
  if (box.kind != BoxKind::kNode) out += cat("\n", plural(box.nodes, "node"));
  if (box.bytes > 0) out += cat("\n", human_bytes(box.bytes));
  out += "</title>";
}

// An open group: a frame with its label at the top.
void add_frame(const Picture& picture, const Box& box, std::string& out) {
  out += cat("<g", id_of(picture, box), ">");
  add_title(box, out);
  add_rect(box.kind == BoxKind::kTray ? "o tray" : "o", box.x, box.y, box.w, box.h, 10, out);
  out += "</g>\n";
}

void add_lines(const Box& box, double y, std::string& out) {
  y += 7;
  out += cat("<path class=\"rule\" d=\"M", point_text(box.x, y), "h", length_text(box.w), "\"/>");
  for (uint32_t i = 0; i < box.shown_parameters; ++i) {
    const std::string text = elided(printable(parameter_text(box.parameters[i]), kMaxText),
                                    TextStyle::kDetail, box.w - 2 * kTextInset);
    add_svg_text("p", box.x + kTextInset, y += kLineHeight - 1, text, false, out);
  }
}

void add_svg_box(const Picture& picture, const std::vector<std::string>& tints, const Box& box,
                 std::string& out) {
  const std::string& tint = tints[index_of(picture, box)];
  std::string classes = cat("b ", tint);
  if (box.is_end) classes += " end";
  if (box.kind == BoxKind::kTray) classes += " tray";
  const double radius = box.is_end ? kTitleHeight / 2 : box.kind == BoxKind::kNode ? 5 : 8;
  out += cat("<g", id_of(picture, box), " class=\"", tint, "\">");
  add_title(box, out);
  if (box.kind == BoxKind::kStack) {
    add_rect(classes, box.x + 6, box.y + 6, box.w - 6, box.h, radius, out);
    add_rect(classes, box.x + 3, box.y + 3, box.w - 3, box.h, radius, out);
  }
  add_rect(classes, box.x, box.y, box.w - (box.kind == BoxKind::kStack ? 3 : 0), box.h, radius,
           out);
  const double center = box.x + box.w / 2;
  double y = box.y + 18;
  add_svg_text("t", center, y, box.label, true, out);
  if (!box.detail.empty()) add_svg_text("d", center, y += kDetailHeight - 1, box.detail, true, out);
  if (box.shown_parameters > 0) add_lines(box, y, out);
  out += "</g>\n";
}

void add_svg_edge(const PictureEdge& edge, std::string& out) {
  const double x = edge.points[edge.points.size() - 2];
  const double y = edge.points.back();
  std::vector<double> points = edge.points;
  points.back() -= 4;
  out += cat("<path class=\"e", edge.control ? " control" : "", "\" data-ends=\"", edge.from, " ",
             edge.to, "\" d=\"", path_of(points), "\">",
             edge.label.empty() ? "" : cat("<title>", xml_text(edge.label), "</title>"),
             "</path><path class=\"head\" d=\"M", point_text(x - 3.5, y - 6), "h7L",
             point_text(x, y), "z\"/>\n");
}

void add_stub(const Picture& picture, const Box& box, const std::vector<uint32_t>& ends, bool above,
              std::string& out) {
  std::string text = picture.boxes[ends.front()].label;
  if (ends.size() > 1) text += cat(" +", ends.size() - 1);
  text = cat(above ? "↧ " : "↥ ", elided(text, TextStyle::kDetail, box.w - 12));
  const double center = box.x + box.w / 2;
  const double y = above ? box.y - 4 : box.y + box.h + 4;
  out += cat("<g class=\"stub\"><title>");
  for (const uint32_t end : ends) out += cat(xml_text(picture.boxes[end].name), "\n");
  out +=
      cat("</title><path class=\"tick\" d=\"M", point_text(center, y), "v", above ? 4 : -4, "\"/>");
  add_svg_text("stub", center, above ? y - 2 : y + 9, text, true, out);
  out += "</g>\n";
}

// The far ends of a box's stubs, above and below it.
void add_stubs(const Picture& picture, std::string& out) {
  std::map<uint32_t, std::vector<uint32_t>> sources;
  std::map<uint32_t, std::vector<uint32_t>> targets;
  for (const PictureEdge& edge : picture.edges) {
    if (!edge.stub || edge.aside) continue;
    sources[edge.to].push_back(edge.from);
    targets[edge.from].push_back(edge.to);
  }
  for (const auto& [box, ends] : sources) add_stub(picture, picture.boxes[box], ends, true, out);
  for (const auto& [box, ends] : targets) add_stub(picture, picture.boxes[box], ends, false, out);
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char each : printable(text, kMaxText)) {
    if (each == '&')
      out += "&amp;";
    else if (each == '<')
      out += "&lt;";
    else if (each == '>')
      out += "&gt;";
    else if (each == '"')
      out += "&quot;";
    else
      out += each;
  }
  return out;
}

std::string picture_svg(const Picture& picture, const std::string& model) {
  const std::vector<std::string> tints = box_tints(picture.boxes);
  std::string out;
  const std::string size =
      cat("width=\"", length_text(picture.width), "\" height=\"", length_text(picture.height),
          "\" viewBox=\"0 0 ", point_text(picture.width, picture.height), "\"");
  out = cat("<svg xmlns=\"http://www.w3.org/2000/svg\" ", size, " role=\"img\">\n<title>",
            xml_text(model), "</title>\n<style>", picture_style(), "</style>\n");
  for (const Box& box : picture.boxes) {
    if (box.is_open) add_frame(picture, box, out);
  }
  for (const PictureEdge& edge : picture.edges) {
    if (!edge.stub) add_svg_edge(edge, out);
  }
  for (const Box& box : picture.boxes) {
    if (box.is_open) add_svg_text("f", box.x + 12, box.y + 19, box.label, false, out);
  }
  for (const Box& box : picture.boxes) {
    if (!box.is_open) add_svg_box(picture, tints, box, out);
  }
  add_stubs(picture, out);
  return cat(out, "</svg>\n");
}

}  // namespace cryo
