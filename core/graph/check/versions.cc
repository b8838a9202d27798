#include "graph/check/versions.h"

namespace cryo {
namespace {

// TF_GRAPH_DEF_VERSION_MIN_PRODUCER: it has been 0 in every release.
constexpr int kMinProducer = 0;

}  // namespace

void check_versions(const Graph& graph, const OpRegistry& registry, const Reporter& reporter) {
  const std::string& tensorflow = registry.tensorflow_version();
  const int consumer = registry.graph_version();
  if (graph.producer() < kMinProducer) {
    reporter.error("producer-too-old", {}, "GraphDef producer version ", graph.producer(),
                   " below min producer ", kMinProducer, " supported by TensorFlow ", tensorflow,
                   ".  Please regenerate your graph.");
  }
  if (consumer == 0) return;
  if (graph.min_consumer() > consumer) {
    reporter.error("consumer-too-old", {}, "GraphDef min consumer version ", graph.min_consumer(),
                   " above current version ", consumer, " for TensorFlow ", tensorflow,
                   ".  Please upgrade TensorFlow.");
  }
  for (const int bad : graph.bad_consumers()) {
    if (bad != consumer) continue;
    reporter.error("consumer-refused", {}, "GraphDef disallows consumer version ", bad,
                   ".  Please upgrade TensorFlow: this version is likely buggy.");
    return;
  }
}

}  // namespace cryo
