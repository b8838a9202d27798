#include "passes/unfreeze/unfreeze_entries.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "bytes/joined_source.h"
#include "bytes/splice_reader.h"
#include "checkpoint/join_slices.h"
#include "checkpoint/tensor_slice.h"
#include "graph/fresh_names.h"
#include "passes/common/freeze_record.h"

namespace cryo {
namespace {

template <typename Each>
using ByKey = std::map<std::string, std::vector<Each*>>;

bool has_size(const Box& box, const Shape& shape) {
  bool same = box.size() == shape.dims.size();
  for (size_t i = 0; same && i < box.size(); ++i) {
    same = static_cast<int64_t>(box[i].size) == shape.dims[i];
  }
  return same;
}

// Returns true if the slices, each as large as its tensor, are all of one tensor.
bool make_whole(const std::vector<PlannedVariable*>& parts) {
  const DTypeInfo* type = find_dtype(parts.front()->tensor.dtype);
  if (type == nullptr || type->size == 0 || parts.size() > kMaxSlices) return false;
  std::vector<Box> boxes;
  std::vector<uint64_t> dims;
  uint64_t elements = 0;
  Shape whole;
  for (const PlannedVariable* part : parts) {
    std::optional<SliceSpec> spec = parse_slice_spec(part->variable.slice);
    if (!spec || spec->dims.empty() || !has_size(spec->box, part->tensor.shape)) return false;
    if (part->tensor.dtype != type->dtype || (!boxes.empty() && spec->dims != dims)) return false;
    dims = std::move(spec->dims);
    boxes.push_back(std::move(spec->box));
    elements += part->tensor.count;
  }
  whole.dims.assign(dims.begin(), dims.end());
  const Result<uint64_t> count = element_count(whole);
  return count && *count == elements && tile(std::move(boxes), dims);
}

// Returns true if all are one variable, of which each has the whole value.
bool is_shared(const std::vector<PlannedVariable*>& group) {
  return std::all_of(group.begin(), group.end(), [&](const PlannedVariable* each) {
    return !each->variable.shared.empty() && each->variable.slice.empty() &&
           each->variable.shared == group.front()->variable.shared;
  });
}

bool fits(const std::vector<PlannedVariable*>& group) {
  const bool alone = group.size() == 1 && group.front()->variable.slice.empty();
  return alone || is_shared(group) || make_whole(group);
}

// Reads both, a window at a time.
bool same_value(const PlannedVariable& a, const PlannedVariable& b) {
  const Tensor& x = a.tensor;
  const Tensor& y = b.tensor;
  if (a.variable.resource() != b.variable.resource() || x.dtype != y.dtype ||
      !(x.shape == y.shape) || x.content.size() != y.content.size()) {
    return false;
  }
  const Result<bool> same = same_bytes(x.content, y.content);
  return same && *same;
}

void settle_shared(std::vector<PlannedVariable>& planned) {
  ByKey<PlannedVariable> groups;
  for (PlannedVariable& each : planned) {
    const NewVariable& variable = each.variable;
    groups[variable.shared.empty() ? variable.name : variable.shared].push_back(&each);
  }
  for (const auto& group : groups) {
    const PlannedVariable& first = *group.second.front();
    // A variable is not compared with itself: its weight is read when it is written.
    const bool one =
        group.second.size() > 1 &&
        std::all_of(group.second.begin(), group.second.end(), [&](const PlannedVariable* each) {
          return read_record(each->variable.record) && (each == &first || same_value(first, *each));
        });
    for (PlannedVariable* each : group.second) each->variable.shared = one ? group.first : "";
  }
}

// Returns false if the variable already has its own name as key.
bool forget_key(NewVariable& variable) {
  if (variable.key == variable.name && variable.slice.empty()) return false;
  variable.key = variable.name;
  variable.slice.clear();
  return true;
}

CheckpointEntry joined(const std::string& key, const std::vector<const PlannedVariable*>& parts) {
  CheckpointEntry entry{key, parts.front()->tensor.dtype};
  std::vector<uint64_t> dims;
  std::vector<StoredSlice> slices;
  for (const PlannedVariable* part : parts) {
    std::optional<SliceSpec> spec = parse_slice_spec(part->variable.slice);
    dims = std::move(spec->dims);
    entry.bytes += part->tensor.content.size();
    if (part->tensor.content.size() == 0) continue;
    slices.push_back({std::move(spec->box), as_slice(part->tensor.content)});
  }
  entry.shape.dims.assign(dims.begin(), dims.end());
  entry.content = join_slices(dims, find_dtype(entry.dtype)->size, slices);
  return entry;
}

CheckpointEntry entry_of(const std::string& key, const Tensor& tensor) {
  CheckpointEntry entry{key, tensor.dtype, tensor.shape};
  entry.bytes = tensor.content.size();
  entry.content = tensor.content;
  return entry;
}

}  // namespace

// A name to fall back to may be the key of another, which then falls back too.
void settle_keys(std::vector<PlannedVariable>& planned, const std::set<std::string>& taken) {
  settle_shared(planned);
  for (bool changed = true; changed;) {
    changed = false;
    ByKey<PlannedVariable> groups;
    for (PlannedVariable& each : planned) groups[each.variable.key].push_back(&each);
    for (const auto& group : groups) {
      if (!taken.contains(group.first) && fits(group.second)) continue;
      for (PlannedVariable* each : group.second) changed = forget_key(each->variable) || changed;
    }
  }
  FreshNames keys;
  for (const std::string& key : taken) keys.set_taken(key);
  for (const PlannedVariable& each : planned) keys.set_taken(each.variable.key);
  for (PlannedVariable& each : planned) {
    if (taken.contains(each.variable.key)) each.variable.key = keys.take(each.variable.key);
  }
}

std::vector<CheckpointEntry> entries_of(const std::vector<PlannedVariable>& planned) {
  ByKey<const PlannedVariable> groups;
  for (const PlannedVariable& each : planned) groups[each.variable.key].push_back(&each);
  std::vector<CheckpointEntry> entries;
  for (const auto& group : groups) {
    const PlannedVariable& first = *group.second.front();
    const bool sliced = !first.variable.slice.empty();
    entries.push_back(sliced ? joined(group.first, group.second)
                             : entry_of(group.first, first.tensor));
  }
  return entries;
}

}  // namespace cryo
