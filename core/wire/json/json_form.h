#pragma once

#include <set>
#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "base/result.h"
#include "wire/json/json_tree.h"
#include "wire/schema.h"

namespace cryo {

// protobuf's JSON form of a message (https://protobuf.dev/programming-guides/json), by the schema
// table:
//
//     12 05 "Const" .. 2A { 0A 05 "dtype" 12 { 30 03 } }
//     {"op":"Const", .. "attr":{"dtype":{"type":"DT_INT32"}}}
//
// Names are lowerCamelCase, enums names, 64-bit integers strings, bytes base64, maps objects.
// Non-finite floats are "NaN", "Infinity", "-Infinity". Defaults are omitted, except members of a
// oneof and messages. No message has special rules: an Any is its two fields.

// The message that the JSON stands for. Names as in the .proto, enums as numbers, 64-bit integers
// as numbers and bytes as lists of numbers are taken as well: old TensorFlow.js files have them.
// `unknown`: members that the message does not have, "NodeDef.foo"; at most kMaxUnknown of them.
//
// "bad-json" for a value of another kind than the field's, and for nesting over kMaxDepth.
Result<std::string> wire_of_json(const JsonValue& json, const MessageSchema& schema,
                                 std::set<std::string>& unknown);
constexpr size_t kMaxUnknown = 10;

// Writes the JSON of a whole message (no handles of bulk in it). JSON cannot represent fields that
// the message does not have: `unknown` has their numbers, "NodeDef.77".
//
// Fails with "malformed-message" if protobuf could not read the message, also for text that is not
// UTF-8.
Status write_json_form(JsonWriter& json, std::string_view message, const MessageSchema& schema,
                       std::set<std::string>& unknown);

}  // namespace cryo
