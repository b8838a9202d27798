#include "passes/common/initializers.h"

#include <algorithm>
#include <unordered_set>

#include "base/text.h"
#include "graph/edges.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "model/asset_paths.h"
#include "model/init_op.h"
#include "model/meta.h"
#include "model/restore_ops.h"
#include "model/variables.h"

namespace cryo {
namespace {

class InitializerFinder {
 public:
  InitializerFinder(const Model& model, Diagnostics& diagnostics, Initializers& initializers)
      : model_(model),
        diagnostics_(diagnostics),
        initializers_(initializers),
        nodes_(model.graph.nodes()),
        names_(model.graph.index().names()),
        edges_(model.graph.index().edges()) {}

  Result<Model> run(const std::vector<std::string>& outputs, const std::vector<std::string>& roots,
                    bool has_calls, bool runs_init);

 private:
  std::vector<bool> reached_from(const std::vector<std::string>& names) const;
  uint32_t source(uint32_t node) const;
  std::map<uint32_t, uint32_t> assignments(const std::vector<bool>& at_load) const;
  void find_first_values(const std::vector<bool>& at_load);
  void find_table_fillers(const std::vector<bool>& needed);
  void find_init();
  Model rebuilt() const;

  const Model& model_;
  Diagnostics& diagnostics_;
  Initializers& initializers_;
  const std::vector<Node>& nodes_;
  const NodeNames& names_;
  const Edges& edges_;
  std::vector<std::string> table_fillers_;
  std::string init_;  // runs all initializers; empty if there are none
  bool added_init_ = false;
};

std::vector<bool> InitializerFinder::reached_from(const std::vector<std::string>& names) const {
  std::vector<bool> reached(nodes_.size(), false);
  std::vector<uint32_t> queue;
  const auto reach = [&](uint32_t node) {
    if (node == kNoNode || reached[node]) return;
    reached[node] = true;
    queue.push_back(node);
  };
  for (const std::string& name : names) reach(names_.find(parse_tensor_name(name).node));
  while (!queue.empty()) {
    const uint32_t node = queue.back();
    queue.pop_back();
    for (const Edge& edge : edges_.inputs(node)) reach(edge.node);
  }
  return reached;
}

// Returns the node of the handle at input 0, before any Identity.
uint32_t InitializerFinder::source(uint32_t node) const {
  for (size_t step = 0; step < nodes_.size(); ++step) {
    if (edges_.inputs(node).empty()) return kNoNode;
    node = edges_.inputs(node)[0].node;
    if (node == kNoNode || nodes_[node].op != "Identity") return node;
  }
  return kNoNode;
}

// The assignments that the init op runs, each variable's first; none of a restored value.
std::map<uint32_t, uint32_t> InitializerFinder::assignments(
    const std::vector<bool>& at_load) const {
  std::map<uint32_t, uint32_t> assigns;  // variable -> assignment
  std::unordered_set<uint32_t> restored;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const bool assigns_one = is_assignment(nodes_[i].op);
    const auto inputs = edges_.inputs(i);
    if (!at_load[i] || !assigns_one || inputs.size() < 2) continue;
    if (inputs[1].node == kNoNode || inputs[1].control) continue;
    const uint32_t variable = source(i);
    if (is_restore(nodes_[inputs[1].node].op)) restored.insert(variable);
    assigns.emplace(variable, i);
  }
  for (const uint32_t variable : restored) assigns.erase(variable);
  return assigns;
}

void InitializerFinder::find_first_values(const std::vector<bool>& at_load) {
  const std::map<uint32_t, uint32_t> assigns = assignments(at_load);
  if (assigns.empty()) return;
  for (const Variable& variable : variables_of(model_)) {
    const auto found = assigns.find(variable.node);
    if (found == assigns.end()) continue;
    const Edge& value = edges_.inputs(found->second)[1];
    const std::string_view name = nodes_[value.node].name;
    const std::string tensor = value.port == 0 ? std::string(name) : cat(name, ":", value.port);
    const bool stored = model_.checkpoint != nullptr && model_.checkpoint->find(variable.key);
    if (stored || model_.restores->contains(variable.name)) {
      initializers_.overwritten.emplace(variable.name, tensor);
      continue;
    }
    initializers_.first[variable.name] = tensor;
    initializers_.by_init_op.insert(variable.name);
    initializers_.assigns.emplace(nodes_[found->second].name);
    initializers_.keep.emplace_back(name);
  }
}

void InitializerFinder::find_table_fillers(const std::vector<bool>& needed) {
  std::unordered_set<uint32_t> filled;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!fills_table(nodes_[i].op)) continue;
    const uint32_t table = source(i);
    if (table == kNoNode || !needed[table]) continue;
    filled.insert(table);
    table_fillers_.emplace_back(nodes_[i].name);
  }
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (!needed[i] || !is_fixed_table(nodes_[i].op) || filled.count(i) > 0) continue;
    diagnostics_.warn("table-not-filled",
                      cat("nothing in the graph fills the table '", nodes_[i].name, "'"),
                      {.node = nodes_[i].name});
  }
}

// Finds the op that an earlier freeze has added.
void InitializerFinder::find_init() {
  if (table_fillers_.empty()) return;
  init_ = "init_all_tables";
  const uint32_t found = names_.find(init_);
  added_init_ = found == kNoNode || !runs_just(nodes_[found], table_fillers_);
  if (added_init_) init_ = FreshNames(names_).take(init_);
}

Model InitializerFinder::rebuilt() const {
  Model model = with_asset_paths(model_);
  if (!added_init_) return model;
  model.graph = with_group(model.graph, init_, table_fillers_);
  return model;
}

// Names the init op in the model's meta; a bare GraphDef without one remains one.
void name_init_op(Model& model, const std::string& init) {
  if (model.meta.empty() && init.empty()) return;
  tensorflow::MetaGraphDef meta = parse_meta(model);
  set_init_op(meta, init);
  set_meta(model, std::move(meta));
}

Result<Model> InitializerFinder::run(const std::vector<std::string>& outputs,
                                     const std::vector<std::string>& roots, bool has_calls,
                                     bool runs_init) {
  if (runs_init) find_first_values(reached_from(roots));
  find_table_fillers(has_calls ? std::vector<bool>(nodes_.size(), true) : reached_from(outputs));
  find_init();
  Model model = rebuilt();
  name_init_op(model, init_);
  if (init_.empty()) return model;
  initializers_.keep.push_back(init_);
  initializers_.init.push_back(init_);
  diagnostics_.note("tables-kept",
                    cat("the outputs look up ", plural(table_fillers_.size(), "table"),
                        ", which stay as they are: run '", init_, "' once before them"),
                    {.node = init_});
  return model;
}

}  // namespace

std::vector<std::string> named_init_ops(const tensorflow::MetaGraphDef& meta) {
  std::vector<std::string> ops;
  const auto add = [&](const std::string& name) {
    std::string op(parse_tensor_name(name).node);
    if (std::find(ops.begin(), ops.end(), op) == ops.end()) ops.push_back(std::move(op));
  };
  for (const auto& entry : meta.signature_def()) {
    if (entry.key() != kInitSignature) continue;
    for (const auto& output : entry.value().outputs()) add(output.value().name());
  }
  for (const auto& entry : meta.collection_def()) {
    if (!is_init_collection(entry.key())) continue;
    for (const std::string& name : entry.value().node_list().value()) add(name);
  }
  return ops;
}

bool runs_init_op(const Model& model) {
  return model.kind == Kind::kSavedModel && !restore_fault(model);
}

std::vector<std::string> initializer_roots(const Model& model) {
  std::vector<std::string> roots = named_init_ops(parse_meta(model));
  for (const Node& node : model.graph.nodes()) {
    if (fills_table(node.op)) roots.emplace_back(node.name);
  }
  return roots;
}

void report_init_op(const Variable& variable, bool stays, const Initializers& initializers,
                    Diagnostics& diagnostics) {
  const LocationRef where{.node = variable.name};
  if (const auto to = initializers.overwritten.find(variable.name);
      to != initializers.overwritten.end()) {
    diagnostics.warn("restored-then-assigned",
                     cat("TensorFlow's loader restores the variable '", variable.name,
                         "', and the SavedModel's init op then assigns '", to->second,
                         "' to it: the checkpoint's value was taken"),
                     where, "check that the value in the checkpoint is the one you want");
  }
  if (!initializers.by_init_op.contains(variable.name)) return;
  diagnostics.note(stays ? "first-value-kept" : "assigned-by-init-op",
                   cat("the checkpoint does not have the variable '", variable.name,
                       "': it became '", initializers.first.at(variable.name),
                       "', which the SavedModel's init op assigns when it is loaded"),
                   where);
}

void report_assets(const Model& model, Diagnostics& diagnostics) {
  for (const tensorflow::AssetFileDef& asset : assets_of(parse_meta(model))) {
    const std::string& tensor = asset.tensor_info().name();
    diagnostics.note("asset-needed",
                     cat("the graph reads the file assets/", asset.filename(),
                         " of the SavedModel: '", tensor, "' is its path"),
                     {.file = cat("assets/", asset.filename()), .tensor = tensor},
                     "keep the file where the path says, or feed another path");
  }
}

Result<Model> keep_initializers(const Model& model, const std::vector<std::string>& outputs,
                                const std::vector<std::string>& roots, bool has_calls,
                                bool runs_init, Diagnostics& diagnostics,
                                Initializers& initializers) {
  return InitializerFinder(model, diagnostics, initializers)
      .run(outputs, roots, has_calls, runs_init);
}

}  // namespace cryo
