#pragma once

#include <string>

#include "graph/graph.h"
#include "proto/variable.pb.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {

// A variable to be made, and the names of the nodes that TensorFlow wants around it
// (tensorflow/python/ops/variables.py and resource_variable_ops.py):
//
//     reference   w: VariableV2    w/read: Identity
//     resource    w: VarHandleOp   w/Read/ReadVariableOp: ReadVariableOp
//     both        w/Initializer/zeros: Const --> w/Assign: Assign or AssignVariableOp
struct NewVariable {
  std::string name = {};
  bool resource = false;
  DType dtype = DType::kInvalid;
  Shape shape = {};
  std::string read = {};
  std::string initializer = {};
  std::string assign = {};
  bool trainable = true;
};

// The variable's own node in place of a constant: device, control inputs and unknown attributes
// stay.
std::string variable_node(const Node& constant, const NewVariable& variable);

// A read, marked so that freezing can take it out again.
void add_read(const NewVariable& variable, GraphBuilder& builder);

// Zeros (a TensorProto without values, a few bytes whatever the shape) and their assignment.
void add_initializer(const NewVariable& variable, GraphBuilder& builder);

// What the collections `variables` and `trainable_variables` hold of it.
tensorflow::VariableDef variable_def(const NewVariable& variable);

// The attribute that marks a read which add_read made.
constexpr std::string_view kAddedReadAttr = "_cryograph_added";

}  // namespace cryo
