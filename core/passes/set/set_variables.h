#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "passes/common/graph_editor.h"

namespace cryo {

// "training" -> "training/set": the constant whose value the reads of a variable that is set take.
std::string constant_of_variable(std::string_view variable);

// Redirects all reads of a variable to a constant next to it. The variable keeps its assignments
// and its saver, and prune() drops it where nothing else needs it:
//
//     before  training: VariableV2 --> training/read: Identity ---> Switch
//                              ^------ training/Assign
//     after   training/set: Const ---> training/read: Identity ---> Switch
//             training: VariableV2 <-- training/Assign
//
//     before  v: VarHandleOp --> Enter -------> ReadVariableOp      the value takes the same way
//     after   v/set: Const ----> Enter/set ---> Identity            as the handle
//
// Nodes that take the handle in another way (calls, data sets) stay as they are: those that remain
// are values_taken_of().
// `proto`: the value, a TensorProto.
void redirect_reads(const Model& model, uint32_t variable, std::string_view proto,
                    GraphEditor& editor);

// Returns the nodes of the main graph that take the value of one of these variables otherwise than
// by a read: those that pass its handle to a function.
std::vector<std::string> values_taken_of(const Graph& graph,
                                         const std::vector<std::string>& variables);

}  // namespace cryo
