#include "formats/tfjs/tfjs_defaults.h"

#include <array>

#include "graph/node_editor.h"

namespace cryo {
namespace {

using namespace std::string_view_literals;

// AttrValue messages.
constexpr std::string_view kTrue = "\x28\x01"sv;
constexpr std::string_view kInt32 = "\x30\x03"sv;                      // a type
constexpr std::string_view kTenThousandth = "\x25\x17\xB7\xD1\x38"sv;  // 0.0001
constexpr std::string_view kFourOnes = "\x0A\x06\x1A\x04\1\1\1\1"sv;   // a list
constexpr std::string_view kFiveOnes = "\x0A\x07\x1A\x05\1\1\1\1\1"sv;

struct Default {
  std::string_view op;
  std::string_view attr;
  std::string_view value;
};

// Attributes whose defaults differ between TensorFlow 2.21 and TensorFlow.js 4.22.
constexpr std::array kDefaults = {
    Default{"Conv2D", "dilations", kFourOnes},
    Default{"DepthwiseConv2dNative", "dilations", kFourOnes},
    Default{"Conv3D", "dilations", kFiveOnes},
    Default{"Conv3D", "data_format", "\x12\x05NDHWC"sv},
    Default{"CropAndResize", "method",
            "\x12\x08"
            "bilinear"sv},
    Default{"DepthToSpace", "data_format", "\x12\x04NHWC"sv},
    Default{"FusedBatchNorm", "epsilon", kTenThousandth},
    Default{"FusedBatchNormV2", "epsilon", kTenThousandth},
    Default{"FusedBatchNormV3", "epsilon", kTenThousandth},
    Default{"ImageProjectiveTransformV3", "fill_mode",
            "\x12\x08"
            "CONSTANT"sv},
    Default{"Range", "Tidx", kInt32},
    Default{"StaticRegexReplace", "replace_global", kTrue},
    Default{"StringSplit", "skip_empty", kTrue},
    Default{"TensorArrayV3", "clear_after_read", kTrue},
    Default{"TopKV2", "sorted", kTrue},
};

}  // namespace

std::string with_tfjs_defaults(const Node& node) {
  std::string bytes(node.bytes);
  for (const Default& each : kDefaults) {
    if (each.op != node.op || find_attr(node, each.attr)) continue;
    const Result<Node> so_far = scan_node(bytes);
    if (so_far) bytes = NodeEditor(*so_far).set_attr(each.attr, std::string(each.value)).finish();
  }
  return bytes;
}

}  // namespace cryo
