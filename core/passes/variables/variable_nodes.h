#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/roles.h"
#include "proto/meta_graph.pb.h"
#include "proto/variable.pb.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {

// A variable to be made, and the names of the nodes that TensorFlow wants around it
// (tensorflow/python/ops/variables.py and resource_variable_ops.py):
//
//     reference   w: VariableV2    w/read: Identity
//     resource    w: VarHandleOp   w/Read/ReadVariableOp: ReadVariableOp
//     both        w/Assign: Assign or AssignVariableOp, of an initial value
//     (variable_initializers.h)
struct NewVariable {
  std::string name = {};
  std::string op = {};  // Variable, VariableV2, VarHandleOp
  DType dtype = DType::kInvalid;
  Shape shape = {};
  bool trainable = true;
  std::string read = {};
  std::string initializer = {};
  std::string assign = {};
  std::string key = {};     // a checkpoint's name for its value
  std::string slice = {};   // of a partitioned variable: its part of the key
  std::string shared = {};  // shared_name; empty: its own
  std::string record = {};  // the AttrValue that freezing leaves (freeze_record.h)

  bool resource() const { return is_resource_variable(op); }
};

// The variable's own node in place of a constant: device, control inputs and unknown attributes
// stay.
std::string variable_node(const Node& constant, const NewVariable& variable);

// A read, marked so that freezing can take it out again.
void add_read(const NewVariable& variable, GraphBuilder& builder);

// The assignment of the node `value` to the variable.
void add_assign(const NewVariable& variable, std::string_view value, GraphBuilder& builder);

// Returns the entry of a variable in collections.
tensorflow::VariableDef variable_def(const NewVariable& variable);

// Adds definitions, by the name of their collection.
void add_definitions(const std::map<std::string, std::vector<std::string>>& definitions,
                     tensorflow::MetaGraphDef& meta);

// On a handle that un-freezing made: the constant's `_output_shapes`, for freezing to put back.
constexpr std::string_view kValueShapesAttr = "_cryograph_output_shapes";

}  // namespace cryo
