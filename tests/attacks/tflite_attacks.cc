#include "attacks.h"
#include "tflite_models.h"

namespace cryo::attacks {
namespace {

laws::Files tflite(const std::string& bytes) { return laws::Files().put("m.tflite", bytes); }

FlatMade model_of_graphs(std::vector<FlatMade> graphs, std::vector<FlatMade> codes = {}) {
  FlatMade model;
  model.number(tflite::Model::kVersion, 4, 3)
      .tables(tflite::Model::kOperatorCodes, std::move(codes))
      .tables(tflite::Model::kSubgraphs, std::move(graphs))
      .tables(tflite::Model::kBuffers, std::vector<FlatMade>(1));
  return model;
}

laws::Files huge_tensor() {
  LiteModel made = made_conv();
  made.tensors[1].shape = {2147483647, 2147483647, 2147483647, 3};
  return tflite(made.file());
}

laws::Files huge_variable() {
  LiteModel made = made_conv();
  made.tensors[0].shape = {65536, 65536, 3};
  return tflite(made.file());
}

// From tensor 0 to this one.
FlatMade graph_of(int32_t output, std::vector<FlatMade> operators) {
  FlatMade tensor;
  tensor.ints(tflite::Tensor::kShape, {}).number(tflite::Tensor::kHasRank, 1, 1);
  FlatMade graph;
  return graph.tables(tflite::SubGraph::kTensors, {tensor, tensor})
      .ints(tflite::SubGraph::kInputs, {0})
      .ints(tflite::SubGraph::kOutputs, {output})
      .tables(tflite::SubGraph::kOperators, std::move(operators));
}

// WHILE, with the numbers of the graphs that it calls.
FlatMade graph_of_loop(uint64_t condition, uint64_t body) {
  FlatMade options;  // WhileOptions
  options.number(0, 4, condition).number(1, 4, body);
  FlatMade loop;
  loop.ints(tflite::Operator::kInputs, {0})
      .ints(tflite::Operator::kOutputs, {1})
      .number(tflite::Operator::kBuiltinOptionsType, 1, 93)
      .table(tflite::Operator::kBuiltinOptions, options);
  return graph_of(1, {loop});
}

laws::Files loops(std::vector<FlatMade> graphs) {
  FlatMade code;
  code.number(tflite::OperatorCode::kBuiltinCode, 4, tflite::BuiltinOperator::kWHILE);
  return tflite(flat_file(model_of_graphs(std::move(graphs), {code}), "TFL3"));
}

laws::Files graph_calls_itself() { return loops({graph_of_loop(0, 0)}); }

// The body of each is the next; the last one has no operators, and is the condition of all.
laws::Files many_graphs() {
  constexpr uint64_t kGraphs = 20000;
  std::vector<FlatMade> graphs;
  for (uint64_t i = 1; i <= kGraphs; ++i) graphs.push_back(graph_of_loop(kGraphs, i));
  graphs.push_back(graph_of(0, {}));
  return loops(std::move(graphs));
}

laws::Files root_outside() {
  std::string bytes = made_conv().file();
  bytes.replace(0, 4, "\xF0\xFF\xFF\x7F");
  return tflite(bytes);
}

laws::Files vector_of_four_billion() {
  FlatMade model = model_of_graphs({});
  std::string bytes = flat_file(model, "TFL3");
  const size_t at = bytes.rfind(std::string("\1\0\0\0", 4));
  return tflite(bytes.replace(at, 4, "\xFF\xFF\xFF\xFF"));
}

}  // namespace

std::vector<Attack> tflite_attacks() {
  return {{"tflite-root-outside", root_outside, "bad-flatbuffer"},
          {"tflite-vector-of-four-billion", vector_of_four_billion, "bad-flatbuffer"},
          {"tflite-shape-overflows", huge_tensor, "bad-tflite"},
          {"tflite-huge-input", huge_variable, ""},
          {"tflite-graph-calls-itself", graph_calls_itself, "bad-tflite"},
          {"tflite-many-graphs", many_graphs, "bad-tflite"}};
}

}  // namespace cryo::attacks
