#include "passes/trim_meta.h"

#include <algorithm>

#include "base/text.h"
#include "graph/edges.h"
#include "model/meta.h"

namespace cryo {
namespace {

using tensorflow::MetaGraphDef;

class Trimmer {
 public:
  Trimmer(const Graph& graph, bool cut, Diagnostics& diagnostics)
      : names_(graph.nodes()), cut_(cut), diagnostics_(diagnostics) {}

  void run(MetaGraphDef& meta);

 private:
  bool gone(std::string_view tensor) const {
    return names_.find(parse_tensor_name(tensor).node) == kNoNode;
  }
  bool trim(MetaGraphDef::SignatureDefEntry& entry) const;
  bool trim(MetaGraphDef::CollectionDefEntry& entry);
  bool trim_variables(tensorflow::CollectionDef& collection);
  bool trim_assets(tensorflow::CollectionDef& collection) const;
  void trim_saver(MetaGraphDef& meta) const;

  NodeNames names_;
  bool cut_;
  Diagnostics& diagnostics_;
};

template <typename Entries, typename Predicate>
void erase_if(Entries& entries, Predicate predicate) {
  entries.erase(std::remove_if(entries.begin(), entries.end(), predicate), entries.end());
}

// True where an output went. An input that went is not needed any more, unless the graph was cut.
bool Trimmer::trim(MetaGraphDef::SignatureDefEntry& entry) const {
  const auto is_gone = [&](const auto& argument) {
    return !argument.value().name().empty() && gone(argument.value().name());
  };
  tensorflow::SignatureDef& signature = *entry.mutable_value();
  auto& inputs = *signature.mutable_inputs();
  const bool input_gone = std::any_of(inputs.begin(), inputs.end(), is_gone);
  if (std::any_of(signature.outputs().begin(), signature.outputs().end(), is_gone)) return true;
  if (input_gone && cut_) return true;
  for (const auto& input : inputs) {
    if (!is_gone(input)) continue;
    diagnostics_.note("input-not-needed",
                      cat("the outputs do not need the input '", input.key(), "' of signature '",
                          entry.key(), "': it was left out"));
  }
  if (input_gone) erase_if(inputs, is_gone);
  return false;
}

bool Trimmer::trim_variables(tensorflow::CollectionDef& collection) {
  auto& values = *collection.mutable_bytes_list()->mutable_value();
  erase_if(values, [&](const std::string& bytes) {
    tensorflow::VariableDef def;
    return !def.ParseFromString(bytes) || gone(def.variable_name()) ||
           gone(def.initializer_name()) || gone(def.snapshot_name());
  });
  return values.empty();
}

// AssetFileDefs, in the place where TensorFlow 1 keeps them.
bool Trimmer::trim_assets(tensorflow::CollectionDef& collection) const {
  auto& values = *collection.mutable_any_list()->mutable_value();
  erase_if(values, [&](const auto& any) {
    tensorflow::AssetFileDef asset;
    return asset.ParseFromString(any.value()) && gone(asset.tensor_info().name());
  });
  return values.empty();
}

// True where nothing of the collection is left.
bool Trimmer::trim(MetaGraphDef::CollectionDefEntry& entry) {
  tensorflow::CollectionDef& collection = *entry.mutable_value();
  if (collection.has_node_list()) {
    auto& values = *collection.mutable_node_list()->mutable_value();
    erase_if(values, [&](const std::string& name) { return gone(name); });
    return values.empty();
  }
  if (entry.key() == "saved_model_assets") return trim_assets(collection);
  if (!collection.has_bytes_list()) return false;
  if (is_variable_collection(entry.key())) return trim_variables(collection);
  diagnostics_.note("collection-dropped",
                    cat("removed collection '", entry.key(), "': it may refer to removed nodes"));
  return true;
}

void Trimmer::trim_saver(MetaGraphDef& meta) const {
  const tensorflow::SaverDef& saver = meta.saver_def();
  const bool whole = !gone(saver.filename_tensor_name()) && !gone(saver.save_tensor_name()) &&
                     !gone(saver.restore_op_name());
  if (!whole) meta.clear_saver_def();
}

void Trimmer::run(MetaGraphDef& meta) {
  erase_if(*meta.mutable_signature_def(), [&](auto& entry) {
    const bool went = trim(entry);
    if (went && !is_reserved_signature(entry.key())) {
      diagnostics_.note("signature-dropped", cat("the signature '", entry.key(),
                                                 "' was left out: it names nodes that went"));
    }
    return went;
  });
  erase_if(*meta.mutable_asset_file_def(),
           [&](const auto& asset) { return gone(asset.tensor_info().name()); });
  erase_if(*meta.mutable_collection_def(), [&](auto& entry) { return trim(entry); });
  if (meta.has_saver_def()) trim_saver(meta);
}

}  // namespace

void trim_meta(Model& model, bool cut, Diagnostics& diagnostics) {
  if (model.meta.empty()) return;
  tensorflow::MetaGraphDef meta = parse_meta(model);
  Trimmer(model.graph, cut, diagnostics).run(meta);
  set_meta(model, std::move(meta));
}

}  // namespace cryo
