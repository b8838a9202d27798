#pragma once

#include <string>
#include <vector>

#include "graph/fresh_names.h"
#include "passes/variables/variable_nodes.h"
#include "proto/meta_graph.pb.h"
#include "tensor/content.h"
#include "wire/payloads.h"

namespace cryo {

// Adds the nodes by which a variable's initializer gives it the value that it is written with:
//
//     restored   checkpoint_initializer/prefix --> w/Initializer/RestoreV2 --> w/Assign
//     stored     w/Initializer/Const --> w/Assign
//
// The prefix is that of the checkpoint that the graph is written with (model/written_prefix.h):
// where there is no such checkpoint, TensorFlow names it and fails. Each variable has a RestoreV2
// of its own, as tf.train.init_from_checkpoint() makes them, so that pruning can remove others.
class VariableInitializers {
 public:
  // REQUIRES: all outlive it.
  VariableInitializers(bool stored, FreshNames& fresh_names, Payloads& payloads,
                       GraphBuilder& builder)
      : stored_(stored), fresh_names_(fresh_names), payloads_(payloads), builder_(builder) {}

  // Sets `initializer` and `assign` of the variable. `value` is in the checkpoint under the
  // variable's key and slice. Fails with "too-large" for more than a .meta can store.
  Status add(NewVariable& variable, const Tensor& value);

 private:
  std::string string_const(const std::string& name, const std::string& tensor, bool prefix = false);
  Status store(const NewVariable& variable, const Tensor& value);
  void restore(const NewVariable& variable);

  bool stored_;
  FreshNames& fresh_names_;
  Payloads& payloads_;
  GraphBuilder& builder_;
  uint64_t bytes_ = 0;       // stored so far
  std::string prefix_ = {};  // the nodes that all variables share, once there are any
  std::string whole_ = {};
};

// Names the new initializers of these variables in the collections that list them.
void name_initializers(const std::vector<NewVariable>& variables, tensorflow::MetaGraphDef& meta);

}  // namespace cryo
