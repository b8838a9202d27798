#include "passes/weights/weight_pairing.h"

#include <map>
#include <tuple>
#include <unordered_map>

#include "base/reference.h"
#include "base/text.h"
#include "bytes/crc32c.h"
#include "bytes/splice_reader.h"
#include "checkpoint/content_checksum.h"
#include "passes/weights/scope_pairing.h"
#include "passes/weights/weight_places.h"

namespace cryo {
namespace {

// Finds weights by name; what several go by finds none.
class NameIndex {
 public:
  void add(std::string_view name, uint32_t weight) {
    const auto place = places_.emplace(name, weight);
    const bool other = !place.second && place.first->second != weight;
    if (other) place.first->second = WeightPairing::kNone;
  }
  uint32_t find(std::string_view name) const {
    const auto place = places_.find(name);
    return place == places_.end() ? WeightPairing::kNone : place->second;
  }

 private:
  std::unordered_map<std::string_view, uint32_t> places_;
};

// Weights of one type and shape, and of a further criterion.
using Group = std::tuple<DType, std::vector<int64_t>, std::string>;
Group group_of(const NamedWeight& weight, std::string more = "") {
  return {weight.entry.dtype, weight.entry.shape.dims, std::move(more)};
}

struct Members {
  std::vector<uint32_t> from = {};
  std::vector<uint32_t> into = {};
};
using Groups = std::map<Group, Members>;

// "float32 [3,3]"
std::string described(const NamedWeight& weight) {
  return cat(dtype_name(weight.entry.dtype), " ", to_text(weight.entry.shape));
}

// Returns the checksum of the content: the stored one if it is known, else by reading.
Result<uint32_t> checksum_of(const CheckpointEntry& entry) {
  if (const auto known = known_checksum(entry)) return unmask_crc(*known);
  TRY(elements, element_count(entry.shape));
  ContentChecksum checksum(entry.dtype, elements);
  CHECK_OK(
      entry.content.for_each_chunk([&](std::string_view chunk) { return checksum.update(chunk); }));
  return checksum.finish();
}

bool has_value(const CheckpointEntry& entry) {
  return entry.fault == nullptr && entry.content.size() == entry.bytes && entry.bytes > 0;
}

bool has_shape(const NamedWeight& weight) { return is_fully_defined(weight.entry.shape); }

// Sorts by the order of their graph.
void sort_by_node(std::vector<uint32_t>& members, const std::vector<NamedWeight>& weights) {
  std::multimap<uint32_t, uint32_t> by_node;
  for (const uint32_t member : members) by_node.emplace(weights[member].node, member);
  members.clear();
  for (const auto& each : by_node) members.push_back(each.second);
}

}  // namespace

WeightPairing::WeightPairing(const std::vector<NamedWeight>& from,
                             const std::vector<NamedWeight>& into)
    : from_(from),
      into_(into),
      from_of_(into.size(), kNone),
      why_(into.size()),
      used_(from.size(), 0),
      closed_(into.size(), 0) {}

bool WeightPairing::fits(const NamedWeight& from, const NamedWeight& into) {
  return from.entry.dtype == into.entry.dtype && is_compatible(into.entry.shape, from.entry.shape);
}

void WeightPairing::pair(uint32_t from, uint32_t into, std::string why) {
  from_of_[into] = from;
  why_[into] = std::move(why);
  used_[from] = 1;
}

std::vector<uint32_t> WeightPairing::open_from() const {
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < from_.size(); ++i) {
    if (used_[i] == 0 && from_[i].sure) open.push_back(i);
  }
  return open;
}

std::vector<uint32_t> WeightPairing::open_into() const {
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < into_.size(); ++i) {
    if (is_open(i) && into_[i].sure) open.push_back(i);
  }
  return open;
}

// Pairs by keys: the key in a checkpoint without a graph is the key in a graph's saver, whatever
// the variable's own name is.
void WeightPairing::by_keys() {
  NameIndex keys;
  for (uint32_t i = 0; i < from_.size(); ++i) {
    if (!from_[i].key.empty()) keys.add(from_[i].key, i);
  }
  for (uint32_t i = 0; i < into_.size(); ++i) {
    const uint32_t found = into_[i].key.empty() ? kNone : keys.find(into_[i].key);
    if (found == kNone || used_[found] != 0) continue;
    if (from_[found].node != kNoNode && into_[i].node != kNoNode) continue;
    pair(found, i, from_[found].name == into_[i].name ? "same name" : "the name of its key");
  }
}

// The names themselves before other names.
void WeightPairing::by_whole_names() {
  NameIndex names;
  NameIndex others;
  for (uint32_t i = 0; i < from_.size(); ++i) {
    names.add(from_[i].name, i);
    for (const std::string& other : from_[i].others) others.add(other, i);
  }
  const auto take = [&](const NameIndex& index, uint32_t into, std::string_view name,
                        std::string_view why) {
    const uint32_t found = index.find(name);
    if (is_open(into) && found != kNone && used_[found] == 0) pair(found, into, std::string(why));
  };
  const auto renamed = [&](uint32_t into) {
    const uint32_t found = names.find(into_[into].name);
    return found == kNone || from_[found].given.empty() ? "same name" : "renamed";
  };
  for (uint32_t i = 0; i < into_.size(); ++i) take(names, i, into_[i].name, renamed(i));
  for (uint32_t i = 0; i < into_.size(); ++i) {
    take(others, i, into_[i].name, "the name it was saved by");
    for (const std::string& other : into_[i].others) {
      const bool node = !into_[i].key.empty() && other != into_[i].key;
      const std::string_view why = node ? "the name of its node" : "the name of its key";
      take(names, i, other, why);
      take(others, i, other, why);
    }
  }
}

void WeightPairing::by_plain_names() {
  NameIndex names;
  for (const uint32_t i : open_from()) {
    names.add(plain_weight_name(from_[i].name), i);
    for (const std::string& other : from_[i].others) names.add(plain_weight_name(other), i);
  }
  for (const uint32_t i : open_into()) {
    const uint32_t found = names.find(plain_weight_name(into_[i].name));
    if (found == kNone || used_[found] != 0) continue;
    pair(found, i, "same name, but for its ending");
  }
}

void WeightPairing::by_name(Diagnostics& diagnostics) {
  by_keys();
  by_whole_names();
  by_plain_names();
  pair_below_scopes(*this, from_, into_, diagnostics);
}

Status WeightPairing::by_value() {
  std::set<Group> wanted;
  for (const uint32_t i : open_into()) {
    if (has_value(into_[i].entry)) wanted.insert(group_of(into_[i]));
  }
  std::set<Group> there;
  std::map<Group, std::vector<uint32_t>> by_checksum;
  for (const uint32_t i : open_from()) {
    if (!has_value(from_[i].entry) || !wanted.contains(group_of(from_[i]))) continue;
    there.insert(group_of(from_[i]));
    TRY(checksum, checksum_of(from_[i].entry));
    by_checksum[group_of(from_[i], std::to_string(checksum))].push_back(i);
  }
  for (const uint32_t i : open_into()) {
    if (!has_value(into_[i].entry) || !there.contains(group_of(into_[i]))) continue;
    TRY(checksum, checksum_of(into_[i].entry));
    for (const uint32_t from : by_checksum[group_of(into_[i], std::to_string(checksum))]) {
      if (used_[from] != 0) continue;
      TRY(same, same_bytes(from_[from].entry.content, into_[i].entry.content));
      if (!same) continue;
      pair(from, i, "same bytes");
      break;
    }
  }
  return Unit{};
}

void WeightPairing::by_shape(const Graph& from_graph, const Graph& into_graph) {
  by_unique_shape();
  const std::vector<std::string> from_places = weight_places(from_graph, from_);
  const std::vector<std::string> into_places = weight_places(into_graph, into_);
  Groups places;
  for (const uint32_t i : open_from()) {
    if (!from_places[i].empty()) places[group_of(from_[i], from_places[i])].from.push_back(i);
  }
  for (const uint32_t i : open_into()) {
    const bool placed = has_shape(into_[i]) && !into_places[i].empty();
    if (placed) places[group_of(into_[i], into_places[i])].into.push_back(i);
  }
  for (auto& place : places) {
    Members& members = place.second;
    const size_t count = members.from.size();
    if (count != members.into.size()) continue;
    sort_by_node(members.from, from_);
    sort_by_node(members.into, into_);
    for (size_t i = 0; i < count; ++i) {
      pair(members.from[i], members.into[i],
           cat("same place in the graph: ", std::get<2>(place.first), ", number ", i + 1, " of ",
               count, " of ", described(from_[members.from[i]])));
    }
  }
}

Status WeightPairing::match(const std::vector<std::string>& how, const Graph& from_graph,
                            const Graph& into_graph) {
  bool value = false;
  bool shape = false;
  for (const std::string& each : how) {
    value = value || each == "value";
    shape = shape || each == "shape";
    if (each == "value" || each == "shape") continue;
    return failure("bad-option",
                   cat(OPTION("--match", "") " is 'value' or 'shape', not '", each, "'"));
  }
  if (value) CHECK_OK(by_value());
  if (shape) by_shape(from_graph, into_graph);
  return Unit{};
}

void WeightPairing::by_unique_shape() {
  Groups shapes;
  for (const uint32_t i : open_from()) shapes[group_of(from_[i])].from.push_back(i);
  for (const uint32_t i : open_into()) {
    if (has_shape(into_[i])) shapes[group_of(into_[i])].into.push_back(i);
  }
  for (const auto& shape : shapes) {
    const Members& members = shape.second;
    if (members.from.size() != 1 || members.into.size() != 1) continue;
    pair(members.from[0], members.into[0],
         cat("unique shape: the only ", described(from_[members.from[0]])));
  }
}

}  // namespace cryo
