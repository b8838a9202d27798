#include "model/meta.h"

#include <algorithm>
#include <array>

#include "base/function_ref.h"
#include "wire/cursor.h"
#include "wire/fields.h"

namespace cryo {
namespace {

constexpr std::array<std::string_view, 7> kVariableCollections = {
    "variables",        "trainable_variables",      "local_variables", "model_variables",
    "metric_variables", "moving_average_variables", "global_step"};

// Visits the entries of a collection of messages.
void for_each_bytes(const tensorflow::MetaGraphDef& meta, std::string_view collection,
                    FunctionRef<void(const std::string&)> visit) {
  for (const auto& entry : meta.collection_def()) {
    if (entry.key() != collection) continue;
    for (const std::string& bytes : entry.value().bytes_list().value()) visit(bytes);
  }
}

}  // namespace

bool is_reserved_signature(std::string_view key) { return key.starts_with("__saved_model_"); }

bool is_variable_collection(std::string_view key) {
  return std::find(kVariableCollections.begin(), kVariableCollections.end(), key) !=
         kVariableCollections.end();
}

std::vector<tensorflow::AssetFileDef> assets_of(const tensorflow::MetaGraphDef& meta) {
  std::vector<tensorflow::AssetFileDef> assets(meta.asset_file_def().begin(),
                                               meta.asset_file_def().end());
  for (const auto& entry : meta.collection_def()) {
    if (entry.key() != "saved_model_assets") continue;
    for (const auto& any : entry.value().any_list().value()) {
      tensorflow::AssetFileDef asset;
      if (asset.ParseFromString(any.value())) assets.push_back(std::move(asset));
    }
  }
  return assets;
}

std::string_view object_graph_of(const Model& model) {
  return last_bytes(model.meta, fields::MetaGraphDef::kObjectGraphDef);
}

void set_object_graph(Model& model, std::string_view saved_object_graph) {
  std::string bytes;
  for (WireCursor cursor(model.meta); cursor.next();) {
    if (cursor.field().number != fields::MetaGraphDef::kObjectGraphDef)
      bytes += cursor.field().record;
  }
  put_bytes_field(bytes, fields::MetaGraphDef::kObjectGraphDef, saved_object_graph);
  model.meta = std::move(bytes);
}

void drop_object_graph(Model& model) {
  if (model.meta.empty()) return;
  tensorflow::MetaGraphDef meta = parse_meta(model);
  meta.clear_object_graph_def();
  set_meta(model, std::move(meta));
}

const tensorflow::MetaGraphDef& parse_meta(const Model& model) { return model.meta.message(); }

// Removes the empty graph_def that marked the graph's position: a message that is serialized again
// has the graph by field number.
void set_meta(Model& model, tensorflow::MetaGraphDef meta) {
  meta.clear_graph_def();
  model.meta = meta.SerializeAsString();
}

std::vector<tensorflow::VariableDef> variable_defs(const tensorflow::MetaGraphDef& meta,
                                                   std::string_view collection) {
  std::vector<tensorflow::VariableDef> defs;
  for_each_bytes(meta, collection, [&](const std::string& bytes) {
    tensorflow::VariableDef def;
    if (def.ParseFromString(bytes)) defs.push_back(std::move(def));
  });
  return defs;
}

std::vector<std::string_view> variables_in(const tensorflow::MetaGraphDef& meta,
                                           std::string_view collection) {
  std::vector<std::string_view> nodes;
  for_each_bytes(meta, collection, [&](const std::string& def) {
    nodes.push_back(parse_tensor_name(last_bytes(def, fields::VariableDef::kVariableName)).node);
  });
  return nodes;
}

}  // namespace cryo
