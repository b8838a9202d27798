#pragma once

#include <string>
#include <utility>
#include <vector>

#include "checked.h"

namespace cryo {

// Returns what is wrong with one node over placeholders of these shapes, a, b, ...; "" if nothing
// is.
inline std::string fault(const std::string& op, const std::vector<std::vector<int64_t>>& shapes,
                         Attrs attrs = kFloats, const std::vector<std::string>& more = {},
                         const Lines& more_inputs = {}) {
  std::vector<std::string> nodes = more;
  Lines inputs;
  for (const auto& shape : shapes) {
    const std::string name(1, static_cast<char>('a' + inputs.size()));
    nodes.push_back(placeholder(name, shape));
    inputs.push_back(name);
  }
  inputs.insert(inputs.end(), more_inputs.begin(), more_inputs.end());
  nodes.push_back(node("n", op, inputs, attrs));
  Parts parts{nodes};
  put_varint_field(parts.versions, 1, 100);  // in which scalars are scalars
  const Lines all = findings(graph_of(parts));
  if (all.empty()) return "";
  const size_t start = all[0].find(": ") + 2;
  return all[0].substr(start, all[0].find(" for '") - start);
}

inline Attrs with(std::vector<std::pair<std::string, std::string>> more) {
  Attrs attrs = kFloats;
  attrs.insert(attrs.end(), more.begin(), more.end());
  return attrs;
}

}  // namespace cryo
