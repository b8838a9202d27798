#include "formats/tflite/translate.h"

#include <algorithm>
#include <cassert>

#include "base/text.h"
#include "formats/tflite/range_source.h"
#include "formats/tflite/tflite_constants.h"
#include "formats/tflite/tflite_later_rules.h"
#include "formats/tflite/tflite_nodes.h"
#include "formats/tflite/tflite_rules.h"
#include "formats/tflite/tflite_source.h"
#include "formats/tflite/tflite_stablehlo_rules.h"
#include "graph/node_editor.h"

namespace cryo {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
}

// "a/Relu;a/Conv2D" -> "a/Relu": fused operators have the names of all that they were made of.
std::string legal_name(std::string_view name, std::string_view otherwise) {
  name = name.substr(0, name.find(';'));
  if (name.ends_with(":0")) name.remove_suffix(2);
  std::string legal(name);
  for (char& c : legal) {
    if (!is_word(c) && std::string_view("_/>-").find(c) == std::string_view::npos) c = '_';
  }
  if (legal.empty()) legal = otherwise;
  if (!is_word(legal[0])) legal = cat("tensor", legal[0] == '_' ? "" : "_", legal);
  return legal;
}

bool is_same(const TfliteQuantization& a, const TfliteQuantization& b) {
  return a.scales == b.scales && a.zero_points == b.zero_points;
}

class SubgraphTranslation {
 public:
  SubgraphTranslation(const std::vector<TfliteSubgraph>& graphs, size_t index,
                      const RewriteRules& rules, const TfliteChoices& choices, FreshNames& names,
                      Payloads& payloads, TfliteNumbers& numbers, Diagnostics& diagnostics)
      : graphs_(graphs),
        graph_(graphs[index]),
        rules_(rules),
        choices_(choices),
        names_(names),
        numbers_(numbers),
        diagnostics_(diagnostics),
        nodes_(payloads, names) {}

  Result<TranslatedSubgraph> run();

 private:
  const TfliteTensor& tensor(int32_t index) const {
    return graph_.tensors[static_cast<size_t>(index)];
  }
  std::string& name(int32_t index) { return made_.tensors[static_cast<size_t>(index)]; }
  void take_names();
  void add_placeholder(int32_t index);
  Status add_constant(int32_t index);
  void add_operator(const TfliteOperator& each);
  void add_opaque(const TfliteOperator& each, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs);
  bool keeps_range(const TfliteOperator& each, const TfliteTensor& output) const;
  std::string add_range(const TfliteTensor& of, const std::string& input, std::string wanted);
  void add_outputs();

  const std::vector<TfliteSubgraph>& graphs_;
  const TfliteSubgraph& graph_;
  const RewriteRules& rules_;
  const TfliteChoices& choices_;
  FreshNames& names_;
  TfliteNumbers& numbers_;
  Diagnostics& diagnostics_;
  TfliteNodes nodes_;
  std::vector<std::string> own_names_;  // by tensor
  TranslatedSubgraph made_;
};

void SubgraphTranslation::take_names() {
  made_.tensors.resize(graph_.tensors.size());
  own_names_.resize(graph_.tensors.size());
  const auto take = [&](int32_t index, std::string_view otherwise) {
    if (index < 0 || !own_names_[static_cast<size_t>(index)].empty()) return;
    own_names_[static_cast<size_t>(index)] =
        names_.take(legal_name(tensor(index).name, cat(otherwise, "_", index)));
  };
  for (const int32_t input : graph_.inputs) take(input, "input");
  for (const TfliteOperator& each : graph_.operators) {
    for (const int32_t output : each.outputs) take(output, each.name);
  }
  for (const TfliteOperator& each : graph_.operators) {
    for (const int32_t input : each.inputs) take(input, "constant");
  }
  for (const int32_t output : graph_.outputs) take(output, "output");
}

// In a graph that keeps its quantization, inputs are rounded, too.
void SubgraphTranslation::add_placeholder(int32_t index) {
  const TfliteTensor& input = tensor(index);
  const std::string& own = own_names_[static_cast<size_t>(index)];
  made_.inputs.push_back(own);
  if (!name(index).empty()) return;
  NodeEditor editor(own, "Placeholder");
  editor.set_attr("dtype", type_value(graph_type(input)));
  editor.set_attr("shape", shape_value(shape_message(input.signature)));
  nodes_.add_node({}, editor.finish());
  const bool rounds = choices_.keep_quantization && has_range(input);
  name(index) = rounds ? add_range(input, own, names_.take(cat(own, "/range"))) : own;
}

Status SubgraphTranslation::add_constant(int32_t index) {
  if (index < 0 || !name(index).empty()) return Unit{};
  const TfliteTensor& constant = tensor(index);
  const std::string& own = own_names_[static_cast<size_t>(index)];
  if (constant.is_constant()) {
    TRY(made, constant_tensor(constant, graph_, diagnostics_));
    if (is_quantized(constant)) ++numbers_.quantized_weights;
    nodes_.add_constant(own, std::move(made));
  } else if (constant.is_variable) {
    nodes_.add_constant(own, zeros_of(constant));
  } else {
    return Unit{};
  }
  name(index) = own;
  return Unit{};
}

// Returns true if the values of an output are in its range anyway.
bool SubgraphTranslation::keeps_range(const TfliteOperator& each,
                                      const TfliteTensor& output) const {
  if (choices_.keep_quantization) return false;
  if (each.name == "LOGISTIC" || each.name == "SOFTMAX" || each.name == "TANH") return true;
  const bool moves = each.name == "RESHAPE" || each.name == "TRANSPOSE" || each.name == "SLICE" ||
                     each.name == "STRIDED_SLICE" || each.name == "MAX_POOL_2D" ||
                     each.name == "CONCATENATION" || each.name == "SPLIT" ||
                     each.name == "SQUEEZE" || each.name == "EXPAND_DIMS" ||
                     each.name == "GATHER" || each.name == "AVERAGE_POOL_2D";
  return moves && std::all_of(each.inputs.begin(), each.inputs.end(), [&](int32_t input) {
           return input < 0 || !has_range(tensor(input)) ||
                  is_same(tensor(input).quantization, output.quantization);
         });
}

std::string SubgraphTranslation::add_range(const TfliteTensor& of, const std::string& input,
                                           std::string wanted) {
  const RangeSource source(of, input, choices_.keep_quantization);
  ++numbers_.ranges;
  nodes_.begin({std::move(wanted)});
  return rewrite(rules_, *rule_for(rules_, source), source, nodes_)[0];
}

// An operator without a translation: its name as the op, its options as they are stored.
void SubgraphTranslation::add_opaque(const TfliteOperator& each,
                                     const std::vector<std::string>& inputs,
                                     const std::vector<std::string>& outputs) {
  ++numbers_.unknown;
  const std::string own =
      outputs.empty() ? names_.take(legal_name(each.name, "operator")) : outputs[0];
  NodeEditor editor(own, legal_name(each.name, "Unknown"));
  for (const std::string& input : inputs) {
    if (!input.empty()) editor.add_input(input);
  }
  if (each.custom_options.source != nullptr && each.custom_options.size <= (1 << 16)) {
    const auto options = Splice(each.custom_options).read_all();
    if (options) editor.set_attr("_tflite_options", string_value(*options));
  }
  nodes_.add_node(inputs, editor.finish());
  for (size_t i = 0; i < each.outputs.size(); ++i) {
    if (each.outputs[i] >= 0) name(each.outputs[i]) = i == 0 ? own : cat(own, ":", i);
  }
}

void SubgraphTranslation::add_operator(const TfliteOperator& each) {
  std::vector<std::string> inputs;
  for (const int32_t input : each.inputs) inputs.push_back(input < 0 ? "" : name(input));
  std::vector<std::string> outputs;
  std::vector<bool> has_ranges;
  for (const int32_t output : each.outputs) {
    const std::string own = output < 0 ? "" : own_names_[static_cast<size_t>(output)];
    has_ranges.push_back(output >= 0 && has_range(tensor(output)) &&
                         !keeps_range(each, tensor(output)));
    outputs.push_back(has_ranges.back() ? names_.take(cat(own, "/value")) : own);
  }
  const TfliteSource source({graphs_, graph_, each}, inputs);
  const RewriteRule* rule = each.is_custom ? nullptr : rule_for(rules_, source);
  if (rule == nullptr || outputs.empty()) return add_opaque(each, inputs, outputs);
  nodes_.begin(outputs);
  std::vector<std::string> made = rewrite(rules_, *rule, source, nodes_);
  // The outputs of one node: Split.
  for (size_t i = made.size(); i < outputs.size(); ++i) made.push_back(cat(made[0], ":", i));
  for (size_t i = 0; i < outputs.size(); ++i) {
    const int32_t output = each.outputs[i];
    if (output < 0) continue;
    name(output) = has_ranges[i]
                       ? add_range(tensor(output), made[i], own_names_[static_cast<size_t>(output)])
                       : made[i];
  }
}

// An output is a node of its name, also if it is an input, a constant or another output of a node.
void SubgraphTranslation::add_outputs() {
  for (const int32_t output : graph_.outputs) {
    const std::string& own = own_names_[static_cast<size_t>(output)];
    const bool is_input =
        std::find(graph_.inputs.begin(), graph_.inputs.end(), output) != graph_.inputs.end();
    if (name(output) == own && !is_input && !nodes_.is_constant(own)) continue;
    const std::string from = name(output);
    name(output) = from == own ? names_.take(cat(own, "/output")) : own;
    NodeEditor editor(name(output), "Identity");
    editor.add_input(from).set_attr("T", type_value(graph_type(tensor(output))));
    nodes_.add_node({from}, editor.finish());
  }
}

Result<TranslatedSubgraph> SubgraphTranslation::run() {
  take_names();
  for (const int32_t input : graph_.inputs) add_placeholder(input);
  for (const TfliteOperator& each : graph_.operators) {
    for (const int32_t input : each.inputs) CHECK_OK(add_constant(input));
    add_operator(each);
  }
  for (const int32_t output : graph_.outputs) CHECK_OK(add_constant(output));
  add_outputs();
  TRY(nodes, nodes_.finish());
  made_.nodes = std::move(nodes);
  return std::move(made_);
}

}  // namespace

RewriteRules tflite_rules() {
  RewriteRules rules;
  for (const std::string_view text :
       {kTfliteRules, kTfliteLaterRules, kTfliteStablehloRules, kRangeRules}) {
    const Status added = rules.add(text);
    assert(added);
  }
  return rules;
}

Result<TranslatedSubgraph> translate(const std::vector<TfliteSubgraph>& graphs, size_t index,
                                     const RewriteRules& rules, const TfliteChoices& choices,
                                     FreshNames& names, Payloads& payloads, TfliteNumbers& numbers,
                                     Diagnostics& diagnostics) {
  SubgraphTranslation translation(graphs, index, rules, choices, names, payloads, numbers,
                                  diagnostics);
  return translation.run();
}

}  // namespace cryo
