#include "commands/inspect.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "base/text.h"
#include "checkpoint/object_graph.h"
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
#include "releases/release_versions.h"
#include "validate/inferred_shapes.h"
#include "validate/shape/shape_check.h"

namespace cryo {
namespace {

// The number of names that a report lists; there may be thousands, and `list` has all.
constexpr size_t kMaxEndpoints = 50;

std::map<std::string_view, uint64_t> op_counts(const Graph& graph) {
  std::map<std::string_view, uint64_t> counts;
  for (const Node& node : graph.nodes()) ++counts[node.op];
  return counts;
}

std::set<std::string> unknown_ops(const Graph& graph, const OpRegistry& ops) {
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

void add_amount(std::string_view name, const Amount& amount, JsonWriter& json) {
  json.key(name);
  json.object("count", amount.count, "bytes", amount.bytes);
}

struct VariableAmounts {
  Amount all = {};
  Amount slots = {};
  Amount averages = {};
  uint64_t trainable = 0;
  std::vector<std::string> missing = {};
};

// Counts the variables of a graph, without copies; of a checkpoint alone, its entries.
VariableAmounts variable_amounts(const Model& model) {
  const SideVariables side = side_variables(model);
  VariableAmounts amounts;
  const auto add = [&](const std::string& name, DType dtype, const Shape& shape) {
    amounts.all.add(dtype, shape);
    const auto found = side.find(name);
    if (found == side.end()) return;
    (found->second.average ? amounts.averages : amounts.slots).add(dtype, shape);
  };
  for (const Variable& variable : variables_of(model)) {
    if (!variable.copy_of.empty()) continue;
    const Result<Tensor> value = value_of(model, variable);
    add(variable.name, variable.dtype, value ? value->shape : variable.shape);
    if (!value) amounts.missing.push_back(variable.name);
    if (variable.trainable) ++amounts.trainable;
  }
  if (!model.has_graph && model.checkpoint != nullptr) {
    for (const CheckpointEntry& entry : model.checkpoint->entries) {
      if (entry.key == kObjectGraphKey) continue;
      add(entry.key, entry.dtype, entry.shape);
      if (entry.fault) amounts.missing.push_back(entry.key);
    }
  }
  return amounts;
}

void add_variable_amounts(const VariableAmounts& amounts, JsonWriter& json) {
  json.key("variables");
  json.begin_object();
  json.members("count", amounts.all.count, "bytes", amounts.all.bytes, "parameters",
               amounts.all.parameters, "trainable", amounts.trainable);
  add_amount("slots", amounts.slots, json);
  add_amount("averages", amounts.averages, json);
  json.member("missing", amounts.missing);
  json.end_object();
}

// Returns the place of the weights: checkpoint, variables, constants or none.
std::string_view weights_of(const Model& model, const Stats& stats) {
  if (model.checkpoint != nullptr) return "checkpoint";
  if (stats.variables > 0) return "variables";
  return stats.constants > 0 ? "constants" : "none";
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

// Returns a tensor's type and shape, and whether it need not be fed.
EndpointInfo endpoint_info(const Model& model, const NodeNames& names, const std::string& name,
                           const EndpointShapes& shapes, const OpRegistry* ops) {
  EndpointInfo info{.name = name};
  const TensorName wanted = parse_tensor_name(name);
  const uint32_t at = names.find(wanted.node);
  if (at == kNoNode) return info;
  const Node& node = model.graph.nodes()[at];
  info.dtype = output_dtype(node, wanted.port, ops);
  info.shape = shapes.of(at, wanted.port);
  info.optional = node.op == "PlaceholderWithDefault";
  return info;
}

// Adds an item, in place of one with the same key.
template <typename Item>
void put_last(std::vector<Item>& items, Item item) {
  const auto has_key = [&](const Item& each) { return each.key == item.key; };
  const auto found = std::find_if(items.begin(), items.end(), has_key);
  if (found == items.end()) {
    items.push_back(std::move(item));
  } else {
    *found = std::move(item);
  }
}

std::vector<ArgumentInfo> arguments_of(const auto& entries) {
  std::vector<ArgumentInfo> arguments;
  for (const auto& entry : entries) {
    const tensorflow::TensorInfo& info = entry.value();
    const Result<Shape> shape = read_shape(info.tensor_shape());
    const ArgumentInfo argument{entry.key(), info.name(), static_cast<DType>(info.dtype()),
                                shape ? *shape : Shape{true, {}}};
    put_last(arguments, argument);
  }
  return arguments;
}

void add_arguments(std::string_view name, const std::vector<ArgumentInfo>& arguments,
                   JsonWriter& json) {
  json.key(name);
  json.begin_object();
  for (const ArgumentInfo& each : arguments) {
    json.key(each.key);
    json.object("name", each.name, "dtype", dtype_name(each.dtype), "shape", each.shape);
  }
  json.end_object();
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
std::vector<std::string> lacks_of(const Model& model, const VariableAmounts& variables) {
  std::vector<std::string> lacks;
  const uint64_t count = variables.all.count;
  if (!model.has_graph) {
    lacks.push_back(cat("a graph: these are weights alone", origin_of_weights(model)));
  } else if (count != 0 && model.checkpoint == nullptr) {
    const bool folder = model.kind == Kind::kSavedModel;
    lacks.push_back(cat("the values of its ", plural(count, "variable"),
                        ": this is structure alone; give ",
                        folder ? "the SavedModel's folder variables/"
                               : "its checkpoint, the .index and .data files, as well"));
  } else if (!variables.missing.empty()) {
    lacks.push_back(cat("the values of ", variables.missing.size(), " of ",
                        plural(count, "variable"), ", which the checkpoint does not give"));
  }
  if (const std::string functions = functions_without_signature(model); !functions.empty()) {
    lacks.push_back(cat("a signature", functions));
  }
  if (model.checkpoint != nullptr && !model.checkpoint->missing_shards.empty()) {
    lacks.push_back(cat("data files: ", join(model.checkpoint->missing_shards, ", ", 5)));
  }
  return lacks;
}

// Adds the members about the file and its producer.
void add_origin(const Model& model, JsonWriter& members) {
  const tensorflow::MetaGraphDef::MetaInfoDef& info = parse_meta(model).meta_info_def();
  members.member("kind", kind_name(model.kind));
  if (const std::string why = kind_why(model); !why.empty()) members.member("kindWhy", why);
  members.list("files", model.files, [&](const SourcePtr& file) {
    members.object("path", file->name(), "bytes", file->size());
  });
  members.member("producer", model.graph.producer());
  if (const std::string by = made_by(model.graph.producer()); !by.empty()) {
    members.member("madeBy", by);
  }
  members.member("minConsumer", model.graph.min_consumer());
  if (const std::string_view from = loads_from(model.graph.min_consumer()); !from.empty()) {
    members.member("loadsFrom", cat("TensorFlow ", from));
  }
  members.members("tensorflowVersion", info.tensorflow_version(), "tags", info.tags());
}

}  // namespace

std::vector<SignatureInfo> signatures_of(const Model& model) {
  std::vector<SignatureInfo> signatures;
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  for (const auto& entry : meta.signature_def()) {
    if (is_reserved_signature(entry.key())) continue;
    put_last(signatures, SignatureInfo{entry.key(), entry.value().method_name(),
                                       arguments_of(entry.value().inputs()),
                                       arguments_of(entry.value().outputs())});
  }
  return signatures;
}

void write_json(JsonWriter& json, const SignatureInfo& signature) {
  json.begin_object();
  json.member("method", signature.method);
  add_arguments("inputs", signature.inputs, json);
  add_arguments("outputs", signature.outputs, json);
  json.end_object();
}

void write_json(JsonWriter& json, const EndpointInfo& endpoint) {
  json.begin_object();
  json.member("name", endpoint.name);
  json.key("dtype");
  if (endpoint.dtype) {
    json.value(dtype_name(*endpoint.dtype));
  } else {
    json.null();
  }
  json.member("shape", endpoint.shape);
  if (endpoint.optional) json.member("optional", true);
  json.members("why", endpoint.why, "certain", endpoint.certain);
  if (endpoint.chosen) json.member("chosen", *endpoint.chosen);
  json.end_object();
}

EndpointInfos endpoints_of(const Model& model, const OpRegistry* ops, size_t most) {
  const Endpoints likely = likely_endpoints(model);
  const NodeNames& names = model.graph.index().names();
  const EndpointShapes shapes(model, names, likely, ops);
  const auto infos = [&](const std::vector<Endpoint>& endpoints) {
    std::vector<EndpointInfo> list;
    for (const Endpoint& each : endpoints) {
      if (list.size() == most) break;
      EndpointInfo& info = list.emplace_back(endpoint_info(model, names, each.name, shapes, ops));
      info.why = each.why;
      info.certain = likely.certain && each.chosen;
    }
    return list;
  };
  EndpointInfos all{infos(likely.inputs), infos(likely.outputs), likely.certain};
  for (size_t i = 0; i < all.outputs.size(); ++i) all.outputs[i].chosen = likely.outputs[i].chosen;
  return all;
}

void inspect(const Model& model, const OpRegistry* ops, JsonWriter& members) {
  const Stats stats = stats_of(model);
  add_origin(model, members);
  members.key("signatures");
  members.begin_object();
  for (const SignatureInfo& each : signatures_of(model)) members.member(each.key, each);
  members.end_object();
  const EndpointInfos endpoints = endpoints_of(model, ops, kMaxEndpoints);
  members.members("inputs", endpoints.inputs, "outputs", endpoints.outputs, "outputsCertain",
                  endpoints.certain);
  const VariableAmounts variables = variable_amounts(model);
  members.members("nodes", stats.nodes, "ops", op_counts(model.graph), "functions",
                  model.graph.functions().size(), "weights", weights_of(model, stats));
  add_variable_amounts(variables, members);
  members.member("lacks", lacks_of(model, variables));
  members.key("constants");
  members.object("count", stats.constants, "bytes", stats.constant_bytes);
  if (ops != nullptr) members.member("unknownOps", unknown_ops(model.graph, *ops));
  members.members("bytes", stats.bytes, "bytesByScope", bytes_by_scope(model));
}

}  // namespace cryo
