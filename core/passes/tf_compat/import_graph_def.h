#pragma once

#include <optional>

#include "graph/op_registry.h"
#include "model/model.h"

namespace cryo {

// The changes that TensorFlow's importer makes to its GraphDef: import_meta_graph writes into its
// argument, and freeze_graph continues with that (tensorflow/python/framework/importer.py).
//
//     before   Const  device: /gpu:0  {value}                    (an op of a later TensorFlow)
//     after    Const                  {value}  + defaults        - attributes that have the default
//                                                                  of the producer's definition
//
// Functions of the library are unchanged.
class SessionImport {
 public:
  // REQUIRES: `ops` outlives it.
  SessionImport(const Model& model, const OpRegistry& ops);

  // The NodeDef of a main graph's node, afterwards.
  std::string imported(const Node& node) const;

 private:
  bool is_producers_default(const Attr& attr, const OpDef& op, const OpDef* producers) const;

  const Model& model_;
  const OpRegistry& ops_;
  std::optional<OpRegistry> producers_;  // the `stripped_op_list` of a .meta
};

}  // namespace cryo
