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
  Trimmer(const Graph& graph, Diagnostics& diagnostics)
      : names_(graph.nodes()), diagnostics_(diagnostics) {}

  void run(MetaGraphDef& meta);

 private:
  bool gone(std::string_view tensor) const {
    return names_.find(parse_tensor_name(tensor).node) == kNoNode;
  }
  bool signature_gone(const tensorflow::SignatureDef& signature) const;
  bool trim(MetaGraphDef::CollectionDefEntry& entry);
  bool trim_variables(tensorflow::CollectionDef& collection);
  void trim_saver(MetaGraphDef& meta) const;

  NodeNames names_;
  Diagnostics& diagnostics_;
};

template <typename Entries, typename Predicate>
void erase_if(Entries& entries, Predicate predicate) {
  entries.erase(std::remove_if(entries.begin(), entries.end(), predicate), entries.end());
}

bool Trimmer::signature_gone(const tensorflow::SignatureDef& signature) const {
  const auto names_gone = [&](const auto& entry) {
    return !entry.value().name().empty() && gone(entry.value().name());
  };
  return std::any_of(signature.inputs().begin(), signature.inputs().end(), names_gone) ||
         std::any_of(signature.outputs().begin(), signature.outputs().end(), names_gone);
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

// True where nothing of the collection is left.
bool Trimmer::trim(MetaGraphDef::CollectionDefEntry& entry) {
  tensorflow::CollectionDef& collection = *entry.mutable_value();
  if (collection.has_node_list()) {
    auto& values = *collection.mutable_node_list()->mutable_value();
    erase_if(values, [&](const std::string& name) { return gone(name); });
    return values.empty();
  }
  if (!collection.has_bytes_list()) return false;
  if (is_variable_collection(entry.key())) return trim_variables(collection);
  diagnostics_.note("collection-dropped", cat("the collection '", entry.key(),
                                              "' was left out: it may name nodes that went"));
  return true;
}

void Trimmer::trim_saver(MetaGraphDef& meta) const {
  const tensorflow::SaverDef& saver = meta.saver_def();
  const bool whole = !gone(saver.filename_tensor_name()) && !gone(saver.save_tensor_name()) &&
                     !gone(saver.restore_op_name());
  if (!whole) meta.clear_saver_def();
}

void Trimmer::run(MetaGraphDef& meta) {
  erase_if(*meta.mutable_signature_def(), [&](const auto& entry) {
    const bool went = signature_gone(entry.value());
    if (went) {
      diagnostics_.note("signature-dropped", cat("the signature '", entry.key(),
                                                 "' was left out: it names nodes that went"));
    }
    return went;
  });
  erase_if(*meta.mutable_collection_def(), [&](auto& entry) { return trim(entry); });
  if (meta.has_saver_def()) trim_saver(meta);
}

}  // namespace

void trim_meta(Model& model, Diagnostics& diagnostics) {
  if (model.meta.empty()) return;
  tensorflow::MetaGraphDef meta = parse_meta(model);
  Trimmer(model.graph, diagnostics).run(meta);
  set_meta(model, meta);
}

}  // namespace cryo
