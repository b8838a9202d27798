#include "commands/list.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include "base/text.h"
#include "checkpoint/object_graph.h"
#include "commands/inspect.h"
#include "graph/functions/function_body.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "model/analysis/auxiliary_variables.h"
#include "model/analysis/stats.h"
#include "model/meta.h"
#include "model/variables.h"
#include "passes/weights/find_weights.h"
#include "tensor/content.h"
#include "wire/elide.h"

namespace cryo {
namespace {

Json ops(const Model& model, const OpRegistry*) {
  std::map<std::string, uint64_t> counts;
  for (const Node& node : model.graph.nodes()) ++counts[std::string(node.op)];
  Json list = Json::array();
  for (const auto& count : counts) list.push_back({{"op", count.first}, {"count", count.second}});
  return list;
}

Json weight(const std::string& name, DType dtype, const Shape& shape, uint64_t bytes,
            std::string_view source) {
  return {{"name", name},
          {"dtype", dtype_name(dtype)},
          {"shape", to_json(shape)},
          {"bytes", to_json(bytes)},
          {"source", source}};
}

// Adds the role of a weight that training added: its kind, the variable it belongs to, and the
// reason.
void add_role(const SideVariables& side, const std::string& name, Json& weight) {
  const auto found = side.find(name);
  if (found == side.end()) return;
  weight["role"] = found->second.average ? "average" : "slot";
  weight["of"] = found->second.of;
  weight["why"] = found->second.why;
}

void add_variables(const Model& model, const SideVariables& side, Json& list) {
  for (const Variable& variable : variables_of(model)) {
    if (!variable.copy_of.empty()) continue;
    const Result<Tensor> value = value_of(model, variable);
    Json each = weight(variable.weight, variable.dtype, value ? value->shape : variable.shape,
                       value ? value->content.size() : 0, value ? "checkpoint" : "variable");
    each["node"] = variable.name;
    each["trainable"] = variable.trainable;
    each["slices"] = variable.slice.empty() ? Json::array() : Json::array({variable.slice});
    add_role(side, variable.name, each);
    list.push_back(std::move(each));
  }
}

// Returns each constant that may be a weight, with the reason.
std::map<uint32_t, Weight> weights_of(const Graph& graph) {
  std::map<uint32_t, Weight> found;
  for (Weight& each : find_weights(graph, {})) found.emplace(each.node, std::move(each));
  return found;
}

void add_constants(const Model& model, Json& list) {
  const std::map<uint32_t, Weight> found = weights_of(model.graph);
  const std::vector<Node>& nodes = model.graph.nodes();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (node.op != "Const") continue;
    const auto dtype = static_cast<DType>(type_attr(node, "dtype").value_or(0));
    const Shape shape = output_shape(node, 0);
    const uint64_t bytes = value_bytes(node, *model.payloads);
    Json each = weight(std::string(node.name), dtype, shape, bytes, "constant");
    each["node"] = node.name;
    each["trainable"] = false;
    each["slices"] = Json::array();
    if (const auto weight = found.find(i); weight != found.end()) {
      each["why"] = weight->second.why;
      each["confidence"] = weight->second.confidence;
    }
    list.push_back(std::move(each));
  }
}

// The names that the objects of a checkpoint give their variables, by key. The graph has these
// names, while TensorFlow 2 writes paths of objects as keys.
class FullNames {
 public:
  explicit FullNames(const Checkpoint& checkpoint) {
    Result<ObjectGraph> objects = read_checkpoint_objects(checkpoint);
    if (!objects) return;
    for (TrackedObject& each : *objects) {
      if (!each.name.empty()) names_.emplace(std::move(each.key), std::move(each.name));
    }
  }

  // nullptr if it has none.
  const std::string* find(const std::string& key) const {
    const auto name = names_.find(key);
    return name == names_.end() ? nullptr : &name->second;
  }

 private:
  std::map<std::string, std::string> names_;
};

Json weights(const Model& model, const OpRegistry*) {
  Json list = Json::array();
  const SideVariables side = side_variables(model);
  add_variables(model, side, list);
  add_constants(model, list);
  if (model.has_graph || model.checkpoint == nullptr) return list;
  const FullNames names(*model.checkpoint);
  for (const CheckpointEntry& entry : model.checkpoint->entries) {
    if (entry.key == kObjectGraphKey) continue;
    Json each = weight(plain_key(entry.key), entry.dtype, entry.shape, entry.bytes, "checkpoint");
    if (const std::string* name = names.find(entry.key)) each["fullName"] = *name;
    add_role(side, entry.key, each);
    list.push_back(std::move(each));
  }
  return list;
}

Json inputs(const Model& model, const OpRegistry* registry) {
  return endpoints_json(model, registry, SIZE_MAX)["inputs"];
}

Json outputs(const Model& model, const OpRegistry* registry) {
  return endpoints_json(model, registry, SIZE_MAX)["outputs"];
}

Json signatures(const Model& model, const OpRegistry*) { return signatures_json(model); }

Json functions(const Model& model, const OpRegistry*) {
  Json list = Json::array();
  for (const Function& function : model.graph.functions()) {
    const auto body = body_nodes(function);
    list.push_back({{"name", function.name}, {"nodes", body ? body->size() : 0}});
  }
  return list;
}

// Null if it is missing.
SourcePtr asset_file(const Model& model, std::string_view path) {
  if (model.saved_model == nullptr) return nullptr;
  for (const SavedModelParts::File& file : model.saved_model->others) {
    if (file.path == path) return file.source;
  }
  return nullptr;
}

Json assets(const Model& model, const OpRegistry*) {
  Json list = Json::array();
  for (const tensorflow::AssetFileDef& asset : assets_of(parse_meta(model))) {
    const std::string path = cat("assets/", asset.filename());
    const SourcePtr file = asset_file(model, path);
    list.push_back({{"name", asset.filename()},
                    {"path", path},
                    {"bytes", file == nullptr ? Json(nullptr) : to_json(file->size())},
                    {"tensor", asset.tensor_info().name()}});
  }
  return list;
}

Json collections(const Model& model, const OpRegistry*) {
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  Json list = Json::array();
  for (const auto& entry : meta.collection_def()) {
    const tensorflow::CollectionDef& value = entry.value();
    const int count = value.node_list().value_size() + value.bytes_list().value_size() +
                      value.int64_list().value_size() + value.float_list().value_size() +
                      value.any_list().value_size();
    list.push_back({{"name", entry.key()}, {"count", count}});
  }
  return list;
}

struct ListRow {
  std::string_view what;
  Json (*make)(const Model&, const OpRegistry*);
};

constexpr std::array<ListRow, 8> kLists = {{{"ops", ops},
                                            {"weights", weights},
                                            {"inputs", inputs},
                                            {"outputs", outputs},
                                            {"signatures", signatures},
                                            {"functions", functions},
                                            {"assets", assets},
                                            {"collections", collections}}};

bool is_listed(const Options& options, std::string_view name) {
  return options.names.empty() || std::any_of(options.names.begin(), options.names.end(),
                                              [&](const Glob& glob) { return glob.matches(name); });
}

Result<NodeRows> nodes(const Model& model, const Options& options) {
  const std::string& function = options.function;
  TRY(rows, function.empty() ? Result<NodeRows>(NodeRows(model.graph))
                             : NodeRows::of_function(model.graph, function));
  if (options.names.empty() && options.ops.empty()) return std::move(rows);
  rows.keep([&](const Node& node) {
    const auto is_its = [&](const std::string& op) { return op == node.op; };
    const std::vector<std::string>& ops = options.ops;
    return is_listed(options, node.name) &&
           (ops.empty() || std::any_of(ops.begin(), ops.end(), is_its));
  });
  return std::move(rows);
}

// Removes the rows that no glob names: elements by their "name" (of ops, "op"), members by keys.
void keep_named(const Options& options, Json& rows) {
  if (options.names.empty()) return;
  Json kept = rows.is_array() ? Json::array() : Json::object();
  for (auto& [key, row] : rows.items()) {
    const std::string name =
        rows.is_array() ? row.value(row.contains("name") ? "name" : "op", "") : key;
    if (!is_listed(options, name)) continue;
    if (rows.is_array()) {
      kept.push_back(std::move(row));
    } else {
      kept[key] = std::move(row);
    }
  }
  rows = std::move(kept);
}

Status check_nothing_missed(const Options& options, bool is_empty) {
  if (!is_empty || (options.names.empty() && options.ops.empty())) return Unit{};
  return failure("glob-unused", cat("none of the ", options.what, " is of that name or op"), {},
                 cat("list all ", options.what, ", without choosing names and ops"));
}

}  // namespace

Status list(const Model& model, const Options& options, const OpRegistry* registry,
            Outcome& outcome) {
  outcome.report["what"] = options.what;
  if (options.what == "nodes") {
    TRY(rows, nodes(model, options));
    CHECK_OK(check_nothing_missed(options, rows.size() == 0));
    outcome.nodes = std::move(rows);
    return Unit{};
  }
  std::vector<std::string> words{"nodes"};
  for (const ListRow& row : kLists) {
    words.emplace_back(row.what);
    if (row.what != options.what) continue;
    if (!options.ops.empty()) {
      return failure("bad-option",
                     cat("ops are chosen in the list of nodes, not of ", options.what));
    }
    Json& rows = outcome.report[options.what] = row.make(model, registry);
    keep_named(options, rows);
    return check_nothing_missed(options, rows.empty());
  }
  return failure("bad-option", cat("there is no list of '", options.what, "'"), {},
                 cat("one of ", join(words, ", ")));
}

}  // namespace cryo
