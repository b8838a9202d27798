#include "checkpoint/object_graph.h"

#include <algorithm>
#include <map>

#include "bytes/coding.h"
#include "wire/cursor.h"
#include "wire/fields.h"

namespace cryo {
namespace {

constexpr std::string_view kValueAttribute = "VARIABLE_VALUE";
constexpr std::string_view kValueSuffix = "/.ATTRIBUTES/VARIABLE_VALUE";

// A thousand times the size in a large model.
constexpr uint64_t kMaxObjectGraph = uint64_t{256} << 20;
constexpr size_t kChecksumSize = 4;  // between a string tensor's length and its bytes

// An id in a damaged file may have any value. An entry whose id is out of range is dropped.
constexpr uint32_t kNoObject = 0xFFFFFFFF;
uint32_t to_id(uint64_t value) {
  return value < kNoObject ? static_cast<uint32_t>(value) : kNoObject;
}

TrackedObject::Child read_child(std::string_view message) {
  TrackedObject::Child child;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::TrackableObjectGraph::TrackableObject::ObjectReference::kNodeId)
      child.object = to_id(field.value);
    if (field.number == fields::TrackableObjectGraph::TrackableObject::ObjectReference::kLocalName)
      child.name = field.bytes;
  }
  return child;
}

TrackedObject::Slot read_slot(std::string_view message) {
  TrackedObject::Slot slot;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::TrackableObjectGraph::TrackableObject::SlotVariableReference::
                            kOriginalVariableNodeId)
      slot.variable = to_id(field.value);
    if (field.number ==
        fields::TrackableObjectGraph::TrackableObject::SlotVariableReference::kSlotName)
      slot.name = field.bytes;
    if (field.number ==
        fields::TrackableObjectGraph::TrackableObject::SlotVariableReference::kSlotVariableNodeId)
      slot.object = to_id(field.value);
  }
  return slot;
}

void read_attribute(std::string_view message, TrackedObject& object) {
  if (last_bytes(message, fields::TrackableObjectGraph::TrackableObject::SerializedTensor::kName) !=
      kValueAttribute)
    return;
  object.is_variable = true;
  object.name = last_bytes(
      message, fields::TrackableObjectGraph::TrackableObject::SerializedTensor::kFullName);
  object.key = last_bytes(
      message, fields::TrackableObjectGraph::TrackableObject::SerializedTensor::kCheckpointKey);
}

// Reads the fields that both types of object share, and those of the one that `saved` selects.
TrackedObject read_object(std::string_view message, bool saved) {
  TrackedObject object;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == fields::TrackableObjectGraph::TrackableObject::kChildren)
      object.children.push_back(read_child(field.bytes));
    if (field.number == fields::TrackableObjectGraph::TrackableObject::kSlotVariables)
      object.slots.push_back(read_slot(field.bytes));
    if (field.number == fields::TrackableObjectGraph::TrackableObject::kAttributes && !saved)
      read_attribute(field.bytes, object);
    if (field.number == fields::SavedObject::kVariable && saved) {
      object.is_variable = true;
      object.name = last_bytes(field.bytes, fields::SavedVariable::kName);
    }
  }
  return object;
}

// The id of an object's child; kNoObject if it has none of that name.
uint32_t child_named(std::string_view name, std::string_view message) {
  for (WireCursor cursor(message); cursor.next();) {
    if (cursor.field().number != fields::SavedObject::kChildren) continue;
    const TrackedObject::Child child = read_child(cursor.field().bytes);
    if (child.name == name) return child.object;
  }
  return kNoObject;
}

std::string without_children(std::string_view message,
                             FunctionRef<bool(std::string_view)> is_other) {
  std::string kept;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    const bool is_child = field.number == fields::SavedObject::kChildren;
    if (!is_child || !is_other(read_child(field.bytes).name)) kept += field.record;
  }
  return kept;
}

void drop_bad_ids(ObjectGraph& objects) {
  const size_t count = objects.size();
  for (TrackedObject& each : objects) {
    std::erase_if(each.children, [&](const auto& child) { return child.object >= count; });
    std::erase_if(each.slots,
                  [&](const auto& slot) { return slot.variable >= count || slot.object >= count; });
  }
}

ObjectGraph read_objects(std::string_view message, bool saved) {
  ObjectGraph objects;
  for (WireCursor cursor(message); cursor.next();) {
    if (cursor.field().number == fields::TrackableObjectGraph::kNodes) {
      objects.push_back(read_object(cursor.field().bytes, saved));
    }
  }
  drop_bad_ids(objects);
  return objects;
}

// Packed, or one by one.
std::vector<uint32_t> read_captures(std::string_view function) {
  std::vector<uint32_t> ids;
  for (WireCursor cursor(function); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != fields::SavedConcreteFunction::kBoundInputs) continue;
    if (field.type == WireType::kVarint) ids.push_back(to_id(field.value));
    std::string_view packed = field.bytes;
    for (uint64_t id = 0; take_varint(packed, id);) ids.push_back(to_id(id));
  }
  return ids;
}

bool is_trainable(std::string_view variable) {
  bool trainable = false;
  for (WireCursor cursor(variable); cursor.next();) {
    if (cursor.field().number == fields::SavedVariable::kTrainable)
      trainable = cursor.field().value != 0;
  }
  return trainable;
}

Failure unreadable(std::string_view message) {
  return failure("bad-object-graph", message, {.tensor = kObjectGraphKey},
                 "the checkpoint is damaged: copy or write it again");
}

}  // namespace

Result<std::string> read_object_graph(const CheckpointEntry& entry) {
  if (entry.fault) return *entry.fault;
  if (entry.dtype != DType::kString || !entry.shape.dims.empty() ||
      entry.content.size() > kMaxObjectGraph) {
    return unreadable("expected the object graph as one string of at most 256 MiB");
  }
  TRY(content, entry.content.read_all());
  std::string_view rest = content;
  uint64_t length = 0;
  std::string_view checksum, message;
  if (!take_varint(rest, length) || !take_bytes(rest, kChecksumSize, checksum) ||
      !take_bytes(rest, length, message)) {
    return unreadable("the object graph is cut short");
  }
  return std::string(message);
}

Result<ObjectGraph> read_checkpoint_objects(const Checkpoint& checkpoint) {
  const CheckpointEntry* entry = checkpoint.find(kObjectGraphKey);
  if (entry == nullptr) return ObjectGraph();
  TRY(message, read_object_graph(*entry));
  return read_objects(message, false);
}

SavedObjects read_saved_objects(std::string_view saved_object_graph) {
  SavedObjects saved{read_objects(saved_object_graph, true)};
  for (WireCursor cursor(saved_object_graph); cursor.next();) {
    if (cursor.field().number != fields::SavedObjectGraph::kConcreteFunctions) continue;
    const std::string_view entry = cursor.field().bytes;
    std::vector<uint32_t> ids = read_captures(last_bytes(entry, fields::MapEntry::kValue));
    for (uint32_t& id : ids) {
      // An object that does not exist is replaced by the root, which is not a variable.
      if (id >= saved.objects.size()) id = 0;
    }
    saved.captures[std::string(last_bytes(entry, fields::MapEntry::kKey))] = std::move(ids);
  }
  return saved;
}

std::map<std::string, bool> trainable_objects(std::string_view saved_object_graph) {
  std::map<std::string, bool> all;
  for (WireCursor cursor(saved_object_graph); cursor.next();) {
    if (cursor.field().number != fields::TrackableObjectGraph::kNodes) continue;
    const std::string_view variable =
        last_bytes(cursor.field().bytes, fields::SavedObject::kVariable);
    const std::string_view name = last_bytes(variable, fields::SavedVariable::kName);
    if (name.empty()) continue;
    bool& trainable = all.emplace(name, true).first->second;
    trainable = trainable && is_trainable(variable);
  }
  return all;
}

std::string without_signatures(std::string_view saved_object_graph,
                               FunctionRef<bool(std::string_view)> is_other) {
  std::string kept;
  uint32_t object = 0;
  uint32_t signatures = kNoObject;
  for (WireCursor cursor(saved_object_graph); cursor.next();) {
    const WireField& field = cursor.field();
    const bool is_object = field.number == fields::SavedObjectGraph::kNodes;
    if (is_object && object == 0) signatures = child_named("signatures", field.bytes);
    if (is_object && object++ == signatures) {
      put_bytes_field(kept, field.number, without_children(field.bytes, is_other));
    } else {
      kept += field.record;
    }
  }
  return kept;
}

std::string plain_key(std::string_view key) {
  if (key.ends_with(kValueSuffix)) key.remove_suffix(kValueSuffix.size());
  return std::string(key);
}

}  // namespace cryo
