#include "passes/weights/joined_parts.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/text.h"
#include "bytes/joined_source.h"
#include "checkpoint/join_slices.h"

namespace cryo {
namespace {

using Parts = std::vector<const NamedWeight*>;

bool is_part_of(const CheckpointEntry& part, const CheckpointEntry& whole) {
  return part.dtype == whole.dtype && part.fault == nullptr &&
         part.shape.dims.size() == whole.shape.dims.size();
}

// The axis along which the parts make up the whole; nothing where none does.
std::optional<size_t> axis_of(const Parts& parts, const CheckpointEntry& whole) {
  const std::vector<int64_t>& dims = whole.shape.dims;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    int64_t left = dims[axis];
    bool fits = true;
    for (const NamedWeight* part : parts) {
      std::vector<int64_t> other = part->entry.shape.dims;
      fits = fits && other[axis] >= 0 && other[axis] <= left;
      left -= other[axis];
      other[axis] = dims[axis];
      fits = fits && other == dims;
    }
    if (fits && left == 0) return axis;
  }
  return std::nullopt;
}

CheckpointEntry joined(const Parts& parts, const CheckpointEntry& whole, size_t axis) {
  CheckpointEntry entry{whole.key, whole.dtype, whole.shape};
  const std::vector<uint64_t> dims(whole.shape.dims.begin(), whole.shape.dims.end());
  std::vector<StoredSlice> slices;
  uint64_t start = 0;
  for (const NamedWeight* part : parts) {
    Box box;
    for (const uint64_t dim : dims) box.push_back({0, dim});
    box[axis] = {start, static_cast<uint64_t>(part->entry.shape.dims[axis])};
    start += box[axis].size;
    const CheckpointEntry& one = part->entry;
    entry.bytes += one.content.size();
    entry.parts.insert(entry.parts.end(), one.parts.begin(), one.parts.end());
    entry.checks.insert(entry.checks.end(), one.checks.begin(), one.checks.end());
    if (one.content.size() > 0) slices.push_back({std::move(box), as_slice(one.content)});
  }
  entry.content = join_slices(dims, find_dtype(whole.dtype)->size, slices);
  return entry;
}

}  // namespace

void join_parts(std::vector<NamedWeight>& weights, const std::vector<NamedWeight>& others) {
  std::map<std::string, const NamedWeight*> by_name;
  for (const NamedWeight& weight : weights) by_name.emplace(weight.name, &weight);
  std::vector<NamedWeight> wholes;
  std::set<std::string> taken;
  for (const NamedWeight& other : others) {
    const DTypeInfo* type = find_dtype(other.entry.dtype);
    const bool plain = type != nullptr && type->size > 0 && is_fully_defined(other.entry.shape);
    if (!plain || by_name.contains(other.name)) continue;
    Parts parts;
    while (true) {
      const auto part = by_name.find(cat(other.name, "/part_", parts.size()));
      if (part == by_name.end() || !is_part_of(part->second->entry, other.entry)) break;
      parts.push_back(part->second);
    }
    const auto axis = parts.empty() ? std::nullopt : axis_of(parts, other.entry);
    if (!axis) continue;
    for (const NamedWeight* part : parts) taken.insert(part->name);
    NamedWeight whole{other.name,         {}, {}, {}, joined(parts, other.entry, *axis),
                      parts.front()->node};
    whole.sure = parts.front()->sure;
    wholes.push_back(std::move(whole));
  }
  const auto is_taken = [&](const NamedWeight& weight) { return taken.contains(weight.name); };
  weights.erase(std::remove_if(weights.begin(), weights.end(), is_taken), weights.end());
  for (NamedWeight& whole : wholes) weights.push_back(std::move(whole));
}

}  // namespace cryo
