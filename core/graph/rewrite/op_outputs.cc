#include "graph/rewrite/op_outputs.h"

#include <algorithm>

#include "base/text.h"

namespace cryo {

std::string tensor_in_function(std::string_view node, std::string_view op, uint32_t port) {
  const auto rows = op_outputs();
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const OpOutputs& each) { return each.op == op; });
  if (row == rows.end()) return cat(node, ":output:", port);
  const std::vector<std::string_view> names = split(row->names, ',');
  if (names[0].ends_with('*')) {
    return cat(node, ":", names[0].substr(0, names[0].size() - 1), ":", port);
  }
  return cat(node, ":", names[std::min<size_t>(port, names.size() - 1)], ":0");
}

}  // namespace cryo
