#include "passes/common/freeze_record.h"

#include <algorithm>
#include <unordered_map>

#include "base/sort.h"
#include "base/text.h"
#include "checkpoint/object_graph.h"
#include "graph/attr_value.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "model/meta.h"
#include "model/variables.h"

namespace cryo {
namespace {

constexpr std::string_view kTrainable = "trainable", kNotTrainable = "not trainable";
constexpr std::string_view kKey = "key=", kSlice = "slice=", kShared = "shared=",
                           kCollection = "collection=";

using Records = std::map<std::string, FreezeRecord>;

// Adds the collections that list a variable; other properties stay unknown.
void add_collections(const tensorflow::MetaGraphDef& meta, Records& records) {
  for (const auto& entry : meta.collection_def()) {
    if (!is_variable_collection(entry.key())) continue;
    for (const std::string_view variable : variables_in(meta, entry.key())) {
      const auto found = records.find(std::string(variable));
      if (found != records.end()) found->second.collections.push_back(entry.key());
    }
  }
}

void read_word(std::string_view word, FreezeRecord& record) {
  const auto after = [&](std::string_view start) { return std::string(word.substr(start.size())); };
  if (word == kTrainable || word == kNotTrainable) record.trainable = word == kTrainable;
  if (word.starts_with(kKey)) record.key = after(kKey);
  if (word.starts_with(kSlice)) record.slice = after(kSlice);
  if (word.starts_with(kShared)) record.shared = after(kShared);
  if (word.starts_with(kCollection)) record.collections.push_back(after(kCollection));
}

}  // namespace

std::vector<std::string> usual_collections(bool trainable) {
  if (!trainable) return {"variables"};
  return {"trainable_variables", "variables"};
}

std::string record_value(const FreezeRecord& record) {
  std::vector<std::string> words = {record.op};
  if (record.trainable) words.emplace_back(*record.trainable ? kTrainable : kNotTrainable);
  if (!record.key.empty()) words.push_back(cat(kKey, record.key));
  if (!record.slice.empty()) words.push_back(cat(kSlice, record.slice));
  if (!record.shared.empty()) words.push_back(cat(kShared, record.shared));
  for (const std::string& each : record.collections) words.push_back(cat(kCollection, each));
  return string_list_value(words);
}

std::string empty_record_value() { return string_list_value({}); }

std::optional<FreezeRecord> read_record(std::string_view attr_value) {
  FreezeRecord record;
  AttrValue(attr_value).each_bytes(AttrKind::kString, [&](std::string_view word) {
    if (record.op.empty()) {
      record.op = word;
    } else {
      read_word(word, record);
    }
  });
  if (!is_variable(record.op)) return std::nullopt;
  return record;
}

std::optional<FreezeRecord> record_of(const Node& constant) {
  const auto attr = find_attr(constant, kRecordAttr);
  return attr ? read_record(*attr) : std::nullopt;
}

FreezeRecords records_of(const Model& model, const std::unordered_set<std::string>& names) {
  Records records;
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  std::map<std::string, bool> trainable;
  const std::vector<Variable> variables = variables_of(model);
  std::unordered_map<std::string, int> sharing;  // variables by their shared name
  for (const Variable& variable : variables) {
    ++sharing[shared_name_of(model.graph.nodes()[variable.node])];
  }
  for (const Variable& variable : variables) {
    if (!names.contains(variable.name)) continue;
    FreezeRecord record{std::string(model.graph.nodes()[variable.node].op)};
    // Keys of objects mean nothing without the objects, which a frozen graph has not.
    const bool plain = plain_key(variable.key) == variable.key;
    if (plain && variable.key != variable.name) record.key = variable.key;
    if (plain) record.slice = variable.slice;
    record.shared = shared_name_of(model.graph.nodes()[variable.node]);
    if (sharing.at(record.shared) < 2) record.shared.clear();
    trainable.emplace(variable.name, variable.trainable);
    records.emplace(variable.name, std::move(record));
  }
  add_collections(meta, records);
  const bool has_objects = !object_graph_of(model).empty();
  for (auto& [name, record] : records) {
    std::vector<std::string>& collections = record.collections;
    const bool is_trainable = trainable.at(name);
    if (!collections.empty() || has_objects) record.trainable = is_trainable;
    sort(collections);
    collections.erase(std::unique(collections.begin(), collections.end()), collections.end());
    if (collections == usual_collections(is_trainable)) collections.clear();
  }
  return records;
}

}  // namespace cryo
