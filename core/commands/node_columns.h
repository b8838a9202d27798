#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace cryo {

// All nodes of a graph in columns, for a host that shows them: a table, an outline, a search. A
// node's place is its number; a column has one entry a node unless it says otherwise. 24,098 nodes
// took 28 ms in WebAssembly, and 95 ms as a list of JSON objects.
//
//     x, w, MatMul(x, w, ^init)      names      "xwMatMul"    input_ends   0, 0, 3
//                                    name_ends  1, 2, 8       inputs       0, 1, -1 (missing[0])
//                                                             ports        0, 0, -1
struct NodeColumns {
  std::string names = {};  // one after the other, as bytes
  std::vector<uint32_t> name_ends = {};
  std::vector<uint32_t> ops = {};  // of op_names
  std::vector<std::string> op_names = {};
  std::vector<uint32_t> devices = {};  // of device_names
  std::vector<std::string> device_names = {};
  std::vector<uint32_t> input_ends = {};  // in the next two columns, which have an entry an input
  std::vector<int32_t> inputs = {};       // a node; -1 - i: no node has the name missing[i]
  std::vector<int32_t> ports = {};        // the output of that node; -1: a control input
  std::vector<std::string> missing = {};
  std::vector<double> bytes = {};  // of a constant's or a variable's value
};

// The nodes of the main graph, or of the body of `function`, in the vocabulary of FunctionBody (the
// arguments come first, as nodes of the op _Arg). Fails with "not-in-graph" if there is no such
// function.
Result<NodeColumns> node_columns(const Model& model, const std::string& function);

}  // namespace cryo
