#include "passes/common/joined_failure.h"

#include "base/text.h"

namespace cryo {
namespace {

constexpr size_t kMostTold = 5;

}  // namespace

Diagnostic joint_failure(const std::vector<Diagnostic>& failures) {
  Diagnostic all = failures.front();
  if (failures.size() == 1) return all;
  std::vector<std::string> names;
  for (const Diagnostic& each : failures) {
    names.push_back(each.where.node.empty() ? each.where.tensor : each.where.node);
  }
  all.message += cat("; the same for ", plural(failures.size(), "variable"), ": ",
                     join(names, ", ", kMostTold));
  return all;
}

}  // namespace cryo
