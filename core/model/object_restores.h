#pragma once

#include "model/model.h"

namespace cryo {

// Finds the keys of variables in a SavedModel without a saver
// (SaveOptions(experimental_skip_saver=True)). Nothing in it maps variables to keys: its loader
// walks two object graphs side by side. This does the same, without running anything:
//
//     SavedModel's objects   0 --w--> 1      __inference_f_28 captures object 1
//     checkpoint's objects   0 --w--> 2      object 2 is saved as "w/.ATTRIBUTES/VARIABLE_VALUE"
//     graph                  w_3: VarHandleOp --> StatefulPartitionedCall(f=__inference_f_28)
//
//     found                  w_3 is restored from "w/.ATTRIBUTES/VARIABLE_VALUE"
//
// Names are used only for variables that no call of the graph captures, and only if type, shape and
// name leave one choice: several objects may have one name, of which the graph makes w, w_1, w_2 in
// an order of its own. A variable that is initialized as a copy of another has the other's value.
// Variables that remain without a key are reported.
//
// Reads the object graph of the checkpoint, and no weights. Does nothing if there are no object
// graphs, or if a saver restores every variable that has a value.
void restore_by_objects(Model& model, Diagnostics& diagnostics);

// Returns the checkpoint's key of each object of the SavedModel, by the same walk; empty for one
// that is not a variable or has no value. Without a checkpoint's objects all are, and so is a list
// that cannot be read.
std::vector<std::string> keys_of_objects(const Model& model);

}  // namespace cryo
