#include "picture/groups/labels.h"

#include <algorithm>
#include <map>

#include "base/text.h"

namespace cryo {
namespace {

bool is_digit(char each) { return each >= '0' && each <= '9'; }
bool is_letter(char each) { return (each | 0x20) >= 'a' && (each | 0x20) <= 'z'; }
bool is_mark(char each) { return each == '_' || each == '-' || each == '.'; }

// The nodes of some units that compute with weights, by op.
std::map<std::string_view, uint32_t> layer_ops(const GroupTree& tree,
                                               const std::vector<uint32_t>& units) {
  std::map<std::string_view, uint32_t> ops;
  std::vector<uint32_t> open = units;
  while (!open.empty()) {
    const uint32_t unit = open.back();
    open.pop_back();
    if (tree.share(unit).layers == 0) continue;
    if (tree.is_node(unit)) {
      ++ops[tree.scene().node(unit).op];
      continue;
    }
    const std::vector<uint32_t>& inner = tree.units(tree.group_of_unit(unit));
    open.insert(open.end(), inner.begin(), inner.end());
  }
  return ops;
}

}  // namespace

std::string stem_of(std::string_view label) {
  std::string stem;
  for (size_t at = 0; at < label.size(); ++at) {
    if (!is_digit(label[at])) {
      stem += label[at];
      continue;
    }
    while (at + 1 < label.size() && is_digit(label[at + 1])) ++at;
    const bool has_letter = at + 1 < label.size() && is_letter(label[at + 1]) &&
                            (at + 2 == label.size() || !is_letter(label[at + 2]));
    if (has_letter) ++at;
  }
  while (!stem.empty() && is_mark(stem.back())) stem.pop_back();
  return stem;
}

std::string range_label(std::string_view first, std::string_view last) {
  size_t same = 0;
  while (same < std::min(first.size(), last.size()) && first[same] == last[same]) ++same;
  const bool within_number =
      same > 0 && same < last.size() && is_digit(first[same - 1]) && is_digit(last[same]);
  if (same == first.size() && !within_number) {  // conv2d, conv2d_7
    const std::string_view rest = last.substr(same);
    const size_t start = rest.find_first_not_of("_-.");
    return start == std::string_view::npos || same == 0 ? ""
                                                        : cat(first, " to ", rest.substr(start));
  }
  // Back to where a number or a part of the name starts.
  while (same > 0 && is_digit(first[same - 1])) --same;
  while (same > 0 && !is_mark(first[same - 1]) && !is_digit(first[same])) --same;
  if (same == 0 || same >= last.size()) return "";
  return cat(first, " to ", last.substr(same));
}

std::string content_label(const GroupTree& tree, const std::vector<uint32_t>& units) {
  const std::map<std::string_view, uint32_t> ops = layer_ops(tree, units);
  const auto most = std::max_element(
      ops.begin(), ops.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == ops.end()) return plural(units.size(), "step");
  return most->second == 1 ? std::string(most->first) : cat(most->second, " × ", most->first);
}

bool is_name_of_op(std::string_view name, std::string_view op) {
  if (name == op) return true;
  name = name.substr(0, name.find_last_not_of("0123456789_") + 1);
  if (name.empty()) return true;
  const size_t version = op.find_last_not_of("0123456789");
  if (version != std::string_view::npos && version + 1 < op.size() && op[version] == 'V')
    op = op.substr(0, version);
  return std::equal(name.begin(), name.end(), op.begin(), op.end(),
                    [](char a, char b) { return (a | 0x20) == (b | 0x20); });
}

std::string run_label(const GroupTree& tree, const std::vector<uint32_t>& units) {
  const uint32_t first = tree.first_named(units.front());
  const uint32_t last = tree.last_named(units.back());
  const auto says_nothing = [&](uint32_t unit) {
    return tree.is_node(unit) && is_name_of_op(tree.unit_label(unit), tree.scene().node(unit).op);
  };
  const std::string from = tree.unit_label(first);
  const std::string to = tree.unit_label(last);
  if (from == to || says_nothing(first) || says_nothing(last)) return "";
  return range_label(from, to);
}

}  // namespace cryo
