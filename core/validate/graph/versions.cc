#include "validate/graph/versions.h"

#include "base/utf8.h"
#include "graph/tensor_info.h"

namespace cryo {
namespace {

// TF_GRAPH_DEF_VERSION_MIN_PRODUCER: it has been 0 in every release.
constexpr int kMinProducer = 0;

bool is_scalar_placeholder(const Node& node) {
  if (node.op != "Placeholder") return false;
  const auto shape = shape_attr(node, "shape");
  return shape && shape->empty();
}

// A graph that was put together without its versions counts as one of the oldest.
void check_scalars(const Graph& graph, const Reporter& reporter) {
  if (graph.producer() > kScalarsAreUnknown) return;
  std::vector<std::string> names;
  for (const Node& node : graph.nodes()) {
    if (is_scalar_placeholder(node)) names.push_back(quoted(node.name));
  }
  if (names.empty()) return;
  reporter.note("old-producer", {}, "GraphDef producer version ", graph.producer(),
                " is one in which the shape [] of a placeholder means an unknown one: that of ",
                join(names, ", ", 5));
}

}  // namespace

void check_versions(const Graph& graph, const OpRegistry& registry, const Reporter& reporter) {
  const std::string& tensorflow = registry.tensorflow_version();
  const int consumer = registry.graph_version();
  if (graph.producer() < kMinProducer) {
    reporter.error("producer-too-old", {}, "GraphDef producer version ", graph.producer(),
                   " below min producer ", kMinProducer, " supported by TensorFlow ", tensorflow,
                   ".  Please regenerate your graph.");
  }
  check_scalars(graph, reporter);
  if (consumer == 0) return;
  if (graph.min_consumer() > consumer) {
    reporter.error("consumer-too-old", {}, "GraphDef min consumer version ", graph.min_consumer(),
                   " above current version ", consumer, " for TensorFlow ", tensorflow,
                   ".  Please upgrade TensorFlow.");
  }
  if (graph.producer() > consumer) {
    reporter.note("newer-producer", {}, "GraphDef producer version ", graph.producer(),
                  " is above ", consumer, ", that of TensorFlow ", tensorflow);
  }
  for (const int bad : graph.bad_consumers()) {
    if (bad != consumer) continue;
    reporter.error("consumer-refused", {}, "GraphDef disallows consumer version ", bad,
                   ".  Please upgrade TensorFlow: this version is likely buggy.");
    return;
  }
}

}  // namespace cryo
