#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "formats/tflite/tflite.h"
#include "formats/tflite/tflite_constants.h"
#include "formats/tflite/tflite_file.h"
#include "formats/tflite/translate.h"
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

}  // namespace

Result<Model> read_tflite(const OpenContext& context, const SourcePtr& file) {
  TRY(read, read_tflite_file(file));
  Model model{Kind::kTflite, file->name(), {file}, true};
  const RewriteRules rules = tflite_rules();
  const TfliteChoices choices{context.options.keep_quantization};
  TfliteNumbers numbers;
  FreshNames names;
  GraphBuilder builder{Graph()};
  builder.set_versions(version_def());
  tensorflow::MetaGraphDef meta;
  std::map<uint32_t, TranslatedSubgraph> translated;
  for (const TfliteSignature& signature : signatures_of(read)) {
    const TfliteSubgraph& graph = read.subgraphs[signature.subgraph];
    auto [found, is_new] = translated.try_emplace(signature.subgraph);
    TranslatedSubgraph& made = found->second;
    if (is_new) {
      TRY(subgraph, translate(read.subgraphs, signature.subgraph, rules, choices, names,
                              *model.payloads, numbers, context.diagnostics));
      made = std::move(subgraph);
      for (std::string& node : made.nodes) builder.add(std::move(node));
    }
    std::map<uint32_t, std::string> inputs;
    for (size_t i = 0; i < graph.inputs.size(); ++i) {
      inputs.emplace(static_cast<uint32_t>(graph.inputs[i]), made.inputs[i]);
    }
    add_signature(signature, graph, inputs, made.tensors, meta);
  }
  model.graph = builder.finish();
  set_meta(model, std::move(meta));
  report(numbers, choices, file, context.diagnostics);
  return model;
}

}  // namespace cryo
