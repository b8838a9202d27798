// .tflite. What opens has constants whose content is as large as their type and shape, and reads to
// its end or fails with a diagnostic.

#include <cstdlib>

#include "formats/open.h"
#include "input.h"
#include "targets.h"
#include "tensor/content.h"

namespace cryo::fuzz {
namespace {

constexpr uint64_t kMostRead = uint64_t{16} << 20;

void read_constants(const Model& model) {
  uint64_t all = 0;
  for (const Node& node : model.graph.nodes()) {
    if (node.op != "Const") continue;
    const auto tensor = read_tensor(tensor_attr(node, "value").value_or(""), *model.payloads);
    if (!tensor) std::abort();
    all += tensor->content.size();
    if (all > kMostRead) return;
    const auto content = tensor->content.read_all();
    if (content && content->size() != tensor->content.size()) std::abort();
  }
}

}  // namespace

void fuzz_tflite(std::string_view input) {
  for (const bool keep : {false, true}) {
    Diagnostics diagnostics;
    const auto model = open({file_of(input)}, {.keep_quantization = keep}, diagnostics);
    if (model) read_constants(*model);
  }
}

}  // namespace cryo::fuzz
