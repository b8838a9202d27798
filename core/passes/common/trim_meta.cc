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

template <typename Entries, typename Predicate>
void erase_if(Entries& entries, Predicate predicate) {
  entries.erase(std::remove_if(entries.begin(), entries.end(), predicate), entries.end());
}

int entries(const tensorflow::CollectionDef& collection) {
  return collection.node_list().value_size() + collection.bytes_list().value_size() +
         collection.any_list().value_size();
}

bool is_missing(const NodeNames& names, std::string_view tensor) {
  return names.find(parse_tensor_name(tensor).node) == kNoNode;
}

// Returns true if an output was removed. A removed input is not needed any more, unless the graph
// was cut.
bool trim_entry(const NodeNames& names, bool cut, MetaGraphDef::SignatureDefEntry& entry,
                Diagnostics& diagnostics) {
  const auto is_gone = [&](const auto& argument) {
    return !argument.value().name().empty() && is_missing(names, argument.value().name());
  };
  tensorflow::SignatureDef& signature = *entry.mutable_value();
  auto& inputs = *signature.mutable_inputs();
  const bool input_gone = std::any_of(inputs.begin(), inputs.end(), is_gone);
  if (std::any_of(signature.outputs().begin(), signature.outputs().end(), is_gone)) return true;
  if (input_gone && cut) return true;
  for (const auto& input : inputs) {
    if (!is_gone(input)) continue;
    diagnostics.note("input-not-needed", cat("the outputs do not need the input '", input.key(),
                                             "' of signature '", entry.key(), "': it was removed"));
  }
  if (input_gone) erase_if(inputs, is_gone);
  return false;
}

// Returns true if the entry is useless after trimming.
bool trim_variable(const NodeNames& names, std::string& bytes) {
  tensorflow::VariableDef def;
  if (!def.ParseFromString(bytes) || is_missing(names, def.variable_name()) ||
      is_missing(names, def.initializer_name()) || is_missing(names, def.snapshot_name())) {
    return true;
  }
  if (def.initial_value_name().empty() || !is_missing(names, def.initial_value_name()))
    return false;
  def.clear_initial_value_name();
  bytes = def.SerializeAsString();
  return false;
}

// Returns true if any field of the message, or of one in it, is the name of a removed node or its
// tensor.
bool names_removed(const NodeNames& names, const NodeNames& before, std::string_view message,
                   int depth) {
  const auto is_removed = [&](std::string_view name) {
    return is_missing(names, name) && before.find(parse_tensor_name(name).node) != kNoNode;
  };
  if (is_removed(message)) return true;
  WireCursor whole(message);
  while (whole.next()) {
  }
  if (!whole.ok() || depth == kMaxNested) return false;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.type == WireType::kBytes && names_removed(names, before, field.bytes, depth + 1))
      return true;
  }
  return false;
}

void trim_entry(const NodeNames& names, const NodeNames& before, const std::string& key,
                tensorflow::CollectionDef& collection) {
  if (collection.has_node_list()) {
    erase_if(*collection.mutable_node_list()->mutable_value(),
             [&](const std::string& name) { return is_missing(names, name); });
  } else if (collection.has_any_list()) {
    erase_if(*collection.mutable_any_list()->mutable_value(),
             [&](const auto& any) { return names_removed(names, before, any.value(), 0); });
  } else if (collection.has_bytes_list()) {
    erase_if(*collection.mutable_bytes_list()->mutable_value(), [&](std::string& bytes) {
      if (is_variable_collection(key)) return trim_variable(names, bytes);
      if (!is_context_collection(key)) return names_removed(names, before, bytes, 0);
      bytes = trimmed_context(bytes, key, names);
      return bytes.empty();
    });
  }
}

void trim_saver(const NodeNames& names, MetaGraphDef& meta) {
  const tensorflow::SaverDef& saver = meta.saver_def();
  const bool whole = !is_missing(names, saver.filename_tensor_name()) &&
                     !is_missing(names, saver.save_tensor_name()) &&
                     !is_missing(names, saver.restore_op_name());
  if (!whole) meta.clear_saver_def();
}

std::vector<std::string> trim_all(const NodeNames& names, const NodeNames& before, bool cut,
                                  MetaGraphDef& meta, Diagnostics& diagnostics) {
  erase_if(*meta.mutable_signature_def(), [&](auto& entry) {
    const bool went = trim_entry(names, cut, entry, diagnostics);
    if (went && !is_reserved_signature(entry.key())) {
      diagnostics.note("signature-dropped", cat("the signature '", entry.key(),
                                                "' was removed: it names removed nodes"));
    }
    return went;
  });
  erase_if(*meta.mutable_asset_file_def(),
           [&](const auto& asset) { return is_missing(names, asset.tensor_info().name()); });
  std::vector<std::string> lost;
  erase_if(*meta.mutable_collection_def(), [&](auto& entry) {
    const int all = entries(entry.value());
    trim_entry(names, before, entry.key(), *entry.mutable_value());
    const int left = entries(entry.value());
    if (left < all) lost.push_back(cat(entry.key(), " (", all - left, " of ", all, ")"));
    return left == 0 && all > 0;
  });
  if (meta.has_saver_def()) trim_saver(names, meta);
  return lost;
}

}  // namespace

std::vector<std::string> trim_meta(Model& model, const Graph& before, bool cut,
                                   Diagnostics& diagnostics) {
  if (model.meta.empty()) return {};
  tensorflow::MetaGraphDef meta = parse_meta(model);
  auto lost = trim_all(model.graph.index().names(), before.index().names(), cut, meta, diagnostics);
  set_meta(model, std::move(meta));
  return lost;
}

}  // namespace cryo
