#include "model/control_contexts.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "base/utf8.h"
#include "graph/added_nodes.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "model/context_defs.h"
#include "model/context_tree.h"
#include "model/meta.h"
#include "tensor/dtype.h"

namespace cryo {
namespace {

constexpr int64_t kParallelIterations = 10;  // tf.while_loop's default

// Returns true if tf.gradients differentiates tensors of the type.
bool is_trainable(DType type) {
  switch (base(type)) {
    case DType::kHalf:
    case DType::kBfloat16:
    case DType::kFloat:
    case DType::kDouble:
    case DType::kComplex64:
    case DType::kComplex128:
    case DType::kResource:
    case DType::kVariant:
      return true;
    default:
      return false;
  }
}

class ContextMaker {
 public:
  ContextMaker(const Model& model, const tensorflow::MetaGraphDef& meta)
      : model_(model),
        tree_(model.graph),
        fresh_names_(tree_.names),
        settings_(loop_settings(meta)),
        values_(tree_.size()),
        inner_(tree_.size()),
        preds_(tree_.size()),
        pivots_(tree_.loops.size()),
        exits_(tree_.loops.size()) {}

  void run();
  bool is_current(const tensorflow::MetaGraphDef& meta) const;
  void write(tensorflow::MetaGraphDef& meta) const;
  Graph graph() const;
  void report(Diagnostics& diagnostics) const;

 private:
  std::string add_node(const std::string& name, std::string_view op, const std::string& input,
                       DType type, uint32_t beside, uint32_t branch);
  void see(uint32_t node);
  void see_switch(uint32_t node, uint32_t branch);
  void complete(uint32_t frame);
  void add_exits(uint32_t frame);
  std::string body_pivot(uint32_t frame);
  void complete_condition(uint32_t first);
  std::vector<std::string> nested(uint32_t branch) const;
  std::string context(uint32_t branch) const;
  std::string while_context(uint32_t frame) const;

  const Model& model_;
  ContextTree tree_;
  FreshNames fresh_names_;
  AllLoopSettings settings_;

  // Indexed by context.
  std::vector<ContextValues> values_;
  std::vector<std::vector<uint32_t>> inner_;
  std::vector<std::string> preds_;  // of branches

  // Indexed by frame.
  std::vector<std::string> pivots_;
  std::vector<std::vector<std::string>> exits_;

  std::vector<std::string> added_;
};

std::string ContextMaker::add_node(const std::string& name, std::string_view op,
                                   const std::string& input, DType type, uint32_t beside,
                                   uint32_t branch) {
  const std::string made = fresh_names_.take(name);
  NodeEditor editor(made, op);
  editor.add_input(input).set_device(device_of(tree_.nodes[beside]));
  if (type != DType::kInvalid) editor.set_attr("T", type_value(type));
  added_.push_back(editor.set_attr(kAddedAttr, bool_value(true)).finish());
  values_[branch].seen.insert(cat(made, ":0"));
  return cat(made, ":0");
}

// The outputs that a node is known to have are seen by its context; those of an Exit by the one
// around it too.
void ContextMaker::see(uint32_t node) {
  const uint32_t branch = tree_.around(tree_.branches.of(node));
  if (branch == kRootBranch) return;
  std::set<std::string>& seen = values_[branch].seen;
  if (is_pass_through(tree_.nodes[node].op)) seen.insert(tree_.tensor(node));
  for (const Consumer& consumer : tree_.consumers.of(node)) {
    if (!consumer.control) seen.insert(tree_.tensor(node, consumer.port));
  }
  const uint32_t outer = tree_.outer(branch);
  if (is_exit(tree_.nodes[node].op) && outer != kRootBranch)
    values_[outer].seen.insert(tree_.tensor(node));
  if (!tree_.is_loop(branch) && is_switch(tree_.nodes[node].op)) see_switch(node, branch);
}

// Records a branch's outer value, which passes through the Switch.
void ContextMaker::see_switch(uint32_t node, uint32_t branch) {
  for (uint32_t side = 0; side < 2; ++side) {
    if (tree_.branches.opened({node, side, false}) != branch) continue;
    const Edge from = tree_.edges.inputs(node)[0];
    if (from.node == kNoNode) continue;
    values_[branch].seen.insert(tree_.tensor(from));
    values_[branch].external.emplace(tree_.tensor(from), tree_.tensor(node, side));
  }
}

// Records a loop's outer values, which pass through constant Enters.
void ContextMaker::complete(uint32_t frame) {
  for (const uint32_t enter : tree_.loops[frame].constants) {
    const Edge from = tree_.edges.inputs(enter)[0];
    if (from.node == kNoNode) continue;
    values_[frame].seen.insert(tree_.tensor(from));
    values_[frame].external.emplace(tree_.tensor(from), tree_.tensor(enter));
  }
  add_exits(frame);
  pivots_[frame] = body_pivot(frame);
}

void ContextMaker::add_exits(uint32_t frame) {
  const uint32_t outer = tree_.outer(frame);
  for (const LoopVariable& each : tree_.loops[frame].variables) {
    if (each.exit != kNoNode) {
      exits_[frame].push_back(tree_.tensor(each.exit));
    } else if (each.branch != kNoNode) {
      const Node& branch = tree_.nodes[each.branch];
      const auto type = static_cast<DType>(type_attr(branch, "T").value_or(0));
      if (!is_trainable(type)) continue;
      exits_[frame].push_back(add_node(cat(tree_.frames.all[frame].name, "/Exit"), "Exit",
                                       std::string(branch.name), type, each.branch, frame));
      if (outer != kRootBranch) values_[outer].seen.insert(exits_[frame].back());
    }
  }
}

// Returns a tensor of each iteration: an Identity as tf.while_loop makes it, else another one.
std::string ContextMaker::body_pivot(uint32_t frame) {
  uint32_t pivot = kNoNode;
  uint32_t branch = kNoNode;
  for (const LoopVariable& each : tree_.loops[frame].variables) {
    if (branch == kNoNode) branch = each.branch;
    if (each.body == kNoNode) continue;
    if (pivot == kNoNode || tree_.nodes[pivot].op != "Identity") pivot = each.body;
  }
  if (pivot != kNoNode) return tree_.tensor(pivot);
  const auto type = static_cast<DType>(type_attr(tree_.nodes[branch], "T").value_or(0));
  return add_node(cat(tree_.frames.all[frame].name, "/Identity"), "Identity",
                  tree_.tensor(branch, 1), type, branch, frame);
}

// Completes both branches of a condition. If Merges take (true, false), the condition is negated.
void ContextMaker::complete_condition(uint32_t first) {
  const Branch& branch = tree_.branch(first);
  std::string pred = tree_.tensor(branch.pred);
  if (branch.reversed) {
    const uint32_t outer = tree_.outer(first);
    pred = add_node(cat(tree_.nodes[branch.pred.node].name, "/not"), "LogicalNot", pred,
                    DType::kInvalid, branch.pred.node, outer);
  }
  for (uint32_t each = first; each < first + 2; ++each) {
    preds_[each] = pred;
    values_[each].seen.insert(pred);
    values_[each].external.emplace(pred, pred);
  }
}

void ContextMaker::run() {
  const auto count = static_cast<uint32_t>(values_.size());
  const auto frames = static_cast<uint32_t>(tree_.loops.size());
  for (uint32_t branch = frames; branch < count; branch += 2) {
    if (tree_.has(branch) || tree_.has(branch + 1)) complete_condition(branch);
  }
  for (const uint32_t node : tree_.frames.order) see(node);
  for (uint32_t frame = 1; frame < frames; ++frame) {
    if (tree_.has(frame)) complete(frame);
  }
  for (uint32_t branch = 1; branch < count; ++branch) {
    if (tree_.has(branch)) inner_[tree_.outer(branch)].push_back(branch);
  }
}

// The contexts in a context.
std::vector<std::string> ContextMaker::nested(uint32_t branch) const {
  std::vector<std::string> all;
  for (const uint32_t each : inner_[branch]) {
    const bool loop = tree_.is_loop(each);
    all.push_back(nested_context(context(each), loop ? kWhileCollection : kCondCollection));
  }
  return all;
}

std::string ContextMaker::context(uint32_t branch) const {
  if (tree_.is_loop(branch)) return while_context(branch);
  const Branch& it = tree_.branch(branch);
  const CondContext made = {cat(tree_.nodes[it.pred.node].name, "/cond_text_", it.side),
                            preds_[branch], tree_.pivot(branch),
                            it.reversed ? 1 - it.side : it.side};
  return to_bytes(made, values_[branch], nested(branch));
}

std::string ContextMaker::while_context(uint32_t frame) const {
  const Loop& loop = tree_.loops[frame];
  const LoopVariable& first = loop.variables[0];
  const auto parallel = int_attr(tree_.nodes[first.enter], "parallel_iterations");
  WhileContext made{std::string(tree_.frames.all[frame].name)};
  made.parallel_iterations = static_cast<uint64_t>(parallel.value_or(kParallelIterations));
  const auto known = settings_.find(made.name);
  if (known != settings_.end()) made.settings = known->second;
  if (tree_.names.find(parse_tensor_name(made.settings.maximum).node) == kNoNode) {
    made.settings.maximum.clear();
  }
  made.pivot = tree_.tensor(loop.cond);
  made.pivot_for_pred = tree_.tensor(first.merge);
  made.pivot_for_body = pivots_[frame];
  made.exits = exits_[frame];
  for (const LoopVariable& each : loop.variables) made.enters.push_back(tree_.tensor(each.enter));
  return to_bytes(made, values_[frame], nested(frame));
}

// Returns true if the collections have every loop and name only existing nodes.
bool ContextMaker::is_current(const tensorflow::MetaGraphDef& meta) const {
  for (uint32_t frame = 1; frame < tree_.loops.size(); ++frame) {
    const bool known = settings_.find(tree_.frames.all[frame].name) != settings_.end();
    if (!known && !tree_.loops[frame].of_gradients) return false;
  }
  bool any = false;
  for (const auto& entry : meta.collection_def()) {
    if (!is_context_collection(entry.key())) continue;
    for (const std::string& bytes : entry.value().bytes_list().value()) {
      any = true;
      if (!is_whole_context(bytes, entry.key(), tree_.names)) return false;
    }
  }
  return any;
}

void ContextMaker::write(tensorflow::MetaGraphDef& meta) const {
  auto& collections = *meta.mutable_collection_def();
  collections.erase(
      std::remove_if(collections.begin(), collections.end(),
                     [](const auto& entry) { return is_context_collection(entry.key()); }),
      collections.end());
  for (const bool loops : {false, true}) {
    tensorflow::CollectionDef collection;
    for (const uint32_t each : inner_[kRootBranch]) {
      if ((tree_.is_loop(each)) != loops) continue;
      collection.mutable_bytes_list()->add_value(context(each));
    }
    if (!collection.has_bytes_list()) continue;
    auto& entry = *meta.add_collection_def();
    entry.set_key(std::string(loops ? kWhileCollection : kCondCollection));
    *entry.mutable_value() = std::move(collection);
  }
}

Graph ContextMaker::graph() const {
  if (added_.empty()) return model_.graph;
  GraphBuilder builder(model_.graph);
  for (const Node& node : model_.graph.nodes()) builder.add(node);
  for (const std::string& node : added_) builder.add(node);
  builder.add_functions_of(model_.graph);
  return builder.finish();
}

void ContextMaker::report(Diagnostics& diagnostics) const {
  for (uint32_t frame = 1; frame < tree_.loops.size(); ++frame) {
    const bool outermost = tree_.frames.all[frame].parent == kRootFrame;
    if (tree_.loops[frame].fault.empty() || tree_.loops[frame].of_gradients || !outermost) continue;
    diagnostics.warn("loop-not-differentiable",
                     cat("TensorFlow cannot compute gradients through the loop ",
                         quoted(tree_.frames.all[frame].name), ": ", tree_.loops[frame].fault),
                     {}, "the model runs; train only what is after the loop");
  }
}

}  // namespace

Model with_control_contexts(const Model& model, Diagnostics& diagnostics) {
  const auto& nodes = model.graph.nodes();
  const bool branches =
      std::any_of(nodes.begin(), nodes.end(), [](const Node& node) { return is_switch(node.op); });
  tensorflow::MetaGraphDef meta = parse_meta(model);
  const auto& collections = meta.collection_def();
  const bool contexts = std::any_of(collections.begin(), collections.end(), [](const auto& entry) {
    return is_context_collection(entry.key());
  });
  if (!branches && !contexts) return model;
  ContextMaker maker(model, meta);
  if (maker.is_current(meta)) return model;
  maker.run();
  maker.report(diagnostics);
  maker.write(meta);
  Model made = model;
  made.graph = maker.graph();
  set_meta(made, std::move(meta));
  return made;
}

}  // namespace cryo
