#include "model/asset_paths.h"

#include <functional>
#include <map>

#include "base/text.h"
#include "graph/edges.h"
#include "graph/fresh_names.h"
#include "graph/needs.h"
#include "graph/node_editor.h"
#include "graph/replaced_nodes.h"
#include "graph/roles.h"
#include "model/init_op.h"
#include "model/meta.h"
#include "model/string_tensor.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {
namespace {

struct PathVariable {
  std::string name = {};
  std::string read = {};
  std::string assign = {};
};
using PathVariables = std::map<std::string, PathVariable, std::less<>>;  // by the path's node

// Returns for each node if the signatures run it and the init op does not. Nodes that the init op
// runs take the constant, because the variable has no value yet.
std::vector<bool> nodes_of_runs(const Model& model, const tensorflow::MetaGraphDef& meta,
                                const NodeNames& names) {
  const Edges& edges = model.graph.index().edges();
  std::vector<uint32_t> outputs;
  for (const auto& entry : meta.signature_def()) {
    if (is_reserved_signature(entry.key())) continue;
    for (const auto& output : entry.value().outputs()) {
      const uint32_t node = names.find(parse_tensor_name(output.value().name()).node);
      if (node != kNoNode) outputs.push_back(node);
    }
  }
  std::vector<uint32_t> inits;
  for (const std::string& init : init_ops(meta)) {
    if (const uint32_t node = names.find(init); node != kNoNode) inits.push_back(node);
  }
  const std::vector<uint32_t> by_outputs = needed_by(edges, outputs);
  const std::vector<uint32_t> by_inits = needed_by(edges, inits);
  std::vector<bool> runs(by_outputs.size());
  for (size_t i = 0; i < runs.size(); ++i) {
    runs[i] = by_outputs[i] != kNoNode && by_inits[i] == kNoNode;
  }
  return runs;
}

PathVariables paths_read_in_runs(const Model& model, const tensorflow::MetaGraphDef& meta,
                                 const std::vector<bool>& runs, FreshNames& fresh_names) {
  PathVariables paths;
  for (const tensorflow::AssetFileDef& asset : assets_of(meta)) {
    paths.emplace(std::string(parse_tensor_name(asset.tensor_info().name()).node), PathVariable());
  }
  for (size_t i = 0; i < runs.size() && !paths.empty(); ++i) {
    if (!runs[i]) continue;
    for (const std::string_view input : model.graph.nodes()[i].inputs()) {
      const TensorName tensor = parse_tensor_name(input);
      const auto found = paths.find(tensor.node);
      if (tensor.control || found == paths.end() || !found->second.name.empty()) continue;
      PathVariable& variable = found->second;
      variable.name = fresh_names.take(cat(found->first, "/variable"));
      variable.read = fresh_names.take(cat(variable.name, "/Read"));
      variable.assign = fresh_names.take(cat(variable.name, "/Assign"));
    }
  }
  for (auto each = paths.begin(); each != paths.end();) {
    each = each->second.name.empty() ? paths.erase(each) : std::next(each);
  }
  return paths;
}

void add_rewired(const Node& node, const PathVariables& paths, GraphBuilder& builder) {
  NodeEditor editor(node);
  bool changed = false;
  for (std::string& input : editor.inputs()) {
    const TensorName tensor = parse_tensor_name(input);
    const auto found = paths.find(tensor.node);
    if (tensor.control || found == paths.end()) continue;
    input = found->second.read;
    changed = true;
  }
  changed ? builder.add(editor.finish()) : builder.add(node);
}

void add_variable(const std::string& path, const PathVariable& variable, GraphBuilder& builder) {
  const std::string dtype = type_value(DType::kString);
  NodeEditor handle(variable.name, "VarHandleOp");
  handle.set_attr("container", string_value("")).set_attr("dtype", dtype);
  handle.set_attr("shape", shape_value(shape_message(Shape{})));
  builder.add(handle.set_attr("shared_name", string_value(variable.name)).finish());
  NodeEditor read(variable.read, "ReadVariableOp");
  builder.add(read.add_input(variable.name).set_attr("dtype", dtype).finish());
  NodeEditor assign(variable.assign, "AssignVariableOp");
  assign.add_input(variable.name).add_input(path);
  builder.add(assign.set_attr("dtype", dtype).finish());
}

// A string constant in place of a placeholder.
std::string path_constant(const Node& node, const std::string& path) {
  return constant_node(node.name, DType::kString, string_scalar(path)).finish();
}

}  // namespace

Model with_asset_paths(const Model& model) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const NodeNames& names = model.graph.index().names();
  std::map<uint32_t, std::string> constants;
  for (const tensorflow::AssetFileDef& asset : assets_of(parse_meta(model))) {
    const uint32_t at = names.find(parse_tensor_name(asset.tensor_info().name()).node);
    if (at == kNoNode || !is_placeholder(nodes[at].op)) continue;
    constants.emplace(at, path_constant(nodes[at], cat("assets/", asset.filename())));
  }
  if (constants.empty()) return model;
  Model made = model;
  made.graph = with_replaced_nodes(model.graph, constants);
  return made;
}

Model with_asset_variables(const Model& model) {
  tensorflow::MetaGraphDef meta = parse_meta(model);
  if (assets_of(meta).empty()) return model;
  const NodeNames& names = model.graph.index().names();
  FreshNames fresh_names(names);
  const std::vector<bool> runs = nodes_of_runs(model, meta, names);
  const PathVariables paths = paths_read_in_runs(model, meta, runs, fresh_names);
  if (paths.empty()) return model;
  GraphBuilder builder(model.graph);
  for (size_t i = 0; i < runs.size(); ++i) {
    const Node& node = model.graph.nodes()[i];
    runs[i] ? add_rewired(node, paths, builder) : builder.add(node);
  }
  std::vector<std::string> at_load = init_ops(meta);
  for (const auto& each : paths) {
    add_variable(each.first, each.second, builder);
    at_load.push_back(each.second.assign);
  }
  const std::string init = fresh_names.take("init_asset_paths");
  builder.add(group(init, at_load));
  builder.add_functions_of(model.graph);
  set_init_op(meta, init);
  Model made = model;
  made.graph = builder.finish();
  set_meta(made, std::move(meta));
  return made;
}

}  // namespace cryo
