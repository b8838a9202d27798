#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "checkpoint/checkpoint.h"

namespace cryo {

// TensorFlow 2's tree of Python objects, as far as it maps variables to their keys. Two files have
// one; the two differ only in ids (proto/object_graph.proto):
//
//     checkpoint   _CHECKPOINTABLE_OBJECT_GRAPH: TrackableObjectGraph, with each variable's key
//     SavedModel   MetaGraphDef.object_graph_def: SavedObjectGraph, with each function's captures
//
//     object 0 --model--> object 1 --w-----> object 2, a variable, whose key is
//                                            "model/w/.ATTRIBUTES/VARIABLE_VALUE"
//                                  --tied--> object 2: an object may have several names
//
// An optimizer's slots are not children of an object: slot "m" of optimizer 3 for variable 2 is
// object 4.
struct TrackedObject {
  struct Child {
    std::string name = {};
    uint32_t object = 0;
  };
  struct Slot {
    uint32_t variable = 0;
    std::string name = {};
    uint32_t object = 0;
  };
  std::vector<Child> children = {};
  std::vector<Slot> slots = {};
  bool is_variable = false;
  std::string name = {};  // the variable's, when it was saved; not unique
  std::string key = {};   // in a checkpoint
};

// The objects by id; 0 is the root. Ids in it are in range.
using ObjectGraph = std::vector<TrackedObject>;

// Under which key a checkpoint holds its object graph.
constexpr std::string_view kObjectGraphKey = "_CHECKPOINTABLE_OBJECT_GRAPH";

// Returns the message of the object graph in its entry. Fails if the data file is missing or
// damaged, and if the message is implausibly large.
Result<std::string> read_object_graph(const CheckpointEntry& entry);

// Reads the one value of a checkpoint that is structure and not a weight. Empty if there is none.
// Fails as read_object_graph() does.
Result<ObjectGraph> read_checkpoint_objects(const Checkpoint& checkpoint);

// The contents of a SavedModel's object graph.
struct SavedObjects {
  ObjectGraph objects = {};

  // Which objects a function captures: its last arguments, in order.
  std::map<std::string, std::vector<uint32_t>> captures = {};
};
SavedObjects read_saved_objects(std::string_view saved_object_graph);

// Returns for each name of a SavedModel's variables if it is trainable. If several variables share
// a name, all must be.
std::map<std::string, bool> trainable_objects(std::string_view saved_object_graph);

// Returns a SavedModel's object graph without the signatures that are `is_other`: they are children
// of the root's child "signatures". Their functions stay, whatever else refers to them.
std::string without_signatures(std::string_view saved_object_graph,
                               FunctionRef<bool(std::string_view)> is_other);

// A key without "/.ATTRIBUTES/VARIABLE_VALUE", in which those of variables end.
std::string plain_key(std::string_view key);

}  // namespace cryo
