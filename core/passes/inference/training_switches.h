#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "wire/payloads.h"

namespace cryo {

// A placeholder, variable or constant that chooses between training and inference, and its value
// for inference.
struct TrainingSwitch {
  uint32_t node = kNoNode;
  std::string value = {};  // "false"; "1" of a share that dropout keeps
  std::string why = {};    // the evidence
};

// Finds the training switches of a main graph by what they control, whatever they are called:
//
//     is_training: Placeholder[bool] --> Switch --:1--> RandomUniform, AssignSub, FusedBatchNorm
//                                              `--:0--> none of these                    "false"
//     keep_prob: Placeholder[float] --> RealDiv, Add of a dropout                            "1"
//     rate: Placeholder[float] --> GreaterEqual of a dropout                                 "0"
//
// A variable and a constant of one value count like a placeholder; a constant only if it is nothing
// but a condition, and has the other value.
//
// Only training draws random numbers, updates moving averages, or normalizes by the statistics of a
// batch. `unclear`: names of placeholders of which both sides do.
std::vector<TrainingSwitch> find_training_switches(const Graph& graph, const Payloads& payloads,
                                                   std::vector<std::string>& unclear);

}  // namespace cryo
