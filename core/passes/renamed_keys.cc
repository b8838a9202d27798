#include "passes/renamed_keys.h"

#include <set>

#include "base/rename.h"
#include "base/text.h"
#include "model/variables.h"

namespace cryo {

Result<Model> with_renamed_keys(const Model& model, const PassOptions& options, PassLog& log) {
  if (options.rename.empty() || model.checkpoint == nullptr) return model;
  TRY(rules, parse_rename_rules(options.rename));
  Model renaming = model;
  std::set<const RenameRule*> used;
  size_t count = 0;
  for (const Variable& variable : variables_of(model)) {
    const Renamed to = renamed(rules, variable.key);
    if (to.rule == nullptr || model.checkpoint->find(to.name) == nullptr) continue;
    renaming.restores[variable.name] = {to.name, variable.slice};
    used.insert(to.rule);
    ++count;
  }
  for (const RenameRule& rule : rules) {
    if (used.count(&rule) > 0) continue;
    log.diagnostics.warn("rename-unused", cat("no variable takes a value by --rename ", rule.text),
                         {}, "see the names there are with: cryograph list PATH weights");
  }
  if (count > 0) {
    log.diagnostics.note("values-renamed", cat(plural(count, "variable"),
                                               " of the graph took the value of another name"));
  }
  return renaming;
}

}  // namespace cryo
