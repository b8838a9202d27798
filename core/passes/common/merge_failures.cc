#include "passes/common/merge_failures.h"

#include <algorithm>

#include "base/text.h"

namespace cryo {
Diagnostic merge_failures(const std::vector<Diagnostic>& failures) {
  Diagnostic all = failures.front();
  std::vector<std::string> names;  // of a partitioned variable once
  for (const Diagnostic& each : failures) {
    const std::string& name = each.where.node.empty() ? each.where.tensor : each.where.node;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (names.size() == 1) return all;
  all.message +=
      cat("; the same for ", plural(names.size(), "variable"), ": ", join(names, ", ", kMaxListed));
  return all;
}

}  // namespace cryo
