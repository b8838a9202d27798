#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "compat/opencv_call.h"

namespace cryo {

// The inputs of a node that have to be other layers' outputs. kAny: all that are no constants.
enum class OpencvData : uint8_t { kFirst, kSecond, kThird, kAll, kAny };

// The rule by which OpenCV's reader makes a layer of a node.
struct OpencvRule {
  using Check = bool (*)(OpencvCall&);

  Check check = nullptr;  // false: it refuses the node; null: it never does
  OpencvData data = OpencvData::kFirst;
  bool needs_bare_names = false;  // it does not know a constant by the name "x:0"
  Check fits = nullptr;           // false: it reads the node, and does not run it
};

// Returns the rule of an op; of one without a rule of its own, which becomes a layer of its name
// with its constants.
//
// Source: TFImporter::buildDispatchMap in modules/dnn/src/tensorflow/tf_importer.cpp of OpenCV 5.0.
const OpencvRule& opencv_rule(std::string_view op);
bool has_opencv_rule(std::string_view op);

// Returns true if the rank of the op's first input decides.
bool needs_opencv_rank(std::string_view op);

// Returns the sum with a constant that becomes a part of a product's layer; nullopt if none does.
std::optional<uint32_t> opencv_bias_of(const OpencvCall& call);

}  // namespace cryo
