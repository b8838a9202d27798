#include "validate/graph/inputs.h"

#include <algorithm>

#include "base/sort.h"
#include "base/utf8.h"

namespace cryo {
namespace {

constexpr std::string_view kColocation = "loc:@";

void check_order(const Node& node, std::span<const Edge> inputs, const Reporter& reporter) {
  for (size_t i = 1; i < inputs.size(); ++i) {
    if (inputs[i].control || !inputs[i - 1].control) continue;
    reporter.error(
        "control-input-order", {.node = node.name, .input = static_cast<int>(i), .fixable = true},
        "Node ", quoted(node.name), ": Control dependencies must come after regular dependencies");
    return;  // one for all that follow
  }
}

// Returns true for a control input that names no node and can be removed: nothing waits for it.
// False for "^node:0", which may mean the node.
bool is_dangling(std::string_view input, const NodeNames& names) {
  if (!input.starts_with('^')) return false;
  return names.find(parse_tensor_name(input.substr(1)).node) == kNoNode;
}

void unknown_input(const Node& node, int index, std::string_view input, const NodeNames& names,
                   const Reporter& reporter) {
  reporter.error("unknown-input-node",
                 {.node = node.name, .input = index, .fixable = is_dangling(input, names)}, "Node ",
                 quoted(node.name), ": Unknown input node ", quoted(input));
}

void check_unknown(const Node& node, std::span<const Edge> inputs, const NodeNames& names,
                   const Reporter& reporter) {
  int index = 0;
  for (const std::string_view input : node.inputs()) {
    const Edge& edge = inputs[static_cast<size_t>(index)];
    if (edge.node == kNoNode) unknown_input(node, index, input, names, reporter);
    ++index;
  }
}

// Returns whether Python's importer can read `_class`: a list whose strings are UTF-8, or nothing.
bool is_list_of_text(const AttrValue& value) {
  if (!value.is_list()) {
    return value.kind() == AttrKind::kNone ||
           (value.kind() == AttrKind::kString && value.bytes().empty());
  }
  bool text = true;
  value.each_bytes(AttrKind::kString,
                   [&](std::string_view entry) { text = text && is_utf8(entry); });
  const bool strings = value.count(AttrKind::kString) > 0;
  return text && (strings || value.list_kind() == AttrKind::kNone);
}

}  // namespace

void check_duplicate_controls(const Node& node, const Reporter& reporter) {
  if (node.input_count < 2) return;
  std::vector<std::string_view> controls;
  for (const std::string_view input : node.inputs()) {
    if (input.starts_with('^')) controls.push_back(input);
  }
  sort(controls);
  const auto twice = std::adjacent_find(controls.begin(), controls.end());
  if (twice == controls.end()) return;
  reporter.note("duplicate-control-input", {.node = node.name, .fixable = true}, "Node ",
                quoted(node.name), " has the control input ", quoted(*twice), " more than once");
}

void check_inputs(const std::vector<Node>& nodes, const Edges& edges, const NodeNames& names,
                  const Reporter& reporter) {
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    size_t controls = 0;
    size_t unknown = 0;
    for (const Edge& edge : edges.inputs(i)) {
      controls += edge.control ? 1U : 0U;
      unknown += edge.node == kNoNode ? 1U : 0U;
    }
    if (controls > 0) check_order(nodes[i], edges.inputs(i), reporter);
    if (controls > 1) check_duplicate_controls(nodes[i], reporter);
    if (unknown > 0) check_unknown(nodes[i], edges.inputs(i), names, reporter);
  }
}

void check_colocation(const Node& node, const NodeAttrs& attrs, const NodeNames& names,
                      const Reporter& reporter) {
  const auto attr = attrs.internal("_class");
  if (!attr) return;
  if (!is_list_of_text(AttrValue(*attr))) {
    reporter.error("attr-wrong-kind", {.node = node.name, .attr = "_class"}, "Node ",
                   quoted(node.name),
                   " has an attribute '_class' that is not a list of strings, "
                   "which Python's importer refuses");
    return;
  }
  AttrValue(*attr).each_bytes(AttrKind::kString, [&](std::string_view entry) {
    if (!entry.starts_with(kColocation)) return;
    const std::string_view name = entry.substr(kColocation.size());
    if (names.find(name) != kNoNode) return;
    reporter.error("unknown-colocation", {.node = node.name, .attr = "_class", .fixable = true},
                   "Node ", quoted(node.name), " expects to be colocated with unknown node ",
                   quoted(name));
  });
}

}  // namespace cryo
