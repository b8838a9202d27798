#include "validate/graph/unknown_op.h"

#include <array>

#include "base/utf8.h"

namespace cryo {
namespace {

// Libraries that register ops of their own, by how the ops' names begin.
struct Registrar {
  std::string_view prefix;
  std::string_view fix;
};
constexpr auto kRegistrars = std::to_array<Registrar>({
    {"Addons>", "import tensorflow_addons first: TensorFlow Addons registers the op"},
    {"FastBertNormalize", "import tensorflow_text first: TensorFlow Text registers the op"},
    {"FastWordpiece", "import tensorflow_text first: TensorFlow Text registers the op"},
    {"Horovod", "import horovod.tensorflow first: Horovod registers the op"},
    {"IO>", "import tensorflow_io first: TensorFlow I/O registers the op"},
    {"NormalizeUTF8", "import tensorflow_text first: TensorFlow Text registers the op"},
    {"RegexSplitWithOffsets", "import tensorflow_text first: TensorFlow Text registers the op"},
    {"Sentencepiece", "import tensorflow_text first: TensorFlow Text registers the op"},
    {"SimpleML",
     "import tensorflow_decision_forests first: TensorFlow Decision Forests registers the op"},
    {"TFLite_", "convert the graph with TensorFlow Lite, which alone has the op"},
    {"TRTEngineOp", "use a TensorFlow that was built with TensorRT, which registers the op"},
    {"UnicodeScriptTokenize", "import tensorflow_text first: TensorFlow Text registers the op"},
    {"WhitespaceTokenize", "import tensorflow_text first: TensorFlow Text registers the op"},
    {"WordpieceTokenize", "import tensorflow_text first: TensorFlow Text registers the op"},
});

// Empty if the library is unknown.
std::string_view fix_of(std::string_view op) {
  for (const Registrar& registrar : kRegistrars) {
    if (op.starts_with(registrar.prefix)) return registrar.fix;
  }
  return {};
}

}  // namespace

void check_op_known(const Node& node, const KnownOps& ops, const KnownOp& known,
                    const Reporter& reporter) {
  if (known.registered || node.op.empty()) return;
  reporter.error("unknown-op", {.node = node.name, .fix = fix_of(node.op)},
                 "Op type not registered ", quoted(node.op), " in binary running on TensorFlow ",
                 ops.registry().tensorflow_version(),
                 ". Make sure the Op and Kernel are registered in the binary running in this "
                 "process.");
}

}  // namespace cryo
