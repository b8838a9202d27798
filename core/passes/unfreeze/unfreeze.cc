#include "passes/unfreeze/unfreeze.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/sort.h"
#include "base/text.h"
#include "graph/edges.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "model/init_op.h"
#include "model/meta.h"
#include "model/saver.h"
#include "model/variables.h"
#include "passes/common/new_model.h"
#include "passes/common/unmatched.h"
#include "passes/unfreeze/hoist_weights.h"
#include "passes/unfreeze/unfreeze_entries.h"
#include "passes/unfreeze/unfreeze_plan.h"
#include "passes/variables/variable_initializers.h"
#include "tensor/number.h"

namespace cryo {
namespace {

// Returns the value of a scalar Const of whole numbers; nullopt for any other.
std::optional<int64_t> whole_number(const Node& constant, const Payloads& payloads) {
  const auto tensor = read_tensor(tensor_attr(constant, "value").value_or(""), payloads);
  const bool one = tensor && tensor->count == 1 && tensor->dtype != DType::kString;
  if (!one) return std::nullopt;
  const auto bytes = tensor->content.read_all();
  if (!bytes || bytes->empty()) return std::nullopt;
  const Number number = number_at(tensor->dtype, bytes->data());
  const auto value = static_cast<int64_t>(number.magnitude);
  return number.whole ? std::optional(number.negative ? -value : value) : std::nullopt;
}

// Variables that constants become, and those that the graph has.
struct UnfrozenVariables {
  std::vector<PlannedVariable> planned = {};
  std::map<uint32_t, size_t> index_of = {};  // node -> planned
  std::vector<Variable> others = {};         // that the graph has already, with their values

  const PlannedVariable* at(uint32_t node) const {
    const auto found = index_of.find(node);
    return found == index_of.end() ? nullptr : &planned[found->second];
  }
};

// Returns the constants that look like weights, and the weights hoisted out of functions.
std::vector<Weight> weights_to_unfreeze(const Hoisted& hoisted, const WeightSelection& selection,
                                        Conversions& candidates, Diagnostics& diagnostics) {
  const Graph& graph = hoisted.model.graph;
  const std::vector<Node>& nodes = graph.nodes();
  WeightUses uses(graph);
  std::vector<Weight> weights = find_weights(nodes, graph.index().edges(), uses, selection);
  std::erase_if(weights, [&](const Weight& each) {
    return hoisted.weights.contains(std::string(nodes[each.node].name));
  });
  report_fair(nodes, take_out_fair(weights), hoisted.fair, candidates, diagnostics);
  for (const auto& each : hoisted.weights) {
    weights.push_back(each.second);
    weights.back().node = graph.index().names().find(each.first);
  }
  sort(weights, [](const Weight& a, const Weight& b) { return a.node < b.node; });
  return weights;
}

void find_others(const Model& model, UnfrozenVariables& variables) {
  std::set<std::string> taken;
  for (Variable& variable : variables_of(model)) {
    if (model.checkpoint == nullptr) break;
    const CheckpointEntry* entry = model.checkpoint->find(variable.key);
    if (entry == nullptr || entry->fault) continue;
    taken.insert(variable.key);
    variables.others.push_back(std::move(variable));
  }
  settle_keys(variables.planned, taken);
}

std::string_view read_suffix(const NewVariable& variable) {
  return variable.resource() ? "/Read/ReadVariableOp" : "/read";
}

// The Identity under the name that TensorFlow gives a variable's read, if there is one.
std::string existing_read(const Graph& graph, const PlannedVariable& planned) {
  const std::string name = cat(graph.nodes()[planned.node].name, read_suffix(planned.variable));
  const uint32_t node = graph.index().names().find(name);
  if (node == kNoNode || graph.nodes()[node].op != "Identity") return {};
  const auto inputs = graph.index().edges().inputs(node);
  return !inputs.empty() && inputs[0].node == planned.node ? name : std::string();
}

void name_reads(const Graph& graph, FreshNames& fresh, std::vector<PlannedVariable>& planned) {
  for (PlannedVariable& each : planned) {
    NewVariable& variable = each.variable;
    variable.read = existing_read(graph, each);
    if (variable.read.empty()) {
      variable.read = fresh.take(cat(variable.name, read_suffix(variable)));
    }
  }
}

// Returns the variable whose handle an Identity takes: the node becomes a read. Other consumers of
// the value use that read.
const PlannedVariable* handle_taken(const Graph& graph, const UnfrozenVariables& variables,
                                    uint32_t node) {
  const auto inputs = graph.index().edges().inputs(node);
  if (graph.nodes()[node].op != "Identity" || inputs.empty()) return nullptr;
  const PlannedVariable* planned = variables.at(inputs[0].node);
  return planned != nullptr && planned->variable.resource() ? planned : nullptr;
}

std::string input_now(const UnfrozenVariables& variables, std::string_view input,
                      const Edge& edge) {
  const PlannedVariable* planned = variables.at(edge.node);
  if (planned == nullptr) return std::string(input);
  const NewVariable& variable = planned->variable;
  if (edge.control) return cat("^", variable.name);
  return cat(variable.resource() ? variable.read : variable.name, port_text(input));
}

// The handle that a GatherV2 may gather from: its first input is the variable, read or not, and its
// axis the one that ResourceGather knows, that behind the batch's.
const PlannedVariable* gathered(const Model& model, const UnfrozenVariables& variables,
                                uint32_t index) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const auto edges = model.graph.index().edges().inputs(index);
  if (nodes[index].op != "GatherV2" || edges.size() < 3) return nullptr;
  const uint32_t params = edges[0].node;
  const uint32_t axis_node = edges[2].node;
  if (params == kNoNode || axis_node == kNoNode) return nullptr;
  const PlannedVariable* read = handle_taken(model.graph, variables, params);
  const PlannedVariable* planned = read != nullptr ? read : variables.at(params);
  if (planned == nullptr || !planned->variable.resource()) return nullptr;
  if (nodes[axis_node].op != "Const") return nullptr;
  const auto axis = whole_number(nodes[axis_node], *model.payloads);
  return axis == int_attr(nodes[index], "batch_dims").value_or(0) ? planned : nullptr;
}

// The NodeDef, where it says that it lives with a constant that is called otherwise now.
std::string recolocated(const NodeNames& names, const UnfrozenVariables& variables,
                        std::string node_def) {
  const Node node = *scan_node(node_def);
  std::vector<std::string> partners;
  bool changed = false;
  for (const std::string_view partner : colocations(node)) {
    const PlannedVariable* planned = variables.at(names.find(partner));
    partners.push_back(planned == nullptr ? std::string(partner) : planned->variable.name);
    changed = changed || partners.back() != partner;
  }
  if (!changed) return node_def;
  return NodeEditor(node).set_colocations({partners.begin(), partners.end()}).finish();
}

void add_node(const Model& model, const UnfrozenVariables& variables,
              const UnfreezeOptions& options, uint32_t index, GraphBuilder& builder) {
  const Node& node = model.graph.nodes()[index];
  const NodeNames& names = model.graph.index().names();
  if (const PlannedVariable* planned = variables.at(index)) {
    builder.add(recolocated(names, variables, variable_node(node, planned->variable)));
    return;
  }
  NodeEditor editor(node);
  const auto edges = model.graph.index().edges().inputs(index);
  const PlannedVariable* read = handle_taken(model.graph, variables, index);
  if (read != nullptr) editor.set_op("ReadVariableOp").rename_attr("T", "dtype");
  bool changed = read != nullptr;
  for (size_t i = 0; i < edges.size(); ++i) {
    std::string& input = editor.inputs()[i];
    std::string now = read != nullptr && i == 0 ? cat(read->variable.name, port_text(input))
                                                : input_now(variables, input, edges[i]);
    changed = changed || now != input;
    input = std::move(now);
  }
  const PlannedVariable* table =
      options.resource_gather ? gathered(model, variables, index) : nullptr;
  if (table != nullptr) {
    editor.set_op("ResourceGather").rename_attr("Tparams", "dtype").erase_attr("Taxis");
    editor.inputs()[0] = table->variable.name;
    editor.inputs().erase(editor.inputs().begin() + 2);
    changed = true;
  }
  changed = changed || (!options.rename.empty() && !colocations(node).empty());
  changed ? builder.add(recolocated(names, variables, editor.finish())) : builder.add(node);
}

// Returns the variables to save: existing ones with the reads that their definitions name, new ones
// with new reads.
std::vector<SavedVariable> variables_to_save(const Model& model, const UnfrozenVariables& variables,
                                             FreshNames& fresh, GraphBuilder& builder) {
  std::vector<SavedVariable> saved;
  for (const PlannedVariable& planned : variables.planned) {
    const NewVariable& each = planned.variable;
    saved.push_back({each.name, each.resource() ? each.read : each.name, each.resource(),
                     each.dtype, each.key, each.slice});
  }
  std::map<std::string, std::string> reads;
  for (const auto& def : variable_defs(parse_meta(model), "variables")) {
    const std::string read(parse_tensor_name(def.snapshot_name()).node);
    if (model.graph.index().names().find(read) == kNoNode) continue;
    reads.emplace(std::string(parse_tensor_name(def.variable_name()).node), read);
  }
  for (const Variable& each : variables.others) {
    std::string& read = reads[each.name];
    if (!each.resource) read = each.name;
    if (read.empty()) {
      NewVariable variable{each.name, "VarHandleOp", each.dtype};
      variable.read = read = fresh.take(cat(each.name, "/Read/ReadVariableOp"));
      add_read(variable, builder);
    }
    saved.push_back({each.name, read, each.resource, each.dtype, each.key, each.slice});
  }
  return saved;
}

// The values, under the variables' keys, and those that the graph's variables had.
Checkpoint checkpoint_of(const Model& model, const UnfrozenVariables& variables) {
  Checkpoint checkpoint;
  checkpoint.entries = entries_of(variables.planned);
  std::set<std::string> taken;
  for (const Variable& each : variables.others) {
    if (!taken.insert(each.key).second) continue;
    checkpoint.entries.push_back(*model.checkpoint->find(each.key));
  }
  sort(checkpoint.entries,
       [](const CheckpointEntry& a, const CheckpointEntry& b) { return a.key < b.key; });
  return checkpoint;
}

// Returns the variables that the graph had, with their new initializers. All variables start with
// the values that the checkpoint has: one that started with zeros among them would be a wrong model
// that nothing reports.
Result<std::vector<NewVariable>> add_initial_values(const Model& model,
                                                    const UnfreezeOptions& options,
                                                    FreshNames& fresh, GraphBuilder& builder,
                                                    UnfrozenVariables& variables) {
  VariableInitializers initial(options.initial_values, fresh, *model.payloads, builder);
  for (PlannedVariable& each : variables.planned) {
    CHECK_OK(initial.add(each.variable, each.tensor));
  }
  std::vector<NewVariable> started;
  for (const Variable& each : variables.others) {
    TRY(value, value_of(model, each));
    const std::string op(model.graph.nodes()[each.node].op);
    NewVariable variable{each.name, op, value.dtype, value.shape};
    variable.key = each.key;
    variable.slice = each.slice;
    CHECK_OK(initial.add(variable, value));
    started.push_back(std::move(variable));
  }
  return started;
}

tensorflow::MetaGraphDef meta_of(const Model& model, const UnfrozenVariables& variables,
                                 const std::vector<NewVariable>& started,
                                 const tensorflow::SaverDef& saver) {
  tensorflow::MetaGraphDef meta = parse_meta(model);
  *meta.mutable_saver_def() = saver;
  meta.clear_object_graph_def();  // which knows other variables, saved otherwise
  name_initializers(started, meta);
  std::map<std::string, std::vector<std::string>> listed;
  for (const PlannedVariable& each : variables.planned) {
    const std::string definition = variable_def(each.variable).SerializeAsString();
    for (const std::string& name : each.collections) listed[name].push_back(definition);
  }
  add_definitions(listed, meta);
  for (auto& signature : *meta.mutable_signature_def()) {
    for (auto& output : *signature.mutable_value()->mutable_outputs()) {
      const std::string name = output.value().name();
      const TensorName tensor = parse_tensor_name(name);
      const Edge edge{model.graph.index().names().find(tensor.node), tensor.port, false};
      output.mutable_value()->set_name(input_now(variables, name, edge));
    }
  }
  find_init_op(model.graph, meta);
  return meta;
}

Result<UnfreezeResult> unfreeze_hoisted(const Hoisted& hoisted, const UnfreezeOptions& options,
                                        Diagnostics& diagnostics) {
  const Model& model = hoisted.model;
  const NodeNames& names = model.graph.index().names();
  FreshNames fresh(names);
  UnfreezeResult result;
  const auto weights =
      weights_to_unfreeze(hoisted, options.weights, result.candidates, diagnostics);
  UnfrozenVariables variables;
  TRY(planned, plan_variables(model, weights, options, fresh, result.converted));
  variables.planned = std::move(planned);
  find_others(model, variables);
  for (const PlannedVariable& each : variables.planned) {
    variables.index_of.emplace(each.node, variables.index_of.size());
  }
  name_reads(model.graph, fresh, variables.planned);

  GraphBuilder builder(model.graph);
  for (uint32_t i = 0; i < model.graph.nodes().size(); ++i) {
    add_node(model, variables, options, i, builder);
  }
  TRY(started, add_initial_values(model, options, fresh, builder, variables));
  for (const PlannedVariable& each : variables.planned) {
    if (names.find(each.variable.read) == kNoNode) add_read(each.variable, builder);
  }
  const tensorflow::SaverDef saver = add_saver(variables_to_save(model, variables, fresh, builder),
                                               tensorflow::SaverDef::V2, names, builder);
  builder.add_functions_of(model.graph);
  Model& unfrozen = result.model = model;
  unfrozen.kind = Kind::kMetaGraph;
  unfrozen.graph = builder.finish();
  set_meta(unfrozen, meta_of(model, variables, started, saver));
  Restores& restores = unfrozen.restores.edit();
  for (const PlannedVariable& each : variables.planned) {
    restores[each.variable.name] = {each.variable.key, each.variable.slice};
  }
  unfrozen.checkpoint = std::make_shared<const Checkpoint>(checkpoint_of(model, variables));
  return result;
}

}  // namespace

Result<UnfreezeResult> unfreeze(const Model& model, const UnfreezeOptions& options,
                                Diagnostics& diagnostics) {
  CHECK_OK(check_chosen_constants(model, options.weights));
  return new_model(model, [&](const Model& own) -> Result<UnfreezeResult> {
    TRY(hoisted, hoist_weights(own, options.weights));
    return unfreeze_hoisted(hoisted, options, diagnostics);
  });
}

}  // namespace cryo
