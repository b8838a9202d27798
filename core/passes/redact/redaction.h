#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "passes/redact/field_rules.h"
#include "passes/redact/graph_scope.h"
#include "passes/redact/op_words.h"
#include "passes/redact/redacted_tensor.h"

namespace cryo {

class OpRegistry;

// Rewrites a model's messages without names and values, field by field, by the table of
// field_rules.cc. Unknown fields are removed. Nodes, edges, functions, ops, types, shapes and the
// order of all fields stay.
class Redaction {
 public:
  // `ops`: those of the release and of the model. `payloads` has the bulk of the messages and
  // receives new bulk. REQUIRES: all outlive it.
  Redaction(const OpRegistry& ops, const OpRegistry& release, NeutralNames& names,
            Payloads& payloads);

  // Returns an elided message, rewritten. `schema`: "tensorflow.GraphDef", say.
  std::string message(std::string_view bytes, std::string_view schema);

  TensorRedaction& tensors() { return tensors_; }

 private:
  // The attribute that a text belongs to.
  struct AttrPlace {
    const OpDef* op = nullptr;
    std::string_view key = {};
    TensorRole role = TensorRole::kValue;
  };

  FieldRule rule_of(const MessageSchema& schema, const FieldSchema& field);
  std::string message(std::string_view bytes, const MessageSchema& schema);
  std::string nested(std::string_view bytes, const MessageSchema& schema);
  std::string field(const WireField& field, const MessageSchema& schema, const FieldSchema& known);
  std::string handle(const WireField& field, const MessageSchema& schema);
  std::string text(std::string_view text, FieldRule rule);

  std::string graph(std::string_view bytes);
  std::string function(std::string_view bytes);
  std::string node(std::string_view bytes);
  std::string any(std::string_view bytes);
  std::string attr_entry(std::string_view bytes, const MessageSchema& schema, AttrPlace place);
  std::string tensor(std::string_view bytes);

  std::string op_name(std::string_view op);
  std::string function_name(std::string_view name);
  std::string attr_text(std::string_view text);
  std::string input(std::string_view text);
  std::string source(std::string_view text);

  const OpRegistry& ops_;
  OpWords words_;
  NeutralNames& names_;
  Payloads& payloads_;
  TensorRedaction tensors_;

  std::unordered_map<const FieldSchema*, FieldRule> rules_;  // already looked up
  std::unordered_set<std::string_view> functions_;           // of the graph at hand
  GraphScope scope_;
  AttrPlace place_;
  bool in_body_ = false;
  bool in_op_list_ = false;  // definitions of ops, which stay
};

// Returns the names of arguments in a MetaGraphDef or a SavedModel, from its objects.
std::vector<std::string> arguments_in(std::string_view message, std::string_view schema);

}  // namespace cryo
