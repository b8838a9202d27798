#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "picture/groups/node_roles.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {

constexpr uint32_t kNoBox = 0xFFFFFFFF;

// A weight or constant that is drawn as a line of a box.
struct Parameter {
  std::string name = {};
  DType dtype = DType::kInvalid;
  Shape shape = {};
};

enum class BoxKind : uint8_t { kNode, kGroup, kStack, kTray };
std::string_view box_kind_name(BoxKind kind);

// Rounds a length to a quarter of a pixel. All lengths are such, so that sums of them are exact.
double quarters(double value);

// The window that a first view fits. Units: CSS pixels.
struct Pane {
  double width = 900;
  double height = 760;
};

// The smallest scale at which a first view may fit its pane: text stays readable.
constexpr double kFirstScale = 0.85;

// Units: CSS pixels at zoom 1, from the picture's top left corner.
struct Box {
  BoxKind kind = BoxKind::kNode;
  std::string name = {};    // of the node, or of the group
  std::string label = {};   // the first line
  std::string detail = {};  // the second line; may be empty
  std::string op = {};      // of a node
  NodeRole role = NodeRole::kInference;
  uint32_t parent = kNoBox;
  double x = 0;
  double y = 0;
  double w = 0;
  double h = 0;
  uint32_t nodes = 0;  // nodes of the graph in it, folded ones included
  uint64_t bytes = 0;  // of the weights in it
  std::vector<Parameter> parameters = {};
  uint32_t shown_parameters = 0;  // how many of them are drawn, the first ones
  uint32_t repeats = 1;           // groups of a stack
  std::string color = {};         // of what is drawn in one color: "conv", "float32", "added"
  bool is_open = false;           // its units are boxes
  bool is_end = false;            // an input or output of the graph
  bool has_stub_in = false;       // edges to it are drawn as stubs
  bool has_stub_out = false;
};

// An edge between two closed boxes.
struct PictureEdge {
  uint32_t from = 0;
  uint32_t to = 0;
  std::vector<double> points = {};  // x0, y0, x1, y1, ...
  uint32_t tensors = 0;
  std::string label = {};  // dtype and shape of the tensor, if one is known; a stub's: its far end
  bool control = false;    // of control inputs alone
  bool back = false;       // leads up: closes a loop
  bool stub = false;       // drawn as two ends that name each other
  bool aside = false;      // a stub to or from a tray: not drawn at all
};

// A model as boxes and edges.
struct Picture {
  std::string function = {};           // whose body it is; empty: the main graph
  std::vector<std::string> open = {};  // names of the open groups
  uint64_t nodes = 0;
  double width = 0;
  double height = 0;
  std::vector<Box> boxes = {};  // each after its parent
  std::vector<PictureEdge> edges = {};
};

// Returns the scale at which the picture fits the pane, 1 at most.
double scale_in(const Pane& pane, const Picture& picture);

}  // namespace cryo
