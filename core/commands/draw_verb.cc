#include "commands/draw_verb.h"

#include <array>
#include <charconv>
#include <set>
#include <utility>

#include "base/reference.h"
#include "base/text.h"
#include "formats/pairing.h"
#include "model/analysis/likely_outputs.h"
#include "passes/diff/structure_difference.h"
#include "picture/draw.h"
#include "picture/write/picture_html.h"
#include "picture/write/picture_json.h"
#include "picture/write/picture_svg.h"

namespace cryo {
namespace {

using WritePicture = std::string (*)(const Picture&, const std::string& model);

struct PictureFormat {
  std::string_view ending;
  WritePicture write;
};

constexpr std::array<PictureFormat, 3> kFormats = {{
    {".svg", picture_svg},
    {".html", picture_html},
    {".json", picture_json},
}};

// A file of the picture.
struct OutputFormat {
  std::string path;
  const PictureFormat* format;
};

// The file that is named; without a name the layout and the SVG.
Result<std::vector<OutputFormat>> formats_of(const std::string& out) {
  if (out.empty())
    return std::vector<OutputFormat>{{"picture.json", &kFormats[2]}, {"picture.svg", &kFormats[0]}};
  for (const PictureFormat& format : kFormats) {
    if (out.ends_with(format.ending)) return std::vector<OutputFormat>{{out, &format}};
  }
  return failure("unknown-format", cat("'", out, "' does not end in .svg, .html or .json"), {},
                 "name the file NAME.svg, NAME.html or NAME.json");
}

Result<ColorBy> color_of(const std::string& name) {
  const auto color = color_by(name.empty() ? "op" : name);
  if (color) return *color;
  return failure("bad-option", "the option 'color' takes op, role, weights, device or dtype", {},
                 ADVICE("see-help"));
}

// "900x760".
Result<Pane> pane_of(const std::string& size) {
  if (size.empty()) return Pane();
  constexpr uint32_t kLargest = 100'000;
  uint32_t width = 0;
  uint32_t height = 0;
  const char* end = size.data() + size.size();
  const auto first = std::from_chars(size.data(), end, width);
  const bool has_cross = first.ptr != end && *first.ptr == 'x';
  const char* const last = has_cross ? std::from_chars(first.ptr + 1, end, height).ptr : end;
  const auto fits = [](uint32_t side) { return side > 0 && side <= kLargest; };
  if (has_cross && last == end && fits(width) && fits(height))
    return Pane{static_cast<double>(width), static_cast<double>(height)};
  return failure("bad-option", cat("'", size, "' is no size such as 900x760"), {},
                 ADVICE("see-help"));
}

// The model that is drawn: what the outputs need, where some are named.
Result<Model> chosen(const Model& model, const Options& options, const OpRegistry* ops,
                     Diagnostics& diagnostics) {
  const Selection& selection = options.draw.selection;
  if (selection.outputs.empty() && selection.inputs.empty()) return model;
  TRY(pruned, prune(model, {.selection = selection}, ops, diagnostics));
  return std::move(pruned.model);
}

// Marks what the model has and the other has not, and the other way, and what differs. What only
// the other has is drawn, too: it is added to the graph.
Status compare(const Model& other, Model& view, DrawOptions& options) {
  TRY(difference, structure_difference(other, view, {}));
  const auto mark = [&](const NodePlace& place, const char* as) {
    if (place.function == options.function) options.marks[place.name] = as;
  };
  for (const NodePlace& place : difference.added) mark(place, "added");
  for (const NodeChange& change : difference.changed) mark(change.place, "changed");
  std::set<std::string_view> removed;
  for (const NodePlace& place : difference.removed) {
    mark(place, "removed");
    if (place.function.empty()) removed.insert(place.name);
  }
  GraphBuilder builder(view.graph);
  for (const Node& node : view.graph.nodes()) builder.add(node);
  builder.add_functions_of(view.graph);
  for (const Node& node : other.graph.nodes()) {
    if (removed.contains(node.name)) builder.add(std::string(node.bytes));
  }
  view.graph = builder.finish();
  if (options.marks.empty()) options.marks[""] = "same";  // all are
  return Unit{};
}

ViewEnd end_of(const Endpoint& of) {
  return {of.name, std::string(parse_tensor_name(of.key).node)};
}

// Returns the inputs that inspect lists, and the outputs that are chosen.
ViewEnds ends_of(const Model& model, const std::string& function) {
  ViewEnds ends;
  if (!function.empty()) return ends;
  const Endpoints all = likely_endpoints(model);
  for (const Endpoint& each : all.inputs) ends.inputs.push_back(end_of(each));
  for (const Endpoint& each : all.outputs) {
    if (each.chosen) ends.outputs.push_back(end_of(each));
  }
  return ends;
}

void describe(const Picture& picture, JsonWriter& members) {
  members.key("view");
  members.object("function", picture.function, "open", picture.open, "nodes", picture.nodes);
  members.members("width", picture.width, "height", picture.height, "boxes", picture.boxes.size(),
                  "edges", picture.edges.size());
}

Result<Outcome> draw_model(const Model& model, const Options& options, const OpRegistry* ops,
                           const Diagnostics& opening) {
  CHECK_OK(require_graph(model));
  TRY(formats, formats_of(options.write.out));
  DrawOptions draw_options{options.draw.opening, options.draw.raw, options.function};
  TRY(color, color_of(options.draw.color));
  draw_options.color = color;
  TRY(pane, pane_of(options.draw.size));
  draw_options.pane = pane;
  Diagnostics diagnostics = opening;
  TRY(view, chosen(model, options, ops, diagnostics));
  draw_options.ends = ends_of(view, options.function);
  if (options.other() != nullptr) CHECK_OK(compare(*options.other(), view, draw_options));
  TRY(picture, draw(view.graph, draw_options));
  Outcome outcome{{"draw", model.name, diagnostics}};
  describe(picture, outcome.report.members);
  for (const OutputFormat& each : formats) {
    const std::string text = each.format->write(picture, std::string(base_name(model.name)));
    outcome.files.push_back({each.path, Splice(fresh(text))});
  }
  return outcome;
}

}  // namespace

Outcome run_draw(const Model& model, const Options& options, const OpRegistry* ops,
                 const Diagnostics& opening) {
  Result<Outcome> drawn = draw_model(model, options, ops, opening);
  if (!drawn) return cannot("draw", model.name, drawn.error(), opening);
  return std::move(*drawn);
}

}  // namespace cryo
