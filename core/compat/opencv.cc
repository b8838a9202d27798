#include "compat/opencv.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/text.h"
#include "compat/opencv_call.h"
#include "compat/opencv_graph.h"
#include "compat/opencv_rules.h"
#include "compat/runtimes.h"
#include "graph/tensor_info.h"

namespace cryo {
namespace {

constexpr std::string_view kLayouts[] = {"NHWC", "NCHW", "NDHWC", "channels_last",
                                         "channels_first"};

class Reading {
 public:
  Reading(const Graph& graph, const Payloads& payloads, const TensorShapes& shapes,
          const Runtime& opencv)
      : graph_(graph, payloads, shapes), opencv_(opencv), merged_(graph_.size()) {
    for (uint32_t i = 0; i < graph_.size(); ++i) {
      if (!is_layer(i)) continue;
      has_all_layers_ = has_all_layers_ && has_layer(i);
      if (!merged_[i]) merge(OpencvCall(graph_, i));
    }
  }

  std::vector<std::pair<uint32_t, NodeFault>> faults() const {
    std::vector<std::pair<uint32_t, NodeFault>> found;
    bool has_layers = false;
    for (uint32_t i = 0; i < graph_.size(); ++i) {
      if (const auto fault = fault_of(i)) found.emplace_back(i, *fault);
      has_layers = has_layers || is_layer(i);
    }
    if (!has_layers && graph_.size() > 0) found.push_back({0, {.why = "no node makes a layer"}});
    return found;
  }

 private:
  bool is_layer(uint32_t node) const {
    const std::string_view op = graph_[node].op;
    return !graph_[node].is_removed && !OpencvGraph::is_value(op) && op != "Placeholder";
  }

  bool has_layer(uint32_t node) const {
    const OpencvNode& of = graph_[node];
    return of.is_fused || has_opencv_rule(of.op) || opencv_.ops.contains(of.op);
  }

  // Marks the nodes that become a part of this one's layer.
  void merge(const OpencvCall& call) {
    if (const auto bias = opencv_bias_of(call)) merged_[*bias] = true;
    const bool is_convolution = call.op().find("Conv") != std::string_view::npos;
    if (is_convolution) {
      for (const uint32_t each : call.readers("BatchToSpaceND")) merged_[each] = true;
    }
    if (call.op() != "Mul") return;
    // LeakyRelu: Maximum(x, alpha * x)
    const std::vector<uint32_t> maxima = call.readers("Maximum");
    const std::vector<size_t> values = call.constants();
    if (maxima.empty() || values.size() != 1) return;
    if (call.constant(values[0]).stored == 1) merged_[maxima[0]] = true;
  }

  // The switches of training, which are scalars, may be replaced by their defaults.
  bool is_lost_input(uint32_t node) const {
    return graph_[node].op == "PlaceholderWithDefault" && !is_scalar(graph_.definition(node));
  }

  std::optional<NodeFault> fault_of(uint32_t node) const {
    if (is_lost_input(node)) {
      return NodeFault{.why = "it is replaced by its default", .stops_loading = false};
    }
    if (!is_layer(node)) return std::nullopt;
    OpencvCall call(graph_, node);
    const auto format = string_attr(call.definition(), "data_format");
    if (format && !is_one_of(*format, kLayouts))
      return NodeFault{.why = cat("its layout is ", *format)};
    if (merged_[node]) return std::nullopt;
    const OpencvRule& rule = opencv_rule(call.op());
    const bool is_fused = graph_[node].is_fused;
    if (!is_fused && rule.check != nullptr && !rule.check(call)) {
      return NodeFault{.why = call.fault(), .fix = call.fix()};
    }
    const bool may_fit = !is_fused || call.op() == "Reshape";
    if (may_fit && rule.fits != nullptr && !rule.fits(call)) {
      return NodeFault{.why = call.fault(), .stops_loading = false};
    }
    if (!is_fused && !reads_layers(call, rule)) {
      return NodeFault{.why = call.fault(), .stops_loading = !has_all_layers_};
    }
    if (has_layer(node)) return std::nullopt;
    return NodeFault{.why = "it has no layer for the op", .stops_loading = false};
  }

  // Asks whether the inputs that are no constants of the layer are other layers' outputs.
  bool reads_layers(OpencvCall& call, const OpencvRule& rule) const {
    for (size_t place = 0; place < call.inputs().size(); ++place) {
      const bool is_constant = call.has_constant(place);
      if (is_constant && rule.needs_bare_names && call.inputs()[place].has_port_text) {
        return call.fail("the constant of input ", place, " is named with its output");
      }
      const bool may_be_constant = rule.data == OpencvData::kAny;
      if (is_constant && may_be_constant) continue;
      if (is_data(rule.data, place) && !reads_layer(call, place)) return false;
    }
    return true;
  }

  static bool is_data(OpencvData data, size_t place) {
    return data == OpencvData::kAll || data == OpencvData::kAny ||
           static_cast<size_t>(data) == place;
  }

  bool reads_layer(OpencvCall& call, size_t place) const {
    const OpencvInput& input = call.inputs()[place];
    if (input.control) return call.fail("it has a control input");
    if (call.has_constant(place)) return call.fail("input ", place, " is a constant");
    if (input.node == kNoNode) return true;
    const Node& source = graph_.definition(input.node);
    const bool is_switch =
        source.op == "Placeholder" && type_attr(source, "dtype") == static_cast<int>(DType::kBool);
    return is_switch ? call.fail("input ", place, " is a placeholder of bool") : true;
  }

  const OpencvGraph graph_;
  const Runtime& opencv_;
  std::vector<bool> merged_;  // into the layer of an input
  bool has_all_layers_ = true;
};

}  // namespace

std::vector<std::pair<uint32_t, NodeFault>> opencv_faults(const Graph& graph,
                                                          const Payloads& payloads,
                                                          const TensorShapes& shapes,
                                                          const Runtime& opencv) {
  return Reading(graph, payloads, shapes, opencv).faults();
}

void add_opencv_shapes(const Graph& graph, TensorShapes& shapes) {
  for (uint32_t i = 0; i < graph.nodes().size(); ++i) {
    if (!needs_opencv_rank(graph.nodes()[i].op)) continue;
    const auto edges = graph.index().edges().inputs(i);
    if (edges.empty() || edges[0].control || edges[0].node == kNoNode) continue;
    shapes.try_emplace({edges[0].node, edges[0].port}, Shape{true, {}});
  }
}

}  // namespace cryo
