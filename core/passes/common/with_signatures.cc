#include "passes/common/with_signatures.h"

#include <algorithm>

#include "base/text.h"
#include "checkpoint/object_graph.h"
#include "model/meta.h"

namespace cryo {

Result<Model> with_signatures(const Model& model, const std::vector<std::string>& keys) {
  if (keys.empty()) return model;
  tensorflow::MetaGraphDef meta = parse_meta(model);
  auto& all = *meta.mutable_signature_def();
  std::vector<std::string> known;
  for (const auto& entry : all) {
    if (!is_reserved_signature(entry.key())) known.push_back(entry.key());
  }
  for (const std::string& key : keys) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    return failure("no-signature", cat("there is no signature '", key, "'"), {},
                   known.empty() ? std::string("the model has no signatures")
                                 : cat("the signatures are ", join(known, ", ", 20)));
  }
  const auto is_other = [&](std::string_view key) {
    return !is_reserved_signature(key) && std::find(keys.begin(), keys.end(), key) == keys.end();
  };
  const auto kept = std::remove_if(all.begin(), all.end(),
                                   [&](const auto& entry) { return is_other(entry.key()); });
  if (kept == all.end()) return model;
  all.erase(kept, all.end());
  Model chosen = model;
  set_meta(chosen, std::move(meta));
  const std::string_view objects = object_graph_of(chosen);
  if (!objects.empty()) set_object_graph(chosen, without_signatures(objects, is_other));
  return chosen;
}

}  // namespace cryo
