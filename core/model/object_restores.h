#pragma once

#include "model/model.h"

namespace cryo {

// A SavedModel without a saver (SaveOptions(experimental_skip_saver=True)) says nowhere which
// variable is restored from which key: its loader walks two object graphs side by side. This does
// the same, without running anything:
//
//     SavedModel's objects   0 --w--> 1      __inference_f_28 captures object 1
//     checkpoint's objects   0 --w--> 2      object 2 is saved as "w/.ATTRIBUTES/VARIABLE_VALUE"
//     graph                  w_3: VarHandleOp --> StatefulPartitionedCall(f=__inference_f_28)
//
//     found                  w_3 is restored from "w/.ATTRIBUTES/VARIABLE_VALUE"
//
// Names decide only for variables that no call of the graph captures, and where type, shape and
// name leave one choice: several objects may have one name, of which the graph makes w, w_1, w_2 in
// an order of its own. A variable that begins as the copy of another has the other's value. Those
// that stay without a key are told.
//
// Reads the object graph out of the checkpoint, and no weight. Does nothing where there are no
// object graphs, and where a saver restores all that has a value.
void restore_by_objects(Model& model, Diagnostics& diagnostics);

}  // namespace cryo
