#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/tflite/tflite_options.h"
#include "tensor/shape.h"

namespace cryo {

// The structure of a TensorFlow Lite file, checked: indices are in range, each tensor has one
// producer that precedes its consumers. Weights are slices of the file, which are not read.

// real = scale * (stored - zero point), for the slices along an axis or for blocks of the last one.
struct TfliteQuantization {
  std::vector<float> scales = {};
  std::vector<int64_t> zero_points = {};  // as many; none: 0
  int32_t axis = 0;
  int32_t block = 0;          // elements of a block; 0: per axis
  int32_t block_scales = -1;  // tensors that hold the scales and zero points of blocks
  int32_t block_zeros = -1;
  bool is_unknown = false;  // of a custom scheme

  bool exists() const { return !scales.empty() || block > 0; }
};

struct TfliteTensor {
  std::string name = {};
  int32_t type = 0;      // a tflite::Type
  Shape shape = {};      // as the runtime starts with
  Shape signature = {};  // unknown sizes are -1
  Slice content = {};    // of a constant; no source: none
  TfliteQuantization quantization = {};
  FlatTable sparsity = {};
  bool is_variable = false;
  std::string external = {};  // the name of the file that has its content

  bool is_constant() const { return content.source != nullptr || !external.empty(); }
};

// Returns true if a shape has a size of 0: a constant of it has no bytes.
bool has_no_elements(const TfliteTensor& tensor);

struct TfliteOperator {
  std::string_view name = {};  // "CONV_2D", or the code of a custom one
  bool is_custom = false;
  std::vector<int32_t> inputs = {};  // tensors; -1: not given
  std::vector<int32_t> outputs = {};
  TfliteOptions options = {};
  Slice custom_options = {};
};

struct TfliteSubgraph {
  std::string name = {};
  std::vector<TfliteTensor> tensors = {};
  std::vector<TfliteOperator> operators = {};
  std::vector<int32_t> inputs = {};
  std::vector<int32_t> outputs = {};
  bool has_state = false;  // by mark_state
};

struct TfliteSignature {
  std::string key = {};
  uint32_t subgraph = 0;
  std::vector<std::pair<std::string, uint32_t>> inputs = {};  // alias, tensor
  std::vector<std::pair<std::string, uint32_t>> outputs = {};
};

struct TfliteFile {
  std::string description = {};      // names the writer
  std::string runtime_version = {};  // the least that runs it
  std::vector<TfliteSubgraph> subgraphs = {};
  std::vector<TfliteSignature> signatures = {};
  std::vector<std::pair<std::string, Slice>> metadata = {};
  std::vector<std::string> custom_codes = {};  // of operator codes, which operators view
  std::shared_ptr<FlatBuffer> bytes = {};      // options are read off it
};

// Fails with "bad-flatbuffer" or "bad-tflite", and the offset.
Result<TfliteFile> read_tflite_file(const SourcePtr& file);

// Returns true if a file begins as one. `head`: at least 8 bytes.
bool looks_like_tflite(std::string_view head);

}  // namespace cryo
