#include "passes/common/trim_meta.h"

#include <algorithm>

#include "base/text.h"
#include "graph/edges.h"
#include "model/context_defs.h"
#include "model/meta.h"
#include "wire/cursor.h"

namespace cryo {
namespace {

using tensorflow::MetaGraphDef;

// Messages within messages of a collection.
constexpr int kMaxNested = 10;

class Trimmer {
 public:
  Trimmer(const Graph& graph, const Graph& before, bool cut, Diagnostics& diagnostics)
      : names_(graph.index().names()),
        before_(before.index().names()),
        cut_(cut),
        diagnostics_(diagnostics) {}

  std::vector<std::string> run(MetaGraphDef& meta);

 private:
  bool gone(std::string_view tensor) const {
    return names_.find(parse_tensor_name(tensor).node) == kNoNode;
  }
  bool trim(MetaGraphDef::SignatureDefEntry& entry) const;
  bool names_removed(std::string_view message, int depth) const;
  bool trim_variable(std::string& bytes) const;
  void trim(const std::string& key, tensorflow::CollectionDef& collection) const;
  void trim_saver(MetaGraphDef& meta) const;

  const NodeNames& names_;
  const NodeNames& before_;
  bool cut_;
  Diagnostics& diagnostics_;
};

template <typename Entries, typename Predicate>
void erase_if(Entries& entries, Predicate predicate) {
  entries.erase(std::remove_if(entries.begin(), entries.end(), predicate), entries.end());
}

// Returns true if an output was removed. A removed input is not needed any more, unless the graph
// was cut.
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
                          entry.key(), "': it was removed"));
  }
  if (input_gone) erase_if(inputs, is_gone);
  return false;
}

// Returns true if the entry is useless after trimming.
bool Trimmer::trim_variable(std::string& bytes) const {
  tensorflow::VariableDef def;
  if (!def.ParseFromString(bytes) || gone(def.variable_name()) || gone(def.initializer_name()) ||
      gone(def.snapshot_name())) {
    return true;
  }
  if (def.initial_value_name().empty() || !gone(def.initial_value_name())) return false;
  def.clear_initial_value_name();
  bytes = def.SerializeAsString();
  return false;
}

// Returns true if any field of the message, or of one in it, is the name of a removed node or its
// tensor.
bool Trimmer::names_removed(std::string_view message, int depth) const {
  const auto is_removed = [&](std::string_view name) {
    return gone(name) && before_.find(parse_tensor_name(name).node) != kNoNode;
  };
  if (is_removed(message)) return true;
  WireCursor whole(message);
  while (whole.next()) {
  }
  if (!whole.ok() || depth == kMaxNested) return false;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.type == WireType::kBytes && names_removed(field.bytes, depth + 1)) return true;
  }
  return false;
}

void Trimmer::trim(const std::string& key, tensorflow::CollectionDef& collection) const {
  if (collection.has_node_list()) {
    erase_if(*collection.mutable_node_list()->mutable_value(),
             [&](const std::string& name) { return gone(name); });
  } else if (collection.has_any_list()) {
    erase_if(*collection.mutable_any_list()->mutable_value(),
             [&](const auto& any) { return names_removed(any.value(), 0); });
  } else if (collection.has_bytes_list()) {
    erase_if(*collection.mutable_bytes_list()->mutable_value(), [&](std::string& bytes) {
      if (is_variable_collection(key)) return trim_variable(bytes);
      if (!is_context_collection(key)) return names_removed(bytes, 0);
      bytes = trimmed_context(bytes, key, names_);
      return bytes.empty();
    });
  }
}

int entries(const tensorflow::CollectionDef& collection) {
  return collection.node_list().value_size() + collection.bytes_list().value_size() +
         collection.any_list().value_size();
}

void Trimmer::trim_saver(MetaGraphDef& meta) const {
  const tensorflow::SaverDef& saver = meta.saver_def();
  const bool whole = !gone(saver.filename_tensor_name()) && !gone(saver.save_tensor_name()) &&
                     !gone(saver.restore_op_name());
  if (!whole) meta.clear_saver_def();
}

std::vector<std::string> Trimmer::run(MetaGraphDef& meta) {
  erase_if(*meta.mutable_signature_def(), [&](auto& entry) {
    const bool went = trim(entry);
    if (went && !is_reserved_signature(entry.key())) {
      diagnostics_.note("signature-dropped", cat("the signature '", entry.key(),
                                                 "' was removed: it names removed nodes"));
    }
    return went;
  });
  erase_if(*meta.mutable_asset_file_def(),
           [&](const auto& asset) { return gone(asset.tensor_info().name()); });
  std::vector<std::string> lost;
  erase_if(*meta.mutable_collection_def(), [&](auto& entry) {
    const int all = entries(entry.value());
    trim(entry.key(), *entry.mutable_value());
    const int left = entries(entry.value());
    if (left < all) lost.push_back(cat(entry.key(), " (", all - left, " of ", all, ")"));
    return left == 0 && all > 0;
  });
  if (meta.has_saver_def()) trim_saver(meta);
  return lost;
}

}  // namespace

std::vector<std::string> trim_meta(Model& model, const Graph& before, bool cut,
                                   Diagnostics& diagnostics) {
  if (model.meta.empty()) return {};
  tensorflow::MetaGraphDef meta = parse_meta(model);
  auto lost = Trimmer(model.graph, before, cut, diagnostics).run(meta);
  set_meta(model, std::move(meta));
  return lost;
}

}  // namespace cryo
