#include "cli/list.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include "base/text.h"
#include "cli/inspect.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "model/meta.h"
#include "model/variables.h"
#include "wire/elide.h"

namespace cryo {
namespace {

Json nodes(const Model& model, const OpRegistry*) {
  Json list = Json::array();
  for (const Node& node : model.graph.nodes()) {
    Json inputs = Json::array();
    for (const std::string_view input : node.inputs()) inputs.push_back(input);
    list.push_back({{"name", node.name},
                    {"op", node.op},
                    {"inputs", std::move(inputs)},
                    {"device", device_of(node)}});
  }
  return list;
}

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

// What the checkpoint calls the values of TF2 objects ends so; the part before is the name.
std::string plain_key(const std::string& key) {
  constexpr std::string_view kSuffix = "/.ATTRIBUTES/VARIABLE_VALUE";
  return key.ends_with(kSuffix) ? key.substr(0, key.size() - kSuffix.size()) : key;
}

void add_variables(const Model& model, Json& list) {
  for (const Variable& variable : variables_of(model)) {
    const Result<Tensor> value = value_of(model, variable);
    Json each = weight(variable.name, variable.dtype, value ? value->shape : variable.shape,
                       value ? value->content.size() : 0, value ? "checkpoint" : "variable");
    each["node"] = variable.name;
    each["trainable"] = variable.trainable;
    each["slices"] = variable.slice.empty() ? Json::array() : Json::array({variable.slice});
    list.push_back(std::move(each));
  }
}

void add_constants(const Model& model, Json& list) {
  for (const Node& node : model.graph.nodes()) {
    if (node.op != "Const") continue;
    const auto dtype = static_cast<DType>(type_attr(node, "dtype").value_or(0));
    const Shape shape = output_shape(node, 0);
    const DTypeInfo* type = find_dtype(dtype);
    const Result<uint64_t> count = element_count(shape);
    const uint64_t bytes = type != nullptr && count ? *count * type->size : 0;
    Json each = weight(std::string(node.name), dtype, shape, bytes, "constant");
    each["node"] = node.name;
    each["trainable"] = false;
    each["slices"] = Json::array();
    list.push_back(std::move(each));
  }
}

Json weights(const Model& model, const OpRegistry*) {
  Json list = Json::array();
  add_variables(model, list);
  add_constants(model, list);
  if (model.has_graph || model.checkpoint == nullptr) return list;
  for (const CheckpointEntry& entry : model.checkpoint->entries) {
    list.push_back(
        weight(plain_key(entry.key), entry.dtype, entry.shape, entry.bytes, "checkpoint"));
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

Json assets(const Model& model, const OpRegistry*) {
  const tensorflow::MetaGraphDef meta = parse_meta(model);
  Json list = Json::array();
  for (const auto& asset : meta.asset_file_def()) {
    list.push_back({{"filename", asset.filename()}, {"tensor", asset.tensor_info().name()}});
  }
  return list;
}

Json collections(const Model& model, const OpRegistry*) {
  const tensorflow::MetaGraphDef meta = parse_meta(model);
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

constexpr std::array<ListRow, 9> kLists = {{{"nodes", nodes},
                                            {"ops", ops},
                                            {"weights", weights},
                                            {"inputs", inputs},
                                            {"outputs", outputs},
                                            {"signatures", signatures},
                                            {"functions", functions},
                                            {"assets", assets},
                                            {"collections", collections}}};

}  // namespace

Status list(const Model& model, const std::string& what, const OpRegistry* registry, Json& report) {
  std::vector<std::string> words;
  for (const ListRow& row : kLists) {
    words.emplace_back(row.what);
    if (row.what != what) continue;
    report[what] = row.make(model, registry);
    return Unit{};
  }
  return failure("bad-option", cat("there is no list of '", what, "'"), {},
                 cat("one of ", join(words, ", ")));
}

}  // namespace cryo
