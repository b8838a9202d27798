#include "formats/tflite/translate.h"

#include <algorithm>
#include <cassert>

#include "base/text.h"
#include "formats/tflite/range_source.h"
#include "formats/tflite/tflite_calls.h"
#include "formats/tflite/tflite_constants.h"
#include "formats/tflite/tflite_later_rules.h"
#include "formats/tflite/tflite_nodes.h"
#include "formats/tflite/tflite_recurrent_rules.h"
#include "formats/tflite/tflite_rules.h"
#include "formats/tflite/tflite_source.h"
#include "formats/tflite/tflite_stablehlo_rules.h"
#include "graph/node_editor.h"
#include "wire/flex_buffer.h"

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
  SubgraphTranslation(TfliteTranslation& file, size_t graph, FreshNames& names, bool is_function)
      : file_(file),
        graph_(file.graphs[graph]),
        names_(names),
        is_function_(is_function),
        nodes_(file.payloads, names) {}

  Result<TranslatedSubgraph> run();

 private:
  const TfliteTensor& tensor(int32_t index) const {
    return graph_.tensors[static_cast<size_t>(index)];
  }
  std::string& name(int32_t index) { return made_.tensors[static_cast<size_t>(index)]; }
  void take_names();
  void add_input(int32_t index);
  Status add_constant(int32_t index);
  Status add_operator(const TfliteOperator& each);
  void add_opaque(const TfliteOperator& each, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& outputs);
  Result<bool> add_call(const TfliteOperator& each, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs);
  bool add_flex(const TfliteOperator& each, const std::vector<std::string>& inputs,
                const std::vector<std::string>& outputs);
  bool add_handle(const TfliteOperator& each, const std::string& own);
  bool keeps_range(const TfliteOperator& each, const TfliteTensor& output) const;
  std::string add_range(const TfliteTensor& of, const std::string& input, std::string wanted);
  void add_outputs();

  TfliteTranslation& file_;
  const TfliteSubgraph& graph_;
  FreshNames& names_;
  bool is_function_;
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
void SubgraphTranslation::add_input(int32_t index) {
  const TfliteTensor& input = tensor(index);
  std::string own = own_names_[static_cast<size_t>(index)];
  if (is_function_) own = cat("arg_", made_.inputs.size());
  made_.inputs.push_back(own);
  if (!name(index).empty()) return;
  name(index) = own;
  if (is_function_) return;
  NodeEditor editor(own, "Placeholder");
  editor.set_attr("dtype", type_value(graph_type(input)));
  editor.set_attr("shape", shape_value(shape_message(input.signature)));
  nodes_.add_node({}, editor.finish());
  const bool rounds = file_.choices.keep_quantization && has_range(input);
  if (rounds) name(index) = add_range(input, own, names_.take(cat(own, "/range")));
}

Status SubgraphTranslation::add_constant(int32_t index) {
  if (index < 0 || !name(index).empty()) return Unit{};
  const TfliteTensor& constant = tensor(index);
  const std::string& own = own_names_[static_cast<size_t>(index)];
  if (constant.is_constant() || has_no_elements(constant)) {
    TRY(made, constant_tensor(constant, graph_, file_.diagnostics));
    if (is_quantized(constant)) ++file_.numbers.quantized_weights;
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
  if (file_.choices.keep_quantization) return false;
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
  const RangeSource source(of, input, file_.choices.keep_quantization);
  ++file_.numbers.ranges;
  nodes_.begin({std::move(wanted)});
  return rewrite(file_.rules, *rule_for(file_.rules, source), source, nodes_)[0];
}

// An operator without a translation: its name as the op, its options as they are stored.
void SubgraphTranslation::add_opaque(const TfliteOperator& each,
                                     const std::vector<std::string>& inputs,
                                     const std::vector<std::string>& outputs) {
  ++file_.numbers.unknown;
  const std::string own =
      outputs.empty() ? names_.take(legal_name(each.name, "operator")) : outputs[0];
  NodeEditor editor(own, legal_name(each.name, "Unknown"));
  for (const std::string& input : inputs) {
    if (!input.empty()) editor.add_input(input);
  }
  if (const auto options = small_options(each)) {
    editor.set_attr("_tflite_options", string_value(*options));
  }
  nodes_.add_node(inputs, editor.finish());
  for (size_t i = 0; i < each.outputs.size(); ++i) {
    if (each.outputs[i] >= 0) name(each.outputs[i]) = i == 0 ? own : cat(own, ":", i);
  }
}

// Adds a node of TensorFlow that the file has as it is: FlexErf.
bool SubgraphTranslation::add_flex(const TfliteOperator& each,
                                   const std::vector<std::string>& inputs,
                                   const std::vector<std::string>& outputs) {
  if (!each.is_custom || !each.name.starts_with("Flex")) return false;
  const auto options = small_options(each);
  if (!options) return false;
  const std::string node_def(FlexValue::root(*options).element(1).text());
  const Result<Node> node = scan_node(node_def);
  if (!node || node->op.empty()) return false;
  NodeEditor editor(*node);
  editor.set_name(outputs[0]).set_inputs(inputs);
  nodes_.add_node(inputs, editor.finish());
  for (size_t i = 0; i < each.outputs.size(); ++i) {
    if (each.outputs[i] >= 0) name(each.outputs[i]) = i == 0 ? outputs[0] : cat(outputs[0], ":", i);
  }
  return true;
}

// Adds a call of graphs. Returns false for another operator.
Result<bool> SubgraphTranslation::add_call(const TfliteOperator& each,
                                           const std::vector<std::string>& inputs,
                                           const std::vector<std::string>& outputs) {
  const auto call = call_of({file_.graphs, graph_, each});
  if (!call) return false;
  NodeEditor editor(outputs[0], call->op);
  editor.set_inputs(inputs);
  for (const TfliteCallee& callee : call->callees) {
    std::vector<std::string> names;
    for (const size_t graph : callee.graphs) {
      TRY(function, function_of(file_, graph));
      names.push_back(std::move(function));
    }
    editor.set_attr(callee.attr, functions_value(names, callee.is_list));
  }
  for (const auto& [key, value] : call->attrs) editor.set_attr(key, value);
  nodes_.add_node(inputs, editor.finish());
  for (size_t i = 0; i < each.outputs.size(); ++i) {
    if (each.outputs[i] >= 0) name(each.outputs[i]) = i == 0 ? outputs[0] : cat(outputs[0], ":", i);
  }
  return true;
}

// Variables and tables are one node each in the main graph, whatever the number of graphs that name
// them.
bool SubgraphTranslation::add_handle(const TfliteOperator& each, const std::string& own) {
  const auto handle = handle_of({file_.graphs, graph_, each});
  if (!handle) return false;
  std::string made = own;
  if (!is_function_) {
    const auto [known, is_new] = file_.handles.try_emplace(handle->identity);
    if (is_new) known->second = names_.take(legal_name(handle->name, "handle"));
    made = known->second;
    name(each.outputs[0]) = made;
    if (!is_new) return true;
  }
  NodeEditor editor(made, handle->op);
  for (const auto& [key, value] : handle->attrs) editor.set_attr(key, value);
  nodes_.add_node({}, editor.finish());
  name(each.outputs[0]) = made;
  return true;
}

Status SubgraphTranslation::add_operator(const TfliteOperator& each) {
  if (each.name == "CALL_ONCE") return Unit{};
  std::vector<std::string> inputs;
  for (const int32_t input : each.inputs) inputs.push_back(input < 0 ? "" : name(input));
  std::vector<std::string> outputs;
  std::vector<bool> has_ranges;
  for (const int32_t output : each.outputs) {
    const std::string own = output < 0 ? names_.take(legal_name(each.name, "unused"))
                                       : own_names_[static_cast<size_t>(output)];
    has_ranges.push_back(output >= 0 && has_range(tensor(output)) &&
                         !keeps_range(each, tensor(output)));
    outputs.push_back(has_ranges.back() ? names_.take(cat(own, "/value")) : own);
  }
  if (outputs.empty()) outputs = {names_.take(legal_name(each.name, "operator"))};
  if (!each.outputs.empty() && add_handle(each, outputs[0])) return Unit{};
  TRY(is_call, add_call(each, inputs, outputs));
  if (is_call || add_flex(each, inputs, outputs)) return Unit{};
  const TfliteSource source({file_.graphs, graph_, each}, inputs);
  const RewriteRule* rule = rule_for(file_.rules, source);
  const bool has_effect = is_stateful(each);
  nodes_.begin(outputs, has_effect ? made_.last_effect : "");
  std::vector<std::string> made;
  if (rule != nullptr) made = rewrite(file_.rules, *rule, source, nodes_);
  if (made.empty()) {
    add_opaque(each, inputs, outputs);
    return Unit{};
  }
  if (has_effect) made_.last_effect = cat("^", outputs[0]);
  // The outputs of one node: Split.
  for (size_t i = made.size(); i < outputs.size(); ++i) made.push_back(cat(made[0], ":", i));
  for (size_t i = 0; i < each.outputs.size(); ++i) {
    const int32_t output = each.outputs[i];
    if (output < 0) continue;
    name(output) = has_ranges[i]
                       ? add_range(tensor(output), made[i], own_names_[static_cast<size_t>(output)])
                       : made[i];
  }
  return Unit{};
}

// An output is a node of its name, also if it is an input, a constant or another output of a node.
// It waits for what changes variables.
void SubgraphTranslation::add_outputs() {
  for (const int32_t output : graph_.outputs) {
    const std::string& own = own_names_[static_cast<size_t>(output)];
    const bool is_input =
        std::find(graph_.inputs.begin(), graph_.inputs.end(), output) != graph_.inputs.end();
    const bool waits = !made_.last_effect.empty();
    if (name(output) == own && !is_input && !nodes_.is_constant(own) && !waits) continue;
    if (is_function_ && !waits && !nodes_.is_constant(name(output))) continue;
    const std::string from = name(output);
    name(output) = from == own ? names_.take(cat(own, "/output")) : own;
    NodeEditor editor(name(output), "Identity");
    editor.add_input(from).set_attr("T", type_value(graph_type(tensor(output))));
    if (waits) editor.add_input(made_.last_effect);
    nodes_.add_node({from}, editor.finish());
  }
}

Result<TranslatedSubgraph> SubgraphTranslation::run() {
  take_names();
  for (const int32_t input : graph_.inputs) add_input(input);
  for (const TfliteOperator& each : graph_.operators) {
    for (const int32_t input : each.inputs) CHECK_OK(add_constant(input));
    CHECK_OK(add_operator(each));
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
  for (const std::string_view text : {kTfliteRules, kTfliteLaterRules, kTfliteStablehloRules,
                                      kTfliteRecurrentRules, kRangeRules}) {
    const Status added = rules.add(text);
    assert(added);
  }
  return rules;
}

Result<TranslatedSubgraph> translate(TfliteTranslation& file, size_t graph) {
  SubgraphTranslation translation(file, graph, file.names, false);
  return translation.run();
}

Result<std::string> function_of(TfliteTranslation& file, size_t graph) {
  constexpr size_t kMostNested = 64;
  if (const auto known = file.functions.find(graph); known != file.functions.end()) {
    return known->second;
  }
  if (!file.open.insert(graph).second) {
    return failure("bad-tflite",
                   cat("expected graphs that do not call themselves; found that ", graph, " does"));
  }
  if (file.open.size() > kMostNested) {
    return failure("bad-tflite", cat("expected at most ", kMostNested, " calls in each other"));
  }
  FreshNames names;
  SubgraphTranslation translation(file, graph, names, true);
  TRY(made, translation.run());
  const TfliteSubgraph& body = file.graphs[graph];
  std::string name = file.function_names.take(legal_name(body.name, cat("subgraph_", graph)));
  file.function_defs.push_back(function_def(name, body, made));
  file.open.erase(graph);
  file.functions.emplace(graph, name);
  return name;
}

}  // namespace cryo
