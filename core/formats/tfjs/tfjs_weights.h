#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "bytes/splice.h"
#include "tensor/shape.h"
#include "tensor/views/converted_source.h"
#include "wire/json/json_tree.h"
#include "wire/payloads.h"

namespace cryo {

// The weights of a TensorFlow.js model, as its manifest lays them out: groups of files, and in the
// bytes of a group's files, joined, the weights one after the other.
//
//     "weightsManifest": [{"paths": ["group1-shard1of2.bin", "group1-shard2of2.bin"],
//                          "weights": [{"name": "w", "shape": [2, 3], "dtype": "float32"},
//                                      {"name": "b", "shape": [3], "dtype": "float32",
//                                       "quantization": {"dtype": "uint8", "scale": .1, "min": 0}},
//                                      {"name": "words", "shape": [2], "dtype": "string"}]}]
//
//     shard 1  | w w w w w w w w w w w w w w w      elements, row-major, little-endian
//     shard 2  w w w w w w w w w | b b b | 02 00 00 00 a b 00 00 00 00 |
//                                          length, bytes of each string

struct TfjsWeight {
  std::string name = {};
  DType dtype = DType::kInvalid;  // the type that TensorFlow.js computes with
  Shape shape = {};
  uint64_t count = 0;  // of elements

  // How its elements are stored: the type `from`, quantized where scale and min say so.
  ElementConversion stored = {};

  // The stored bytes. If a file is missing or too short, reading them fails.
  Splice content = {};

  std::string entry = {};  // its JSON in the manifest

  bool is_quantized() const { return stored.from != dtype; }
};

// Returns a file that the manifest names; null if there is none of that name.
using FindFile = FunctionRef<SourcePtr(std::string_view path)>;

struct TfjsManifest {
  std::vector<TfjsWeight> weights = {};
  std::vector<std::string> paths = {};  // of all shards
  std::vector<SourcePtr> shards = {};   // of each path; null if it is missing
};

// Reads the manifest. Of the shards it reads only sizes, and the lengths of strings. Missing and
// short shards are reported in `diagnostics`. Fails with "bad-weights-manifest" if the manifest
// does not determine the location of each weight.
Result<TfjsManifest> read_tfjs_manifest(const JsonValue& manifest, FindFile find,
                                        const std::string& file, Diagnostics& diagnostics);

// Returns the elided TensorProto of a weight, as a constant of type `dtype`. Quantized weights are
// computed while they are read, narrower ones widened. If the elements cannot be converted to the
// type, reading them fails.
Result<std::string> tensor_of_weight(const TfjsWeight& weight, DType dtype, Payloads& payloads);

}  // namespace cryo
