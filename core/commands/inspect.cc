#include "commands/inspect.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "base/text.h"
#include "checkpoint/object_graph.h"
#include "compat/release_versions.h"
#include "formats/recognize.h"
#include "graph/edges.h"
#include "graph/op_registry.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "model/analysis/auxiliary_variables.h"
#include "model/analysis/likely_outputs.h"
#include "model/analysis/stats.h"
#include "model/meta.h"
#include "model/missing_parts.h"
#include "model/variables.h"
#include "passes/common/function_entry.h"
#include "validate/inferred_shapes.h"
#include "validate/shape/shape_check.h"

namespace cryo {
namespace {

// The number of names that a report lists; there may be thousands, and `list` has all.
constexpr size_t kMaxEndpoints = 50;

Json ops_json(const Graph& graph) {
  std::map<std::string, uint64_t> counts;
  for (const Node& node : graph.nodes()) ++counts[std::string(node.op)];
  return counts;
}

Json unknown_ops(const Graph& graph, const OpRegistry& ops) {
  std::set<std::string_view> functions;
  for (const Function& function : graph.functions()) functions.insert(function.name);
  std::unordered_set<std::string_view> seen;
  std::set<std::string> unknown;
  const auto visit = [&](const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      if (!seen.insert(node.op).second) continue;
      if (!ops.is_registered(node.op) && !functions.contains(node.op)) unknown.emplace(node.op);
    }
  };
  visit(graph.nodes());
  for (const Function& function : graph.functions()) {
    if (const auto nodes = body_nodes(function)) visit(*nodes);
  }
  return unknown;
}

// Variables, and their sizes.
struct Amount {
  uint64_t count = 0;
  uint64_t parameters = 0;
  uint64_t bytes = 0;

  void add(DType dtype, const Shape& shape) {
    ++count;
    const DTypeInfo* type = find_dtype(dtype);
    const Result<uint64_t> elements = element_count(shape);
    if (type == nullptr || !elements) return;
    parameters += *elements;
    bytes += *elements * type->size;
  }
};

Json amount_json(const Amount& amount) {
  return {{"count", amount.count}, {"bytes", to_json(amount.bytes)}};
}

// Variables of a graph, without copies; of a checkpoint alone, its entries.
Json variables_json(const Model& model) {
  const SideVariables side = side_variables(model);
  Amount all, slots, averages;
  uint64_t trainable = 0;
  Json missing = Json::array();
  const auto add = [&](const std::string& name, DType dtype, const Shape& shape) {
    all.add(dtype, shape);
    const auto found = side.find(name);
    if (found != side.end()) (found->second.average ? averages : slots).add(dtype, shape);
  };
  for (const Variable& variable : variables_of(model)) {
    if (!variable.copy_of.empty()) continue;
    const Result<Tensor> value = value_of(model, variable);
    add(variable.name, variable.dtype, value ? value->shape : variable.shape);
    if (!value) missing.push_back(variable.name);
    if (variable.trainable) ++trainable;
  }
  if (!model.has_graph && model.checkpoint != nullptr) {
    for (const CheckpointEntry& entry : model.checkpoint->entries) {
      if (entry.key == kObjectGraphKey) continue;
      add(entry.key, entry.dtype, entry.shape);
      if (entry.fault) missing.push_back(entry.key);
    }
  }
  return {{"count", all.count},
          {"bytes", to_json(all.bytes)},
          {"parameters", to_json(all.parameters)},
          {"trainable", trainable},
          {"slots", amount_json(slots)},
          {"averages", amount_json(averages)},
          {"missing", std::move(missing)}};
}

// Returns the place of the weights: checkpoint, variables, constants or none.
std::string_view weights_of(const Model& model, const Stats& stats) {
  if (model.checkpoint != nullptr) return "checkpoint";
  if (stats.variables > 0) return "variables";
  return stats.constants > 0 ? "constants" : "none";
}

Json scopes_json(const Model& model) {
  Json scopes = Json::object();
  for (const auto& [scope, bytes] : bytes_by_scope(model)) scopes[scope] = to_json(bytes);
  return scopes;
}

// The shapes of endpoints: as declared in the file, else as inferred.
class EndpointShapes {
 public:
  EndpointShapes(const Model& model, const NodeNames& names, const Endpoints& endpoints,
                 const OpRegistry* ops)
      : nodes_(model.graph.nodes()) {
    if (ops == nullptr) return;
    for (const auto* list : {&endpoints.inputs, &endpoints.outputs}) {
      for (size_t i = 0; i < list->size() && i < kMaxInferred; ++i) want((*list)[i].name, names);
    }
    inferred_ = inferred_shapes(model, ops, std::move(inferred_));
  }

  Shape of(uint32_t node, uint32_t port) const {
    const auto found = inferred_.find({node, port});
    const bool known = found != inferred_.end() && !found->second.unknown_rank;
    return known ? found->second : output_shape(nodes_[node], port);
  }

 private:
  static constexpr size_t kMaxInferred = 10000;

  void want(const std::string& name, const NodeNames& names) {
    const TensorName tensor = parse_tensor_name(name);
    const uint32_t node = names.find(tensor.node);
    if (node == kNoNode || is_fully_defined(output_shape(nodes_[node], tensor.port))) return;
    inferred_.emplace(std::pair(node, tensor.port), Shape{true, {}});
  }

  const std::vector<Node>& nodes_;
  TensorShapes inferred_;
};

// A tensor's type and shape, and whether it need not be fed.
Json tensor_json(const Model& model, const NodeNames& names, const std::string& name,
                 const EndpointShapes& shapes, const OpRegistry* ops) {
  Json tensor = {{"name", name}, {"dtype", nullptr}, {"shape", nullptr}};
  const TensorName wanted = parse_tensor_name(name);
  const uint32_t at = names.find(wanted.node);
  if (at == kNoNode) return tensor;
  const Node& node = model.graph.nodes()[at];
  const auto dtype = output_dtype(node, wanted.port, ops);
  if (dtype) tensor["dtype"] = dtype_name(*dtype);
  tensor["shape"] = to_json(shapes.of(at, wanted.port));
  if (node.op == "PlaceholderWithDefault") tensor["optional"] = true;
  return tensor;
}

Json endpoint_list(const Model& model, const NodeNames& names,
                   const std::vector<Endpoint>& endpoints, const EndpointShapes& shapes,
                   bool certain, const OpRegistry* ops, size_t most) {
  Json list = Json::array();
  for (const Endpoint& each : endpoints) {
    if (list.size() == most) break;
    Json tensor = tensor_json(model, names, each.name, shapes, ops);
    tensor["why"] = each.why;
    tensor["certain"] = certain && each.chosen;
    list.push_back(std::move(tensor));
  }
  return list;
}

Json files_json(const Model& model) {
  Json files = Json::array();
  for (const SourcePtr& file : model.files) {
    files.push_back({{"path", file->name()}, {"bytes", to_json(file->size())}});
  }
  return files;
}

Json arguments_json(const auto& entries) {
  Json arguments = Json::object();
  for (const auto& entry : entries) {
    const tensorflow::TensorInfo& info = entry.value();
    const Result<Shape> shape = read_shape(info.tensor_shape());
    arguments[entry.key()] = {{"name", info.name()},
                              {"dtype", dtype_name(static_cast<DType>(info.dtype()))},
                              {"shape", shape ? to_json(*shape) : Json(nullptr)}};
  }
  return arguments;
}

// Returns the reason for this kind of file if it could be another; "" if it is certain.
std::string kind_why(const Model& model) {
  if (model.files.empty()) return "";
  const Result<Recognition> recognised = recognise(model.files.front());
  return recognised ? recognised->why : "";
}

// Returns the functions of a SavedModel that has no signature for any; else "".
std::string functions_without_signature(const Model& model) {
  const auto& all = parse_meta(model).signature_def();
  const bool served = std::any_of(all.begin(), all.end(), [](const auto& entry) {
    return !is_reserved_signature(entry.key()) && !entry.value().outputs().empty();
  });
  return served ? "" : functions_text(model);
}

// Returns what wrote weights without their graph, and what to give.
std::string_view origin_of_weights(const Model& model) {
  if (is_checkpoint_of_objects(model)) {
    return ", as tf.train.Checkpoint and Keras' save_weights write them; give the SavedModel that "
           "the program exports";
  }
  if (model.kind == Kind::kCheckpoint) {
    return ", as saver.save writes them without the .meta; give the .meta, the GraphDef or the "
           "SavedModel that they belong to";
  }
  return "; give the .meta, the GraphDef or the SavedModel that they belong to";
}

// Returns the reasons why a model cannot be run, in words.
Json lacks_json(const Model& model, const Json& variables) {
  Json lacks = Json::array();
  if (!model.has_graph) {
    lacks.push_back(cat("a graph: these are weights alone", origin_of_weights(model)));
  } else if (variables["count"] != 0 && model.checkpoint == nullptr) {
    const bool folder = model.kind == Kind::kSavedModel;
    lacks.push_back(cat("the values of its ",
                        plural(variables["count"].get<uint64_t>(), "variable"),
                        ": this is structure alone; give ",
                        folder ? "the SavedModel's folder variables/"
                               : "its checkpoint, the .index and .data files, as well"));
  } else if (!variables["missing"].empty()) {
    lacks.push_back(cat("the values of ", variables["missing"].size(), " of ",
                        plural(variables["count"].get<uint64_t>(), "variable"),
                        ", which the checkpoint does not give"));
  }
  if (const std::string functions = functions_without_signature(model); !functions.empty()) {
    lacks.push_back(cat("a signature", functions));
  }
  if (model.checkpoint != nullptr && !model.checkpoint->missing_shards.empty()) {
    lacks.push_back(cat("data files: ", join(model.checkpoint->missing_shards, ", ", 5)));
  }
  return lacks;
}

}  // namespace

Json signatures_json(const Model& model) {
  Json signatures = Json::object();
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  for (const auto& entry : meta.signature_def()) {
    if (is_reserved_signature(entry.key())) continue;
    signatures[entry.key()] = {{"method", entry.value().method_name()},
                               {"inputs", arguments_json(entry.value().inputs())},
                               {"outputs", arguments_json(entry.value().outputs())}};
  }
  return signatures;
}

Json endpoints_json(const Model& model, const OpRegistry* ops, size_t most) {
  const Endpoints likely = likely_endpoints(model);
  const NodeNames& names = model.graph.index().names();
  const EndpointShapes shapes(model, names, likely, ops);
  Json outputs = endpoint_list(model, names, likely.outputs, shapes, likely.certain, ops, most);
  for (size_t i = 0; i < outputs.size(); ++i) outputs[i]["chosen"] = likely.outputs[i].chosen;
  return {{"inputs", endpoint_list(model, names, likely.inputs, shapes, likely.certain, ops, most)},
          {"outputs", std::move(outputs)},
          {"outputsCertain", likely.certain}};
}

void inspect(const Model& model, const OpRegistry* ops, Json& report) {
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  const Stats stats = stats_of(model);
  report["kind"] = kind_name(model.kind);
  if (std::string why = kind_why(model); !why.empty()) report["kindWhy"] = std::move(why);
  report["files"] = files_json(model);
  report["producer"] = model.graph.producer();
  if (std::string by = made_by(model.graph.producer()); !by.empty())
    report["madeBy"] = std::move(by);
  report["minConsumer"] = model.graph.min_consumer();
  if (const std::string_view from = loads_from(model.graph.min_consumer()); !from.empty()) {
    report["loadsFrom"] = cat("TensorFlow ", from);
  }
  report["tensorflowVersion"] = meta.meta_info_def().tensorflow_version();
  report["tags"] = Json(std::vector<std::string>(meta.meta_info_def().tags().begin(),
                                                 meta.meta_info_def().tags().end()));
  report["signatures"] = signatures_json(model);
  report.update(endpoints_json(model, ops, kMaxEndpoints));
  report["nodes"] = stats.nodes;
  report["ops"] = ops_json(model.graph);
  report["functions"] = model.graph.functions().size();
  report["weights"] = weights_of(model, stats);
  report["variables"] = variables_json(model);
  report["lacks"] = lacks_json(model, report["variables"]);
  report["constants"] = {{"count", stats.constants}, {"bytes", to_json(stats.constant_bytes)}};
  if (ops != nullptr) report["unknownOps"] = unknown_ops(model.graph, *ops);
  report["bytes"] = to_json(stats.bytes);
  report["bytesByScope"] = scopes_json(model);
}

}  // namespace cryo
