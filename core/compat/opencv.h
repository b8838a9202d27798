#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "releases/node_faults.h"
#include "validate/check_graph.h"
#include "wire/payloads.h"

namespace cryo {

struct Runtime;

// Returns why OpenCV (cv::dnn::readNetFromTensorflow) refuses nodes of a main graph, or reads them
// and does not run: each node with its first cause, in the graph's order.
//
// Its reader makes a layer of each node by a rule of the op: most ask that some inputs are
// constants of certain types, and the others outputs of layers. An op without a rule becomes a
// layer of its name. OpenCV tries two engines. The first refuses a graph with such an op of which
// it has no layer; the second reads it and does not run it, but refuses an input that is no layer's
// output, which the first reads.
//
// `shapes`: of the tensors that add_opencv_shapes() names. `opencv`: its ops are those that have a
// layer of their name.
//
// Source: modules/dnn/src/tensorflow/tf_importer.cpp of OpenCV 5.0. The layouts that it computes
// (NHWC, NCHW) are not followed: it refuses some permutations of them.
std::vector<std::pair<uint32_t, NodeFault>> opencv_faults(const Graph& graph,
                                                          const Payloads& payloads,
                                                          const TensorShapes& shapes,
                                                          const Runtime& opencv);

// Adds the tensors whose ranks decide, of unknown shape: the inputs of reductions.
void add_opencv_shapes(const Graph& graph, TensorShapes& shapes);

}  // namespace cryo
