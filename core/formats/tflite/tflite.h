#pragma once

#include "formats/format.h"

namespace cryo {

// A TensorFlow Lite model, which is translated into a graph of TensorFlow (translate.h): weights
// are constants whose content is computed while it is read. Its signatures are the model's.
//
// Fails with "bad-flatbuffer" or "bad-tflite" if the file is damaged.
Result<Model> read_tflite(const OpenContext& context, const SourcePtr& file);

}  // namespace cryo
