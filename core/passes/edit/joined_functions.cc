#include "passes/edit/joined_functions.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "graph/attr_value.h"
#include "graph/fresh_names.h"
#include "graph/functions/function_callers.h"
#include "graph/functions/function_editor.h"
#include "graph/node_editor.h"
#include "passes/common/same_attr.h"
#include "wire/map_entry.h"

namespace cryo {
namespace {

std::string_view renamed(std::string_view name, const NewNames& names) {
  const auto found = names.find(name);
  return found == names.end() ? name : std::string_view(found->second);
}

bool names_any(const Node& node, const NewNames& names) {
  const auto functions = functions_named_by(node);
  return std::any_of(functions.begin(), functions.end(),
                     [&](std::string_view each) { return names.contains(each); });
}

std::string renamed_attr(std::string_view value, const NewNames& names) {
  std::vector<std::string_view> from;
  std::vector<std::string> to;
  for (const auto& [old, now] : names) {
    from.emplace_back(old);
    to.push_back(now);
  }
  return renamed_functions(value, from, to);
}

// Attributes of functions name others by texts: "forward_function_name".
std::string renamed_own_attr(const std::string& entry, const NewNames& names) {
  const MapEntryView attr = read_map_entry(entry);
  const AttrValue value(attr.value);
  const bool text = value.kind() == AttrKind::kString && names.contains(value.bytes());
  return text ? map_entry(attr.key, string_value(renamed(value.bytes(), names))) : entry;
}

Result<std::string> renamed_function(const Function& function, const NewNames& names) {
  FunctionEditor editor(function);
  editor.name = renamed(function.name, names);
  for (std::string& each : editor.nodes) {
    TRY(node, scan_node(each));
    if (names_any(node, names)) each = with_renamed_functions(node, names);
  }
  for (std::string& each : editor.attrs) each = renamed_own_attr(each, names);
  return editor.finish();
}

using FunctionsByName = std::map<std::string_view, const Function*>;

Result<bool> is_ours(const Payloads& payloads, const FunctionsByName& by_name,
                     const Function& function) {
  const auto ours = by_name.find(function.name);
  if (ours == by_name.end()) return false;
  return same_message("tensorflow.FunctionDef", ours->second->bytes, payloads, function.bytes,
                      payloads);
}

void rename_function(std::string_view name, FreshNames& taken, JoinedFunctions& joined) {
  joined.names.emplace(std::string(name), taken.take(std::string(name)));
}

// Renames functions of both libraries that call, through others, a renamed one.
Status rename_callers(const Graph& second, const FunctionsByName& by_name, FreshNames& taken,
                      JoinedFunctions& joined) {
  for (size_t count = joined.names.size() + 1; count != joined.names.size();) {
    count = joined.names.size();
    for (const Function& each : second.functions()) {
      if (!by_name.contains(each.name) || joined.names.contains(each.name)) continue;
      TRY(nodes, body_nodes(each));
      const bool calls = std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) {
        return names_any(node, joined.names);
      });
      if (calls) rename_function(each.name, taken, joined);
    }
  }
  return Unit{};
}

// Adds those of the second for which the first has none.
void add_gradients(const JoinedFunctions& joined, const std::vector<Gradient>& ours,
                   const std::vector<Gradient>& theirs, std::vector<Gradient>& added) {
  std::set<std::string_view> known;
  for (const Gradient& each : ours) known.insert(each.of);
  for (const Gradient& each : theirs) {
    const Gradient made{renamed(each.of, joined.names), renamed(each.function, joined.names)};
    if (!known.contains(made.of)) added.push_back(made);
  }
}

}  // namespace

std::string with_renamed_functions(const Node& node, const NewNames& names) {
  if (names.empty() || !names_any(node, names)) return std::string(node.bytes);
  NodeEditor editor(node);
  editor.set_op(renamed(node.op, names));
  for (const Attr& attr : attrs_of(node)) {
    const AttrValue value(attr.value);
    if (value.kind() == AttrKind::kFunc || value.count(AttrKind::kFunc) > 0) {
      editor.set_attr(attr.key, renamed_attr(attr.value, names));
    }
  }
  return editor.finish();
}

Result<JoinedFunctions> joined_functions(const Graph& first, const Graph& second,
                                         const Payloads& payloads) {
  FunctionsByName by_name;
  FreshNames taken;
  for (const Function& each : first.functions()) {
    by_name.emplace(each.name, &each);
    taken.set_taken(std::string(each.name));
  }
  for (const Function& each : second.functions()) {
    if (!by_name.contains(each.name)) taken.set_taken(std::string(each.name));
  }
  JoinedFunctions joined;
  for (const Function& each : second.functions()) {
    TRY(same, is_ours(payloads, by_name, each));
    if (!same && by_name.contains(each.name)) rename_function(each.name, taken, joined);
  }
  CHECK_OK(rename_callers(second, by_name, taken, joined));
  for (const Function& each : second.functions()) {
    if (by_name.contains(each.name) && !joined.names.contains(each.name)) continue;
    TRY(made, renamed_function(each, joined.names));
    joined.added.push_back(std::move(made));
  }
  add_gradients(joined, first.gradients(), second.gradients(), joined.gradients);
  add_gradients(joined, first.registered_gradients(), second.registered_gradients(),
                joined.registered);
  return joined;
}

}  // namespace cryo
