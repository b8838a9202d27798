#include "passes/unfreeze.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "graph/edges.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "model/meta.h"
#include "model/saver.h"
#include "passes/variable_nodes.h"
#include "passes/weights.h"
#include "tensor/content.h"

namespace cryo {
namespace {

// A constant on its way to being a variable.
struct Thawed {
  Weight weight;
  Tensor tensor;
  std::string name;
  std::string read;         // the node that gives its value
  std::string initializer;  // w/Initializer/zeros
  std::string assign;       // w/Assign
};

class Unfreezer {
 public:
  Unfreezer(const Model& model, const PassOptions& options, PassLog& log)
      : model_(model),
        options_(options),
        log_(log),
        nodes_(model.graph.nodes()),
        names_(nodes_),
        edges_(nodes_, names_),
        consumers_(edges_),
        fresh_names_(names_) {}

  Result<Model> run();

 private:
  Status find();
  Status choose_style();
  std::string existing_read(const Thawed& thawed) const;
  bool takes_handle(uint32_t node) const;
  void add(GraphBuilder& builder, uint32_t index) const;
  std::string other(uint32_t index) const;
  void add_beside(GraphBuilder& builder, const Thawed& thawed) const;
  NewVariable new_variable(const Thawed& thawed) const;
  tensorflow::MetaGraphDef meta(const tensorflow::SaverDef& saver) const;
  Checkpoint checkpoint() const;
  std::vector<SavedVariable> saved() const;
  const Thawed* thawed_at(uint32_t node) const;

  const Model& model_;
  const PassOptions& options_;
  PassLog& log_;
  const std::vector<Node>& nodes_;
  NodeNames names_;
  Edges edges_;
  Consumers consumers_;
  FreshNames fresh_names_;
  bool resource_ = true;
  std::vector<Thawed> thawed_;
  std::unordered_map<uint32_t, size_t> index_of_;  // node -> thawed_
};

// The style asked for, else that of the reads that freezing left: "w/read" was a reference's,
// "w/Read/ReadVariableOp" a resource's.
Status Unfreezer::choose_style() {
  if (!options_.style.empty() && options_.style != "ref" && options_.style != "resource") {
    return failure("bad-option", cat("--style is 'ref' or 'resource', not '", options_.style, "'"));
  }
  const bool was_reference = std::any_of(thawed_.begin(), thawed_.end(), [&](const Thawed& each) {
    return names_.find(cat(each.name, "/read")) != kNoNode;
  });
  resource_ = options_.style.empty() ? !was_reference : options_.style == "resource";
  return Unit{};
}

Status Unfreezer::find() {
  uint64_t announced = 0;
  for (Weight& weight : find_weights(model_.graph, consumers_, options_)) {
    const Node& node = nodes_[weight.node];
    Result<Tensor> tensor = read_tensor(tensor_attr(node, "value").value_or(""), *model_.payloads);
    if (!tensor) {
      Diagnostic error = tensor.error();
      error.where.node = node.name;
      return error;
    }
    CHECK_OK(announce_weight(node, tensor->content.size(), announced));
    log_.converted.push_back({std::string(node.name), "Const", "", tensor->dtype, tensor->shape,
                              tensor->content.size()});
    log_.converted.back().why = weight.why;
    index_of_.emplace(weight.node, thawed_.size());
    thawed_.push_back({std::move(weight), std::move(*tensor), std::string(node.name), "", "", ""});
  }
  if (thawed_.empty()) {
    return failure("no-weights", "no constant of the graph looks like a weight", {},
                   "choose by hand: --constants GLOB");
  }
  CHECK_OK(choose_style());
  for (Thawed& thawed : thawed_) {
    thawed.initializer = fresh_names_.take(cat(thawed.name, "/Initializer/zeros"));
    thawed.assign = fresh_names_.take(cat(thawed.name, "/Assign"));
    thawed.read = existing_read(thawed);
    if (!thawed.read.empty()) continue;
    thawed.read = fresh_names_.take(cat(thawed.name, resource_ ? "/Read/ReadVariableOp" : "/read"));
  }
  for (Conversion& conversion : log_.converted) {
    conversion.to = resource_ ? "VarHandleOp" : "VariableV2";
  }
  return Unit{};
}

// The Identity under the name that TensorFlow gives a variable's read, if there is one.
std::string Unfreezer::existing_read(const Thawed& thawed) const {
  const std::string name = cat(thawed.name, resource_ ? "/Read/ReadVariableOp" : "/read");
  const uint32_t node = names_.find(name);
  const bool reads = node != kNoNode && nodes_[node].op == "Identity" &&
                     !edges_.inputs(node).empty() &&
                     edges_.inputs(node)[0].node == thawed.weight.node;
  return reads ? name : std::string();
}

const Thawed* Unfreezer::thawed_at(uint32_t node) const {
  const auto found = index_of_.find(node);
  return found == index_of_.end() ? nullptr : &thawed_[found->second];
}

// An Identity that takes the handle reads it; who else took the value takes the read.
std::string Unfreezer::other(uint32_t index) const {
  NodeEditor editor(nodes_[index]);
  if (takes_handle(index))
    return editor.set_op("ReadVariableOp").rename_attr("T", "dtype").finish();
  const auto edges = edges_.inputs(index);
  for (size_t i = 0; i < edges.size(); ++i) {
    const Thawed* thawed = edges[i].control ? nullptr : thawed_at(edges[i].node);
    std::string& input = editor.inputs()[i];
    if (thawed != nullptr) input = cat(thawed->read, port_text(input));
  }
  return editor.finish();
}

bool Unfreezer::takes_handle(uint32_t node) const {
  return nodes_[node].op == "Identity" && !edges_.inputs(node).empty() &&
         thawed_at(edges_.inputs(node)[0].node) != nullptr;
}

void Unfreezer::add(GraphBuilder& builder, uint32_t index) const {
  const auto edges = edges_.inputs(index);
  const bool takes_value = std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) {
    return !edge.control && thawed_at(edge.node) != nullptr;
  });
  if (const Thawed* thawed = thawed_at(index)) {
    builder.add(variable_node(nodes_[index], new_variable(*thawed)));
  } else if (resource_ && takes_value) {
    builder.add(other(index));
  } else {
    builder.add(nodes_[index]);
  }
}

// The nodes beside a variable: initialiser, assignment, and a read where none was there.
void Unfreezer::add_beside(GraphBuilder& builder, const Thawed& thawed) const {
  const NewVariable variable = new_variable(thawed);
  add_initializer(variable, builder);
  if (names_.find(thawed.read) == kNoNode) add_read(variable, builder);
}

NewVariable Unfreezer::new_variable(const Thawed& thawed) const {
  return {thawed.name, resource_,          thawed.tensor.dtype, thawed.tensor.shape,
          thawed.read, thawed.initializer, thawed.assign,       thawed.weight.trainable};
}

std::vector<SavedVariable> Unfreezer::saved() const {
  std::vector<SavedVariable> saved;
  for (const Thawed& each : thawed_) {
    saved.push_back(
        {each.name, resource_ ? each.read : each.name, resource_, each.tensor.dtype, each.name});
  }
  return saved;
}

// The values, under the variables' names. Their checksums are made when they are written.
Checkpoint Unfreezer::checkpoint() const {
  Checkpoint checkpoint;
  for (const Thawed& each : thawed_) {
    CheckpointEntry entry{each.name, each.tensor.dtype, each.tensor.shape};
    entry.bytes = each.tensor.content.size();
    entry.content = each.tensor.content;
    checkpoint.entries.push_back(std::move(entry));
  }
  std::sort(checkpoint.entries.begin(), checkpoint.entries.end(),
            [](const CheckpointEntry& a, const CheckpointEntry& b) { return a.key < b.key; });
  return checkpoint;
}

tensorflow::MetaGraphDef Unfreezer::meta(const tensorflow::SaverDef& saver) const {
  tensorflow::MetaGraphDef meta = parse_meta(model_);
  *meta.mutable_saver_def() = saver;
  for (const std::string_view name : {"trainable_variables", "variables"}) {
    auto& entry = *meta.add_collection_def();
    entry.set_key(std::string(name));
    for (const Thawed& each : thawed_) {
      if (name == "trainable_variables" && !each.weight.trainable) continue;
      const std::string definition = variable_def(new_variable(each)).SerializeAsString();
      entry.mutable_value()->mutable_bytes_list()->add_value(definition);
    }
  }
  return meta;
}

Result<Model> Unfreezer::run() {
  CHECK_OK(find());
  GraphBuilder builder(model_.graph);
  for (uint32_t i = 0; i < nodes_.size(); ++i) add(builder, i);
  for (const Thawed& thawed : thawed_) add_beside(builder, thawed);
  const tensorflow::SaverDef saver = add_saver(saved(), tensorflow::SaverDef::V2, names_, builder);
  builder.add_functions_of(model_.graph);
  Model unfrozen = model_;
  unfrozen.kind = Kind::kMetaGraph;
  unfrozen.graph = builder.finish();
  set_meta(unfrozen, meta(saver));
  unfrozen.restores.clear();
  unfrozen.checkpoint = std::make_shared<const Checkpoint>(checkpoint());
  return unfrozen;
}

}  // namespace

Result<Model> unfreeze(const Model& model, const PassOptions& options, PassLog& log) {
  return Unfreezer(model, options, log).run();
}

}  // namespace cryo
