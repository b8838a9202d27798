#include "commands/list.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>

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

bool is_listed(const Options& options, std::string_view name) {
  return options.names.empty() || std::any_of(options.names.begin(), options.names.end(),
                                              [&](const Glob& glob) { return glob.matches(name); });
}

// The rows of a list, as they are written.
struct Rows {
  JsonWriter& json;
  const Options& options;
  size_t count = 0;

  // Returns true if a row of this name is to be written.
  bool takes(std::string_view name) {
    const bool listed = is_listed(options, name);
    if (listed) ++count;
    return listed;
  }
};

void list_ops(const Model& model, const OpRegistry*, Rows& rows) {
  std::map<std::string_view, uint64_t> counts;
  for (const Node& node : model.graph.nodes()) ++counts[node.op];
  for (const auto& [op, count] : counts) {
    if (rows.takes(op)) rows.json.object("op", op, "count", count);
  }
}

void add_weight(JsonWriter& json, std::string_view name, DType dtype, const Shape& shape,
                uint64_t bytes, std::string_view source) {
  json.members("name", name, "dtype", dtype_name(dtype), "shape", shape, "bytes", bytes, "source",
               source);
}

// Adds the role of a weight that training added: its kind, the variable it belongs to, and the
// reason.
void add_role(const SideVariables& side, const std::string& name, JsonWriter& json) {
  const auto found = side.find(name);
  if (found == side.end()) return;
  json.members("role", found->second.average ? "average" : "slot", "of", found->second.of, "why",
               found->second.why);
}

void list_variables(const Model& model, const SideVariables& side, Rows& rows) {
  for (const Variable& variable : variables_of(model)) {
    if (!variable.copy_of.empty() || !rows.takes(variable.weight)) continue;
    const Result<Tensor> value = value_of(model, variable);
    rows.json.begin_object();
    add_weight(rows.json, variable.weight, variable.dtype, value ? value->shape : variable.shape,
               value ? value->content.size() : 0, value ? "checkpoint" : "variable");
    const std::vector<std::string> slices(variable.slice.empty() ? 0 : 1, variable.slice);
    rows.json.members("node", variable.name, "trainable", variable.trainable, "slices", slices);
    add_role(side, variable.name, rows.json);
    rows.json.end_object();
  }
}

// Returns each constant that may be a weight, with the reason.
std::map<uint32_t, Weight> weights_of(const Graph& graph) {
  std::map<uint32_t, Weight> found;
  for (Weight& each : find_weights(graph, {})) found.emplace(each.node, std::move(each));
  return found;
}

void list_constants(const Model& model, Rows& rows) {
  const std::map<uint32_t, Weight> found = weights_of(model.graph);
  const std::vector<Node>& nodes = model.graph.nodes();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (node.op != "Const" || !rows.takes(node.name)) continue;
    const auto dtype = static_cast<DType>(type_attr(node, "dtype").value_or(0));
    rows.json.begin_object();
    add_weight(rows.json, node.name, dtype, output_shape(node, 0),
               value_bytes(node, *model.payloads), "constant");
    rows.json.members("node", node.name, "trainable", false, "slices", std::vector<std::string>());
    if (const auto weight = found.find(i); weight != found.end()) {
      rows.json.members("why", weight->second.why, "confidence", weight->second.confidence);
    }
    rows.json.end_object();
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

void list_weights(const Model& model, const OpRegistry*, Rows& rows) {
  const SideVariables side = side_variables(model);
  list_variables(model, side, rows);
  list_constants(model, rows);
  if (model.has_graph || model.checkpoint == nullptr) return;
  const FullNames names(*model.checkpoint);
  for (const CheckpointEntry& entry : model.checkpoint->entries) {
    const std::string name = plain_key(entry.key);
    if (entry.key == kObjectGraphKey || !rows.takes(name)) continue;
    rows.json.begin_object();
    add_weight(rows.json, name, entry.dtype, entry.shape, entry.bytes, "checkpoint");
    if (const std::string* full = names.find(entry.key)) rows.json.member("fullName", *full);
    add_role(side, entry.key, rows.json);
    rows.json.end_object();
  }
}

void list_endpoints(const std::vector<EndpointInfo>& endpoints, Rows& rows) {
  for (const EndpointInfo& each : endpoints) {
    if (rows.takes(each.name)) rows.json.value(each);
  }
}

void list_inputs(const Model& model, const OpRegistry* registry, Rows& rows) {
  list_endpoints(endpoints_of(model, registry, SIZE_MAX).inputs, rows);
}

void list_outputs(const Model& model, const OpRegistry* registry, Rows& rows) {
  list_endpoints(endpoints_of(model, registry, SIZE_MAX).outputs, rows);
}

void list_signatures(const Model& model, const OpRegistry*, Rows& rows) {
  for (const SignatureInfo& each : signatures_of(model)) {
    if (rows.takes(each.key)) rows.json.member(each.key, each);
  }
}

void list_functions(const Model& model, const OpRegistry*, Rows& rows) {
  for (const Function& function : model.graph.functions()) {
    if (!rows.takes(function.name)) continue;
    const auto body = body_nodes(function);
    rows.json.object("name", function.name, "nodes", body ? body->size() : 0);
  }
}

// Returns null if it is missing.
SourcePtr asset_file(const Model& model, std::string_view path) {
  if (model.saved_model == nullptr) return nullptr;
  for (const SavedModelParts::File& file : model.saved_model->others) {
    if (file.path == path) return file.source;
  }
  return nullptr;
}

void list_assets(const Model& model, const OpRegistry*, Rows& rows) {
  for (const tensorflow::AssetFileDef& asset : assets_of(parse_meta(model))) {
    if (!rows.takes(asset.filename())) continue;
    const std::string path = cat("assets/", asset.filename());
    const SourcePtr file = asset_file(model, path);
    std::optional<uint64_t> bytes;
    if (file != nullptr) bytes = file->size();
    rows.json.object("name", asset.filename(), "path", path, "bytes", bytes, "tensor",
                     asset.tensor_info().name());
  }
}

void list_collections(const Model& model, const OpRegistry*, Rows& rows) {
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  for (const auto& entry : meta.collection_def()) {
    if (!rows.takes(entry.key())) continue;
    const tensorflow::CollectionDef& value = entry.value();
    const int count = value.node_list().value_size() + value.bytes_list().value_size() +
                      value.int64_list().value_size() + value.float_list().value_size() +
                      value.any_list().value_size();
    rows.json.object("name", entry.key(), "count", count);
  }
}

struct ListRow {
  std::string_view what;
  void (*add)(const Model&, const OpRegistry*, Rows&);
  bool by_key = false;  // its rows are members of an object
};

constexpr std::array<ListRow, 8> kLists = {{{"ops", list_ops},
                                            {"weights", list_weights},
                                            {"inputs", list_inputs},
                                            {"outputs", list_outputs},
                                            {"signatures", list_signatures, true},
                                            {"functions", list_functions},
                                            {"assets", list_assets},
                                            {"collections", list_collections}}};

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

Status check_nothing_missed(const Options& options, bool is_empty) {
  if (!is_empty || (options.names.empty() && options.ops.empty())) return Unit{};
  return failure("glob-unused", cat("none of the ", options.what, " is of that name or op"), {},
                 cat("list all ", options.what, ", without choosing names and ops"));
}

}  // namespace

Status list(const Model& model, const Options& options, const OpRegistry* registry,
            Outcome& outcome) {
  JsonWriter& members = outcome.report.members;
  members.member("what", options.what);
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
    Rows rows{members, options};
    members.key(row.what);
    row.by_key ? members.begin_object() : members.begin_array();
    row.add(model, registry, rows);
    row.by_key ? members.end_object() : members.end_array();
    return check_nothing_missed(options, rows.count == 0);
  }
  return failure("bad-option", cat("there is no list of '", options.what, "'"), {},
                 cat("one of ", join(words, ", ")));
}

}  // namespace cryo
