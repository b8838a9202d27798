#include "validate/repair_node.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/codes/codes.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/utf8.h"
#include "graph/node_editor.h"

namespace cryo {
namespace {

bool is_control(std::string_view input) { return input.starts_with('^'); }

// Marks a removed input: the others keep their positions until the end.
constexpr std::string_view kGone = "^";

class NodeRepairer {
 public:
  NodeRepairer(const Node& node, const NodeNames& names, const OpDef* op)
      : node_(node), names_(names), op_(op), editor_(node) {}

  // Makes a repair. Returns what it changed; nullopt if an earlier repair has already made it.
  std::optional<std::string> repair(const Repair& repair) {
    if (repair.code == "unknown-input-node") return drop_input(repair.input);
    if (repair.code == "control-input-order") return sort_inputs();
    if (repair.code == "duplicate-control-input") return drop_duplicates();
    if (repair.code == "unknown-colocation") return drop_colocations();
    if (repair.code == "attr-empty") return fill_in(repair.attr);
    if (repair.code == "attr-default-missing") return fill_in_all();
    return drop_attr(repair.attr);
  }

  std::string finish() {
    auto& inputs = editor_.inputs();
    inputs.erase(std::remove(inputs.begin(), inputs.end(), kGone), inputs.end());
    return editor_.finish();
  }

 private:
  std::string drop_input(int place) {
    std::string& input = editor_.inputs()[static_cast<size_t>(place)];
    std::string what = printable(input, 300);
    input = kGone;
    return what;
  }

  std::string sort_inputs() {
    auto& inputs = editor_.inputs();
    std::vector<std::string> sorted;
    for (const bool control : {false, true}) {
      for (const std::string& input : inputs) {
        if (is_control(input) == control) sorted.push_back(input);
      }
    }
    inputs = std::move(sorted);
    return "";
  }

  std::optional<std::string> drop_duplicates() {
    std::vector<std::string> kept;
    std::vector<std::string_view> seen;
    for (const std::string_view input : node_.inputs()) {
      if (is_control(input)) seen.push_back(input);
    }
    sort(seen);
    std::vector<char> taken(seen.size());
    std::vector<std::string> dropped;
    for (std::string& input : editor_.inputs()) {
      if (is_control(input) && input != kGone) {
        const auto first = std::lower_bound(seen.begin(), seen.end(), std::string_view(input));
        char& mark = taken[static_cast<size_t>(first - seen.begin())];
        if (std::exchange(mark, 1) != 0) {
          dropped.push_back(printable(input, 100));
          continue;
        }
      }
      kept.push_back(std::move(input));
    }
    editor_.set_inputs(std::move(kept));
    return listed(dropped);
  }

  std::optional<std::string> drop_colocations() {
    const std::string* attr = editor_.attr("_class");
    if (attr == nullptr) return std::nullopt;
    std::vector<std::string> kept;
    std::vector<std::string> gone;
    AttrValue(*attr).each_bytes(AttrKind::kString, [&](std::string_view entry) {
      const bool colocation = entry.starts_with(kColocation);
      const bool known = !colocation || names_.find(entry.substr(kColocation.size())) != kNoNode;
      if (known) kept.emplace_back(entry);
      if (!known) gone.push_back(printable(entry.substr(kColocation.size()), 100));
    });
    if (gone.empty()) return std::nullopt;
    if (kept.empty()) editor_.erase_attr("_class");
    if (!kept.empty()) editor_.set_attr("_class", string_list_value(kept));
    return listed(gone);
  }

  std::optional<std::string> fill_in(std::string_view attr) {
    const int place = op_ == nullptr ? kNoAttr : op_->attr_index(attr);
    if (place == kNoAttr) return std::nullopt;
    const AttrDef& def = op_->attrs[static_cast<size_t>(place)];
    editor_.set_attr(attr, std::string(def.default_value.value_or("")));
    return std::string(attr);
  }

  std::optional<std::string> fill_in_all() {
    std::vector<std::string> filled;
    for (size_t i = 0; op_ != nullptr && i < op_->attrs.size(); ++i) {
      const AttrDef& def = op_->attrs[i];
      if (!def.default_value || editor_.attr(def.name) != nullptr) continue;
      editor_.set_attr(def.name, std::string(*def.default_value));
      filled.emplace_back(def.name);
    }
    if (filled.empty()) return std::nullopt;
    return join(filled, ", ");
  }

  std::optional<std::string> drop_attr(std::string_view attr) {
    if (editor_.attr(attr) == nullptr) return std::nullopt;
    editor_.erase_attr(attr);
    return printable(attr, 100);
  }

  static std::optional<std::string> listed(const std::vector<std::string>& names) {
    if (names.empty()) return std::nullopt;
    return join(names, ", ", 5);
  }

  static constexpr std::string_view kColocation = "loc:@";

  const Node& node_;
  const NodeNames& names_;
  const OpDef* op_;
  NodeEditor editor_;
};

// Inputs are found by position, so repairs that move them come last.
bool moves_inputs(const Repair& repair) {
  return repair.code == "control-input-order" || repair.code == "duplicate-control-input";
}

// Returns the report of a repair (base/codes): "removed the control input ^gone".
std::string report_of(std::string_view code, std::string_view changed) {
  const std::string_view text = find_code(code)->repaired;
  const size_t at = text.find("{}");
  if (at == std::string_view::npos) return std::string(text);
  return cat(text.substr(0, at), changed, text.substr(at + 2));
}

}  // namespace

Repaired removed_copy(const Repair& repair) {
  return {std::string(repair.code), {.node = std::string(repair.node)}, report_of(repair.code, "")};
}

std::string repaired_node(const Node& node, std::span<const Repair> repairs, const NodeNames& names,
                          const OpRegistry& ops, std::vector<Repaired>& repaired) {
  NodeRepairer repairer(node, names, ops.find(node.op));
  for (const bool moving : {false, true}) {
    for (const Repair& repair : repairs) {
      if (moves_inputs(repair) != moving) continue;
      const std::optional<std::string> changed = repairer.repair(repair);
      if (!changed) continue;
      Location where{.function = std::string(repair.function), .node = std::string(node.name)};
      where.attr = repair.attr;
      repaired.push_back(
          {std::string(repair.code), std::move(where), report_of(repair.code, *changed)});
    }
  }
  return repairer.finish();
}

}  // namespace cryo
