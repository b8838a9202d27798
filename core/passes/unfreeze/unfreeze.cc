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

class Unfreezer {
 public:
  Unfreezer(const Hoisted& hoisted, const UnfreezeOptions& options, Diagnostics& diagnostics)
      : model_(hoisted.model),
        hoisted_(hoisted),
        options_(options),
        diagnostics_(diagnostics),
        nodes_(model_.graph.nodes()),
        names_(model_.graph.index().names()),
        edges_(model_.graph.index().edges()),
        fresh_names_(names_) {}

  Result<UnfreezeResult> run();

 private:
  Status find();
  std::vector<Weight> weights();
  void find_others();
  std::string existing_read(const PlannedVariable& planned) const;
  bool takes_handle(uint32_t node) const;
  std::string input_now(std::string_view input, const Edge& edge) const;
  const PlannedVariable* gathered(uint32_t index) const;
  std::string recolocated(std::string node_def) const;
  void add(GraphBuilder& builder, uint32_t index) const;
  std::vector<SavedVariable> saved(GraphBuilder& builder);
  tensorflow::MetaGraphDef meta(const tensorflow::SaverDef& saver) const;
  Status add_initial_values(GraphBuilder& builder);
  Checkpoint checkpoint() const;
  const PlannedVariable* planned_at(uint32_t node) const;

  const Model& model_;
  const Hoisted& hoisted_;
  const UnfreezeOptions& options_;
  Diagnostics& diagnostics_;
  Conversions converted_;
  Conversions candidates_;
  const std::vector<Node>& nodes_;
  const NodeNames& names_;
  const Edges& edges_;
  FreshNames fresh_names_;
  std::vector<PlannedVariable> planned_;
  std::map<uint32_t, size_t> index_of_;  // node -> planned_
  std::vector<Variable> others_;         // that the graph has already, with their values
  std::vector<NewVariable> started_;     // the same, with their new initializers
};

// Returns the constants that look like weights, and the weights hoisted out of functions.
std::vector<Weight> Unfreezer::weights() {
  WeightUses uses(model_.graph);
  std::vector<Weight> weights = find_weights(nodes_, edges_, uses, options_.weights);
  std::erase_if(weights, [&](const Weight& each) {
    return hoisted_.weights.contains(std::string(nodes_[each.node].name));
  });
  report_fair(nodes_, take_out_fair(weights), hoisted_.fair, candidates_, diagnostics_);
  for (const auto& each : hoisted_.weights) {
    weights.push_back(each.second);
    weights.back().node = names_.find(each.first);
  }
  sort(weights, [](const Weight& a, const Weight& b) { return a.node < b.node; });
  return weights;
}

void Unfreezer::find_others() {
  std::set<std::string> taken;
  for (Variable& variable : variables_of(model_)) {
    if (model_.checkpoint == nullptr) break;
    const CheckpointEntry* entry = model_.checkpoint->find(variable.key);
    if (entry == nullptr || entry->fault) continue;
    taken.insert(variable.key);
    others_.push_back(std::move(variable));
  }
  settle_keys(planned_, taken);
}

Status Unfreezer::find() {
  TRY(planned, plan_variables(model_, names_, weights(), options_, fresh_names_, converted_));
  planned_ = std::move(planned);
  find_others();
  for (const PlannedVariable& each : planned_) index_of_.emplace(each.node, index_of_.size());
  for (PlannedVariable& each : planned_) {
    NewVariable& variable = each.variable;
    variable.read = existing_read(each);
    if (!variable.read.empty()) continue;
    variable.read = fresh_names_.take(
        cat(variable.name, variable.resource() ? "/Read/ReadVariableOp" : "/read"));
  }
  return Unit{};
}

// The Identity under the name that TensorFlow gives a variable's read, if there is one.
std::string Unfreezer::existing_read(const PlannedVariable& planned) const {
  const std::string name = cat(nodes_[planned.node].name,
                               planned.variable.resource() ? "/Read/ReadVariableOp" : "/read");
  const uint32_t node = names_.find(name);
  const bool reads = node != kNoNode && nodes_[node].op == "Identity" &&
                     !edges_.inputs(node).empty() && edges_.inputs(node)[0].node == planned.node;
  return reads ? name : std::string();
}

const PlannedVariable* Unfreezer::planned_at(uint32_t node) const {
  const auto found = index_of_.find(node);
  return found == index_of_.end() ? nullptr : &planned_[found->second];
}

// An Identity that takes a handle reads it; who else took the value takes the read.
bool Unfreezer::takes_handle(uint32_t node) const {
  if (nodes_[node].op != "Identity" || edges_.inputs(node).empty()) return false;
  const PlannedVariable* planned = planned_at(edges_.inputs(node)[0].node);
  return planned != nullptr && planned->variable.resource();
}

std::string Unfreezer::input_now(std::string_view input, const Edge& edge) const {
  const PlannedVariable* planned = planned_at(edge.node);
  if (planned == nullptr) return std::string(input);
  const NewVariable& variable = planned->variable;
  if (edge.control) return cat("^", variable.name);
  return cat(variable.resource() ? variable.read : variable.name, port_text(input));
}

// The handle that a GatherV2 may gather from: its first input is the variable, read or not, and its
// axis the one that ResourceGather knows, that behind the batch's.
const PlannedVariable* Unfreezer::gathered(uint32_t index) const {
  const auto edges = edges_.inputs(index);
  if (!options_.resource_gather || nodes_[index].op != "GatherV2" || edges.size() < 3) {
    return nullptr;
  }
  const uint32_t params = edges[0].node;
  const uint32_t axis_node = edges[2].node;
  if (params == kNoNode || axis_node == kNoNode) return nullptr;
  const bool read = takes_handle(params);
  const PlannedVariable* planned = planned_at(read ? edges_.inputs(params)[0].node : params);
  if (planned == nullptr || !planned->variable.resource()) return nullptr;
  if (nodes_[axis_node].op != "Const") return nullptr;
  const auto axis = whole_number(nodes_[axis_node], *model_.payloads);
  return axis == int_attr(nodes_[index], "batch_dims").value_or(0) ? planned : nullptr;
}

// The NodeDef, where it says that it lives with a constant that is called otherwise now.
std::string Unfreezer::recolocated(std::string node_def) const {
  const Node node = *scan_node(node_def);
  std::vector<std::string> partners;
  bool changed = false;
  for (const std::string_view partner : colocations(node)) {
    const PlannedVariable* planned = planned_at(names_.find(partner));
    partners.push_back(planned == nullptr ? std::string(partner) : planned->variable.name);
    changed = changed || partners.back() != partner;
  }
  if (!changed) return node_def;
  return NodeEditor(node).set_colocations({partners.begin(), partners.end()}).finish();
}

void Unfreezer::add(GraphBuilder& builder, uint32_t index) const {
  const Node& node = nodes_[index];
  if (const PlannedVariable* planned = planned_at(index)) {
    builder.add(recolocated(variable_node(node, planned->variable)));
    return;
  }
  NodeEditor editor(node);
  const auto edges = edges_.inputs(index);
  const bool reads = takes_handle(index);
  if (reads) editor.set_op("ReadVariableOp").rename_attr("T", "dtype");
  bool changed = reads;
  for (size_t i = 0; i < edges.size(); ++i) {
    std::string& input = editor.inputs()[i];
    std::string now = input_now(input, edges[i]);
    if (reads && i == 0) now = cat(planned_at(edges[i].node)->variable.name, port_text(input));
    changed = changed || now != input;
    input = std::move(now);
  }
  if (const PlannedVariable* planned = gathered(index)) {
    editor.set_op("ResourceGather").rename_attr("Tparams", "dtype").erase_attr("Taxis");
    editor.inputs()[0] = planned->variable.name;
    editor.inputs().erase(editor.inputs().begin() + 2);
    changed = true;
  }
  changed = changed || (!options_.rename.empty() && !colocations(node).empty());
  changed ? builder.add(recolocated(editor.finish())) : builder.add(node);
}

// Returns the variables to save: existing ones with the reads that their definitions name, new ones
// with new reads.
std::vector<SavedVariable> Unfreezer::saved(GraphBuilder& builder) {
  std::vector<SavedVariable> saved;
  for (const PlannedVariable& planned : planned_) {
    const NewVariable& each = planned.variable;
    saved.push_back({each.name, each.resource() ? each.read : each.name, each.resource(),
                     each.dtype, each.key, each.slice});
  }
  std::map<std::string, std::string> reads;
  for (const auto& def : variable_defs(parse_meta(model_), "variables")) {
    const std::string read(parse_tensor_name(def.snapshot_name()).node);
    if (names_.find(read) == kNoNode) continue;
    reads.emplace(std::string(parse_tensor_name(def.variable_name()).node), read);
  }
  for (const Variable& each : others_) {
    std::string& read = reads[each.name];
    if (!each.resource) read = each.name;
    if (read.empty()) {
      NewVariable variable{each.name, "VarHandleOp", each.dtype};
      variable.read = read = fresh_names_.take(cat(each.name, "/Read/ReadVariableOp"));
      add_read(variable, builder);
    }
    saved.push_back({each.name, read, each.resource, each.dtype, each.key, each.slice});
  }
  return saved;
}

// The values, under the variables' keys, and those that the graph's variables had.
Checkpoint Unfreezer::checkpoint() const {
  Checkpoint checkpoint;
  checkpoint.entries = entries_of(planned_);
  std::set<std::string> taken;
  for (const Variable& each : others_) {
    if (!taken.insert(each.key).second) continue;
    checkpoint.entries.push_back(*model_.checkpoint->find(each.key));
  }
  sort(checkpoint.entries,
       [](const CheckpointEntry& a, const CheckpointEntry& b) { return a.key < b.key; });
  return checkpoint;
}

// All variables start with the values that the checkpoint has: one that started with zeros among
// them would be a wrong model that nothing reports.
Status Unfreezer::add_initial_values(GraphBuilder& builder) {
  VariableInitializers initial(options_.initial_values, fresh_names_, *model_.payloads, builder);
  for (PlannedVariable& each : planned_) CHECK_OK(initial.add(each.variable, each.tensor));
  for (const Variable& each : others_) {
    TRY(value, value_of(model_, each));
    NewVariable variable{each.name, std::string(nodes_[each.node].op), value.dtype, value.shape};
    variable.key = each.key;
    variable.slice = each.slice;
    CHECK_OK(initial.add(variable, value));
    started_.push_back(std::move(variable));
  }
  return Unit{};
}

tensorflow::MetaGraphDef Unfreezer::meta(const tensorflow::SaverDef& saver) const {
  tensorflow::MetaGraphDef meta = parse_meta(model_);
  *meta.mutable_saver_def() = saver;
  meta.clear_object_graph_def();  // which knows other variables, saved otherwise
  name_initializers(started_, meta);
  std::map<std::string, std::vector<std::string>> listed;
  for (const PlannedVariable& each : planned_) {
    const std::string definition = variable_def(each.variable).SerializeAsString();
    for (const std::string& name : each.collections) listed[name].push_back(definition);
  }
  add_definitions(listed, meta);
  for (auto& signature : *meta.mutable_signature_def()) {
    for (auto& output : *signature.mutable_value()->mutable_outputs()) {
      const std::string name = output.value().name();
      const TensorName tensor = parse_tensor_name(name);
      const Edge edge{names_.find(tensor.node), tensor.port, false};
      output.mutable_value()->set_name(input_now(name, edge));
    }
  }
  find_init_op(model_.graph, meta);
  return meta;
}

Result<UnfreezeResult> Unfreezer::run() {
  CHECK_OK(find());
  GraphBuilder builder(model_.graph);
  for (uint32_t i = 0; i < nodes_.size(); ++i) add(builder, i);
  CHECK_OK(add_initial_values(builder));
  for (const PlannedVariable& planned : planned_) {
    if (names_.find(planned.variable.read) == kNoNode) add_read(planned.variable, builder);
  }
  const tensorflow::SaverDef saver =
      add_saver(saved(builder), tensorflow::SaverDef::V2, names_, builder);
  builder.add_functions_of(model_.graph);
  Model unfrozen = model_;
  unfrozen.kind = Kind::kMetaGraph;
  unfrozen.graph = builder.finish();
  set_meta(unfrozen, meta(saver));
  Restores& restores = unfrozen.restores.edit();
  for (const PlannedVariable& each : planned_) {
    restores[each.variable.name] = {each.variable.key, each.variable.slice};
  }
  unfrozen.checkpoint = std::make_shared<const Checkpoint>(checkpoint());
  return UnfreezeResult{std::move(unfrozen), std::move(converted_), std::move(candidates_)};
}

}  // namespace

Result<UnfreezeResult> unfreeze(const Model& model, const UnfreezeOptions& options,
                                Diagnostics& diagnostics) {
  CHECK_OK(check_chosen_constants(model, options.weights));
  return new_model(model, [&](const Model& own) -> Result<UnfreezeResult> {
    TRY(hoisted, hoist_weights(own, options.weights));
    return Unfreezer(hoisted, options, diagnostics).run();
  });
}

}  // namespace cryo
