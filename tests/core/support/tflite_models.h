#pragma once

#include "base/text.h"
#include "flat_writer.h"
#include "formats/tflite/tflite_file.h"
#include "formats/tflite/tflite_schema.h"

namespace cryo {

// Small models of TensorFlow Lite, of one graph.

struct LiteTensor {
  std::string name = {};
  std::vector<int32_t> shape = {};
  int32_t type = tflite::Type::kFLOAT32;
  std::string content = {};  // of a constant
  std::vector<float> scales = {};
  std::vector<int64_t> zero_points = {};
  int32_t axis = 0;
  std::vector<int32_t> signature = {};
};

struct LiteOperator {
  int32_t code = 0;
  std::vector<int32_t> inputs = {};
  std::vector<int32_t> outputs = {};
  uint8_t options_type = 0;
  FlatMade options = {};
  std::string custom_code = {};
};

struct LiteModel {
  std::vector<LiteTensor> tensors = {};
  std::vector<LiteOperator> operators = {};
  std::vector<int32_t> inputs = {};
  std::vector<int32_t> outputs = {};

  std::string file() const;
};

inline std::string float_bytes(const std::vector<float>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * 4};
}

inline FlatMade made_tensor(const LiteTensor& tensor, uint32_t buffer) {
  using Fields = tflite::Tensor;
  using Scales = tflite::QuantizationParameters;
  FlatMade made;
  made.ints(Fields::kShape, tensor.shape)
      .number(Fields::kType, 1, static_cast<uint64_t>(tensor.type))
      .number(Fields::kBuffer, 4, buffer)
      .text(Fields::kName, tensor.name);
  if (!tensor.signature.empty()) made.ints(Fields::kShapeSignature, tensor.signature);
  if (!tensor.scales.empty()) {
    FlatMade quantization;
    quantization.floats(Scales::kScale, tensor.scales)
        .longs(Scales::kZeroPoint, tensor.zero_points)
        .number(Scales::kQuantizedDimension, 4, static_cast<uint64_t>(tensor.axis));
    made.table(Fields::kQuantization, std::move(quantization));
  }
  return made;
}

inline std::string LiteModel::file() const {
  std::vector<FlatMade> codes;
  std::vector<FlatMade> buffers(1);
  std::vector<FlatMade> made_tensors;
  std::vector<FlatMade> made_operators;
  for (const LiteTensor& tensor : tensors) {
    if (!tensor.content.empty()) {
      buffers.emplace_back().bytes(tflite::Buffer::kData, tensor.content);
    }
    const size_t buffer = tensor.content.empty() ? 0 : buffers.size() - 1;
    made_tensors.push_back(made_tensor(tensor, static_cast<uint32_t>(buffer)));
  }
  for (const LiteOperator& each : operators) {
    using Code = tflite::OperatorCode;
    FlatMade& code = codes.emplace_back();
    code.number(Code::kBuiltinCode, 4, static_cast<uint64_t>(each.code));
    if (!each.custom_code.empty()) code.text(Code::kCustomCode, each.custom_code);
    using Fields = tflite::Operator;
    FlatMade& made = made_operators.emplace_back();
    made.number(Fields::kOpcodeIndex, 4, codes.size() - 1)
        .ints(Fields::kInputs, each.inputs)
        .ints(Fields::kOutputs, each.outputs);
    if (each.options_type == 0) continue;
    made.number(Fields::kBuiltinOptionsType, 1, each.options_type)
        .table(Fields::kBuiltinOptions, each.options);
  }
  FlatMade graph;
  graph.tables(tflite::SubGraph::kTensors, made_tensors)
      .ints(tflite::SubGraph::kInputs, inputs)
      .ints(tflite::SubGraph::kOutputs, outputs)
      .tables(tflite::SubGraph::kOperators, made_operators);
  FlatMade model;
  model.number(tflite::Model::kVersion, 4, 3)
      .tables(tflite::Model::kOperatorCodes, codes)
      .tables(tflite::Model::kSubgraphs, {graph})
      .tables(tflite::Model::kBuffers, buffers);
  return flat_file(model, "TFL3");
}

// y = Relu6(conv(x, filter) + bias), with a filter of [2,1,1,3].
inline LiteModel made_conv() {
  FlatMade options;
  options
      .number(0, 1, 1)  // VALID
      .number(1, 4, 1)
      .number(2, 4, 1)
      .number(3, 1, 3);  // RELU6
  return {
      .tensors = {{.name = "x", .shape = {1, 4, 4, 3}, .signature = {-1, 4, 4, 3}},
                  {.name = "w", .shape = {2, 1, 1, 3}, .content = float_bytes({1, 2, 3, 4, 5, 6})},
                  {.name = "b", .shape = {2}, .content = float_bytes({7, 8})},
                  {.name = "net/Relu6;net/Conv2D", .shape = {1, 4, 4, 2}}},
      .operators = {{.code = tflite::BuiltinOperator::kCONV2D,
                     .inputs = {0, 1, 2},
                     .outputs = {3},
                     .options_type = 1,
                     .options = options}},
      .inputs = {0},
      .outputs = {3}};
}

}  // namespace cryo
