#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "model/model.h"

namespace cryo {

// The record that freezing leaves on a constant of the variable that it was: words in an attribute
// that TensorFlow ignores, as it does all whose names begin with an underscore. Un-freezing
// restores that variable.
//
//     w: Const          _cryograph_variable: ["VariableV2", "trainable"]
//     w/part_1: Const   _cryograph_variable: ["VarHandleOp", "key=w", "slice=10 20 5,5:0,20"]
//     h2: Const         _cryograph_variable: ["VarHandleOp", "key=w", "shared=w"]
//     c: Const          _cryograph_variable: ["Variable", "not trainable",
//                                             "collection=local_variables"]
//
// The variable keeps the attribute, so that freezing can write the same record again. A variable
// made of a constant without a record has an empty one, and freezing writes none. So
// freeze(unfreeze(g)) is g with records and without.
struct FreezeRecord {
  std::string op = {};                        // Variable, VariableV2, VarHandleOp
  std::optional<bool> trainable = {};         // nullopt if the model does not record it
  std::string key = {};                       // a checkpoint's name for its value; empty: its own
  std::string slice = {};                     // of a partitioned variable: its part of the key
  std::string shared = {};                    // shared_name, where several have the same
  std::vector<std::string> collections = {};  // sorted; none: usual_collections()
};

constexpr std::string_view kRecordAttr = "_cryograph_variable";

// Returns the collections that are not recorded: `variables`, and `trainable_variables` for a
// trainable variable.
std::vector<std::string> usual_collections(bool trainable);

// Encode a record as the attribute's AttrValue, and decode it. nullopt if the record is absent,
// empty, or names no kind of variable.
std::string record_value(const FreezeRecord& record);
std::string empty_record_value();
std::optional<FreezeRecord> read_record(std::string_view attr_value);
std::optional<FreezeRecord> record_of(const Node& constant);

using FreezeRecords = std::map<std::string, FreezeRecord>;

// Returns the records of the main graph's variables of these names: from their nodes, the saver,
// the collections and a SavedModel's objects.
FreezeRecords records_of(const Model& model, const std::unordered_set<std::string>& names);

}  // namespace cryo
