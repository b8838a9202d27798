#pragma once

#include <span>

#include "model/model.h"

namespace cryo {

class OpRegistry;

// Makes true what is noted of shapes that an edit changed: `_output_shapes`, and the shapes in
// signatures, of what follows from changed nodes.
//
//     multiples: Const [3,1] now      o: Tile(x, multiples) _output_shapes [2,4]  -->  [3,4]
//
// A note stays as it is where TensorFlow infers the shape that it did before the edit. `before`:
// the model without the edit; `changed`: nodes of its main graph that have another shape, type or
// value in `made`, where all nodes have their old names. `ops` may be null: then such notes are
// removed.
Model with_followed_shapes(const Model& before, Model made, std::span<const uint32_t> changed,
                           const OpRegistry* ops);

}  // namespace cryo
