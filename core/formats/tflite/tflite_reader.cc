#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/sort.h"
#include "base/text.h"
#include "formats/tflite/tflite.h"
#include "formats/tflite/tflite_calls.h"
#include "formats/tflite/tflite_constants.h"
#include "formats/tflite/tflite_file.h"
#include "formats/tflite/translate.h"
#include "model/init_op.h"
#include "model/meta.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// The version of graphs that the nodes are of: TensorFlow 2.4. Releases load newer ones, too.
constexpr int kProducer = 561;

constexpr std::string_view kServingDefault = "serving_default";

// Files without signatures have one of the inputs and outputs of the first graph.
std::vector<TfliteSignature> signatures_of(const TfliteFile& file) {
  if (!file.signatures.empty()) return file.signatures;
  TfliteSignature made{std::string(kServingDefault)};
  const TfliteSubgraph& graph = file.subgraphs[0];
  for (const int32_t input : graph.inputs) {
    made.inputs.emplace_back("", static_cast<uint32_t>(input));
  }
  for (const int32_t output : graph.outputs) {
    made.outputs.emplace_back("", static_cast<uint32_t>(output));
  }
  return {made};
}

tensorflow::TensorInfo tensor_info(const std::string& name, const TfliteTensor& tensor) {
  tensorflow::TensorInfo info;
  info.set_name(name.find(':') == std::string::npos ? cat(name, ":0") : name);
  info.set_dtype(static_cast<tensorflow::DataType>(graph_type(tensor)));
  *info.mutable_tensor_shape() = to_proto(tensor.signature);
  return info;
}

void add_signature(const TfliteSignature& signature, const TfliteSubgraph& graph,
                   const std::map<uint32_t, std::string>& inputs,
                   const std::vector<std::string>& tensors, tensorflow::MetaGraphDef& meta) {
  auto& entry = *meta.add_signature_def();
  entry.set_key(signature.key.empty() ? std::string(kServingDefault) : signature.key);
  tensorflow::SignatureDef& made = *entry.mutable_value();
  made.set_method_name("tensorflow/serving/predict");
  for (const auto& [alias, tensor] : signature.inputs) {
    const auto input = inputs.find(tensor);
    if (input == inputs.end()) continue;
    auto& added = *made.add_inputs();
    added.set_key(alias.empty() ? input->second : alias);
    *added.mutable_value() = tensor_info(input->second, graph.tensors[tensor]);
  }
  for (const auto& [alias, tensor] : signature.outputs) {
    if (tensors[tensor].empty()) continue;
    auto& added = *made.add_outputs();
    added.set_key(alias.empty() ? tensors[tensor] : alias);
    *added.mutable_value() = tensor_info(tensors[tensor], graph.tensors[tensor]);
  }
}

void report(const TfliteNumbers& numbers, const TfliteChoices& choices, const SourcePtr& file,
            Diagnostics& diagnostics) {
  if (numbers.unknown > 0) {
    diagnostics.warn("unknown-operator",
                     cat(plural(numbers.unknown, "operator"),
                         " of the file cannot be expressed in TensorFlow: each is a node of its "
                         "own name"),
                     {.file = file->name()}, "prune to outputs that do not need those nodes");
  }
  if (numbers.quantized_weights == 0 && numbers.ranges == 0) return;
  diagnostics.note(
      "quantized",
      cat(plural(numbers.quantized_weights, "constant"), " of the file ",
          numbers.quantized_weights == 1 ? "is" : "are",
          " quantized: values are those that the integers stand for, which approximate the "
          "original ones. ",
          plural(numbers.ranges, "range"), " of activations ", numbers.ranges == 1 ? "is" : "are",
          choices.keep_quantization ? " rounded as the file's integers" : " kept as clips"),
      {.file = file->name()});
}

std::string version_def() {
  std::string versions;
  put_varint_field(versions, fields::VersionDef::kProducer, kProducer);
  return versions;
}

// The value that a graph assigns to a variable when the model is loaded.
Result<std::optional<CheckpointEntry>> initial_value(TfliteTranslation& file,
                                                     const TfliteSubgraph& graph,
                                                     const TfliteOperator& each,
                                                     std::map<int32_t, std::string>& handles) {
  const TfliteCall call{file.graphs, graph, each};
  if (const auto handle = handle_of(call)) {
    const auto known = file.handles.find(handle->identity);
    if (known != file.handles.end()) handles[each.outputs[0]] = known->second;
  }
  const TfliteTensor* value = call.input(1);
  if (each.name != "ASSIGN_VARIABLE" || value == nullptr || !value->is_constant()) {
    return std::optional<CheckpointEntry>();
  }
  const auto handle = handles.find(each.inputs[0]);
  if (handle == handles.end()) return std::optional<CheckpointEntry>();
  TRY(tensor, constant_tensor(*value, graph, file.diagnostics));
  CheckpointEntry entry;
  entry.key = handle->second;
  entry.dtype = tensor.dtype;
  entry.shape = tensor.shape;
  entry.bytes = tensor.content.size();
  entry.content = tensor.content;
  return std::optional(std::move(entry));
}

// Graphs that CALL_ONCE runs when the model is loaded: values of variables are those of a
// checkpoint, what fills tables are nodes of the init op.
Status add_initializers(TfliteTranslation& file, const std::set<size_t>& graphs, Model& model,
                        std::vector<std::string>& nodes, tensorflow::MetaGraphDef& meta) {
  Checkpoint checkpoint;
  checkpoint.prefix = model.name;
  std::vector<std::string> inits;
  for (const size_t index : graphs) {
    const TfliteSubgraph& graph = file.graphs[index];
    std::map<int32_t, std::string> handles;
    bool fills_tables = false;
    for (const TfliteOperator& each : graph.operators) {
      fills_tables = fills_tables || each.name == "HASHTABLE_IMPORT";
      TRY(entry, initial_value(file, graph, each, handles));
      if (entry && checkpoint.find(entry->key) == nullptr) {
        checkpoint.entries.push_back(std::move(*entry));
        sort(checkpoint.entries,
             [](const CheckpointEntry& a, const CheckpointEntry& b) { return a.key < b.key; });
      }
    }
    if (!fills_tables) continue;
    TRY(made, translate(file, index));
    for (std::string& node : made.nodes) nodes.push_back(std::move(node));
    if (!made.last_effect.empty()) inits.push_back(made.last_effect.substr(1));
  }
  if (!inits.empty()) {
    const std::string name = file.names.take("init_tables");
    nodes.push_back(group(name, inits));
    set_init_op(meta, name);
  }
  if (checkpoint.entries.empty()) return Unit{};
  model.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return Unit{};
}

// The graphs that a graph initializes itself by.
void find_initializers(const std::vector<TfliteSubgraph>& graphs, size_t graph,
                       std::set<size_t>& found) {
  for (const TfliteOperator& each : graphs[graph].operators) {
    const TfliteCall call{graphs, graphs[graph], each};
    const int64_t init = call.number_of("init_subgraph_index", -1);
    if (each.name == "CALL_ONCE" && init >= 0 && init < static_cast<int64_t>(graphs.size())) {
      found.insert(static_cast<size_t>(init));
    }
  }
}

}  // namespace

Result<Model> read_tflite(const OpenContext& context, const SourcePtr& file) {
  TRY(read, read_tflite_file(file));
  mark_state(read.subgraphs);
  Model model{Kind::kTflite, file->name(), {file}, true};
  TfliteTranslation translation{read.subgraphs,
                                {context.options.keep_quantization},
                                *model.payloads,
                                context.diagnostics,
                                tflite_rules()};
  tensorflow::MetaGraphDef meta;
  std::map<uint32_t, TranslatedSubgraph> translated;
  std::vector<std::string> nodes;
  std::set<size_t> initializers;
  for (const TfliteSignature& signature : signatures_of(read)) {
    const TfliteSubgraph& graph = read.subgraphs[signature.subgraph];
    auto [found, is_new] = translated.try_emplace(signature.subgraph);
    TranslatedSubgraph& made = found->second;
    if (is_new) {
      TRY(subgraph, translate(translation, signature.subgraph));
      made = std::move(subgraph);
      for (std::string& node : made.nodes) nodes.push_back(std::move(node));
      find_initializers(read.subgraphs, signature.subgraph, initializers);
    }
    std::map<uint32_t, std::string> inputs;
    for (size_t i = 0; i < graph.inputs.size(); ++i) {
      inputs.emplace(static_cast<uint32_t>(graph.inputs[i]), made.inputs[i]);
    }
    add_signature(signature, graph, inputs, made.tensors, meta);
  }
  if (!read.bytes->ok()) return read.bytes->error();
  CHECK_OK(add_initializers(translation, initializers, model, nodes, meta));
  GraphBuilder builder{Graph()};
  builder.set_versions(version_def());
  for (std::string& node : nodes) builder.add(std::move(node));
  for (std::string& each : translation.function_defs) builder.add_function(std::move(each));
  model.graph = builder.finish();
  set_meta(model, std::move(meta));
  report(translation.numbers, translation.choices, file, context.diagnostics);
  return model;
}

}  // namespace cryo
