#pragma once

#include <cstdint>
#include <string_view>

namespace cryo {

// The purpose of an op, in the search for an inference subgraph (inference_subgraph.h).
enum Role : uint32_t {
  kVariable = 1 << 0,
  kReads = 1 << 1,  // passes a weight on
  kShapeOp = 1 << 2,
  kReshape = 1 << 3,
  kLossOp = 1 << 4,
  kJudge = 1 << 5,  // combines a label with a prediction, or follows such a node
  kSideEffect = 1 << 6,
  kUpdate = 1 << 7,
  kStep = 1 << 8,
  kSaver = 1 << 9,
  kTaker = 1 << 10,  // takes inputs that are not predictions: an update, an enqueue, a data set
  kPlaceholder = 1 << 11,
  kPipeline = 1 << 12,
  kLayer = 1 << 13,
  kStatistic = 1 << 14,
  kSwitch = 1 << 15,
  kSummary = 1 << 16,
  kOfShape = 1 << 17,  // takes the shape of its input alone
  kNext = 1 << 18,     // closes a loop
  kData = 1 << 19,     // reads a pipeline, or decodes
  kEnter = 1 << 20,
  kExit = 1 << 21,
};

// The roles of an op, as bits.
uint32_t roles_of(std::string_view op);

}  // namespace cryo
