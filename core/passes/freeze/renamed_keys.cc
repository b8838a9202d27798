#include "passes/freeze/renamed_keys.h"

#include <set>

#include "base/pattern/weight_name.h"
#include "base/text.h"
#include "model/variables.h"
#include "passes/common/unmatched.h"

namespace cryo {

Result<Model> with_renamed_keys(const Model& model, const std::vector<std::string>& rename,
                                Diagnostics& diagnostics) {
  if (rename.empty()) return model;
  TRY(rules, parse_rename_rules(rename));
  // Variables without a checkpoint are reported later.
  const bool waits = model.checkpoint == nullptr && !variables_of(model).empty();
  if (waits) return model;
  Model renaming = model;
  std::set<const RenameRule*> used;
  std::vector<std::string> keys;
  size_t count = 0;
  for (const Variable& variable : variables_of(model)) {
    keys.push_back(variable.key);
    const Renamed to = renamed_weight(rules, variable.key);
    if (to.rule == nullptr || model.checkpoint->find(to.name) == nullptr) continue;
    renaming.restores.edit()[variable.name] = {to.name, variable.slice};
    used.insert(to.rule);
    ++count;
  }
  std::vector<std::string> wanted;
  if (model.checkpoint != nullptr) {
    for (const CheckpointEntry& entry : model.checkpoint->entries) wanted.push_back(entry.key);
  }
  CHECK_OK(check_rules(rules, used, keys, wanted));
  if (count > 0) {
    diagnostics.note("values-renamed", cat(plural(count, "variable"),
                                           " of the graph took the value of another name"));
  }
  return renaming;
}

}  // namespace cryo
