#include "validate/graph/body_items.h"

#include <algorithm>

namespace cryo {
namespace {

// Parses "0", "17": only as TensorFlow itself would write the number, because it compares texts.
std::optional<uint64_t> index_of(std::string_view digits) {
  constexpr size_t kMaxDigits = 10;
  const bool padded = digits.size() > 1 && digits[0] == '0';
  if (digits.empty() || digits.size() > kMaxDigits || padded) return std::nullopt;
  uint64_t index = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    index = index * 10 + static_cast<uint64_t>(digit - '0');
  }
  return index;
}

std::optional<BodyItem> element(std::optional<BodyItem> item, std::string_view digits) {
  const auto index = index_of(digits);
  if (!item || !index) return std::nullopt;
  const auto type = type_at(item->list, *index);
  if (!type) return std::nullopt;
  item->one = TypeRun{*type, 1};
  item->port += static_cast<uint32_t>(*index);
  return item;
}

}  // namespace

BodyItems::Item BodyItems::make_item(std::string_view name, bool is_ref,
                                     const std::vector<TypeRun>& types, uint32_t port) {
  const size_t begin = runs_.size();
  runs_.insert(runs_.end(), types.begin(), types.end());
  return {name, is_ref, begin, runs_.size(), port};
}

bool BodyItems::add_arg(std::string_view name, bool is_ref, const std::vector<TypeRun>& types) {
  const bool added = arg_names_.emplace(name, static_cast<uint32_t>(args_.size())).second;
  args_.push_back(make_item(name, is_ref, types, 0));
  return added;
}

bool BodyItems::add_node(std::string_view name) {
  const NodeItems items{nodes_++, outputs_.size(), outputs_.size()};
  const auto [place, added] = node_names_.emplace(name, items);
  last_ = added ? &place->second : nullptr;
  return arg_names_.count(name) == 0;
}

void BodyItems::add_output(std::string_view name, bool is_ref, const std::vector<TypeRun>& types) {
  outputs_.push_back(make_item(name, is_ref, types, last_ ? last_->ports : 0));
  if (!last_) return;
  last_->ports += static_cast<uint32_t>(size_of(types));
  last_->end = outputs_.size();
  if (last_->end - last_->begin <= kFew) return;
  further_outputs_.emplace(std::pair(last_->index, name), last_->end - 1);
}

BodyItem BodyItems::view(bool is_arg, uint32_t owner, const Item& item) const {
  return {is_arg, owner, item.port, item.is_ref,
          std::span(runs_).subspan(item.begin, item.end - item.begin)};
}

std::optional<BodyItem> BodyItems::find_output(std::string_view node,
                                               std::string_view output) const {
  const auto found = node_names_.find(node);
  if (found == node_names_.end()) return std::nullopt;
  const NodeItems& items = found->second;
  for (size_t i = items.begin; i < std::min(items.end, items.begin + kFew); ++i) {
    if (outputs_[i].name == output) return view(false, items.index, outputs_[i]);
  }
  const auto further = further_outputs_.find({items.index, output});
  if (further == further_outputs_.end()) return std::nullopt;
  return view(false, items.index, outputs_[further->second]);
}

std::optional<BodyItem> BodyItems::find(std::string_view text) const {
  const size_t colon = text.find(':');
  const std::string_view head = text.substr(0, colon);
  const auto arg = arg_names_.find(head);
  std::optional<BodyItem> whole_arg;
  if (arg != arg_names_.end()) whole_arg = view(true, arg->second, args_[arg->second]);
  if (colon == std::string_view::npos) {
    if (whole_arg) return whole_arg;
    const auto node = node_names_.find(head);
    const bool silent =
        node != node_names_.end() && node->second.begin == node->second.end && !node->second.opaque;
    if (!silent) return std::nullopt;
    return BodyItem{false, node->second.index};
  }
  const std::string_view rest = text.substr(colon + 1);
  const size_t second = rest.find(':');
  if (second != std::string_view::npos) {
    return element(find_output(head, rest.substr(0, second)), rest.substr(second + 1));
  }
  if (auto one = element(whole_arg, rest)) return one;
  return find_output(head, rest);
}

bool BodyItems::is_opaque(std::string_view text) const {
  const auto node = node_names_.find(text.substr(0, text.find(':')));
  return node != node_names_.end() && node->second.opaque;
}

std::optional<BodyItem> BodyItems::find_control(std::string_view text) const {
  const auto node = node_names_.find(text);
  if (node != node_names_.end()) return BodyItem{false, node->second.index};
  return find(text);
}

}  // namespace cryo
