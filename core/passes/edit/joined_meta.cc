#include "passes/edit/joined_meta.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/reference.h"
#include "base/text.h"
#include "graph/fresh_names.h"
#include "graph/needs.h"
#include "graph/op_def.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "model/init_op.h"
#include "model/meta.h"
#include "model/variables.h"
#include "wire/cursor.h"
#include "wire/fields.h"

namespace cryo {
namespace {

using Signature = tensorflow::SignatureDef;

bool is_context(std::string_view key) { return key == "while_context" || key == "cond_context"; }

// The ops that a MetaGraphDef lists, an OpList message.
std::string_view op_list_of(std::string_view meta) {
  return last_bytes(last_bytes(meta, fields::MetaGraphDef::kMetaInfoDef),
                    fields::MetaGraphDef::MetaInfoDef::kStrippedOpList);
}

// Returns the ops of both lists, each once.
std::string joined_ops(std::string_view ours, std::string_view theirs) {
  std::string joined(ours);
  std::set<std::string_view> known;
  for (WireCursor op(ours); op.next();) known.insert(read_op_def(op.field().bytes).name);
  for (WireCursor op(theirs); op.next();) {
    if (known.insert(read_op_def(op.field().bytes).name).second) joined += op.field().record;
  }
  return joined;
}

// Adds ops to the list of a MetaGraphDef: custom ops are known by the lists of both. Reads bytes,
// because the package's core does not parse the list.
std::string with_joined_ops(std::string_view meta, std::string_view ops) {
  if (ops.empty()) return std::string(meta);
  const std::string_view info = last_bytes(meta, fields::MetaGraphDef::kMetaInfoDef);
  std::string joined;
  for (WireCursor cursor(info); cursor.next();) {
    const bool list = cursor.field().number == fields::MetaGraphDef::MetaInfoDef::kStrippedOpList;
    if (!list) joined += cursor.field().record;
  }
  put_bytes_field(joined, fields::MetaGraphDef::MetaInfoDef::kStrippedOpList,
                  joined_ops(op_list_of(meta), ops));
  std::string made;
  put_bytes_field(made, fields::MetaGraphDef::kMetaInfoDef, joined);
  for (WireCursor cursor(meta); cursor.next();) {
    if (cursor.field().number != fields::MetaGraphDef::kMetaInfoDef) made += cursor.field().record;
  }
  return made;
}

// A new one is made when the model is written: no saver restores the variables of both.
void forget_saver(tensorflow::MetaGraphDef& meta) {
  meta.clear_saver_def();
  meta.clear_object_graph_def();
}

// Returns the node of the second model that feeds a placeholder of the first; kNoNode if none
// does.
uint32_t source_of(const JoinedPair& models, const std::vector<Connection>& connections,
                   std::string_view placeholder) {
  for (const Connection& each : connections) {
    const auto& nodes = models.first.graph.nodes();
    if (!each.into_first || nodes[each.placeholder].name != placeholder) continue;
    return models.second.graph.index().names().find(parse_tensor_name(each.tensor).node);
  }
  return kNoNode;
}

bool is_connected(const std::vector<Connection>& connections, uint32_t node_of_second) {
  return std::any_of(connections.begin(), connections.end(), [&](const Connection& each) {
    return !each.into_first && each.placeholder == node_of_second;
  });
}

// Returns the inputs of the second model's signatures, by their nodes.
std::map<std::string_view, const Signature::InputsEntry*> inputs_of_second(
    const tensorflow::MetaGraphDef& theirs) {
  std::map<std::string_view, const Signature::InputsEntry*> inputs;
  for (const auto& entry : theirs.signature_def()) {
    for (const auto& input : entry.value().inputs()) {
      inputs.emplace(parse_tensor_name(input.value().name()).node, &input);
    }
  }
  return inputs;
}

void describe(const Node& placeholder, Signature::InputsEntry& input) {
  input.set_key(std::string(base_name(placeholder.name)));
  auto& info = *input.mutable_value();
  info.set_name(cat(placeholder.name, ":0"));
  const int dtype = type_attr(placeholder, "dtype").value_or(0);
  info.set_dtype(static_cast<tensorflow::DataType>(dtype));
  *info.mutable_tensor_shape() = to_proto(output_shape(placeholder, 0));
}

// Replaces the inputs that are connected.
void join_inputs(const JoinedPair& models, const std::vector<Connection>& connections,
                 const tensorflow::MetaGraphDef& theirs, Signature& signature) {
  std::vector<uint32_t> sources;
  Signature kept = signature;
  kept.clear_inputs();
  FreshNames arguments;
  for (const auto& input : signature.inputs()) {
    const uint32_t source =
        source_of(models, connections, parse_tensor_name(input.value().name()).node);
    if (source != kNoNode) sources.push_back(source);
    if (source != kNoNode) continue;
    *kept.add_inputs() = input;
    arguments.set_taken(input.key());
  }
  if (sources.empty()) return;
  const auto names = inputs_of_second(theirs);
  const std::vector<Node>& nodes = models.second.graph.nodes();
  const auto needed = needed_by(models.second.graph.index().edges(), sources);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (needed[i] == kNoNode || !is_placeholder(nodes[i].op) || is_connected(connections, i))
      continue;
    const auto named = names.find(nodes[i].name);
    if (named == names.end() && nodes[i].op == "PlaceholderWithDefault") continue;
    auto& input = *kept.add_inputs();
    if (named != names.end()) input = *named->second;
    if (named == names.end()) describe(nodes[i], input);
    input.set_key(arguments.take(input.key()));
  }
  signature = std::move(kept);
}

void join_signatures(const JoinedPair& models, const std::vector<Connection>& connections,
                     const tensorflow::MetaGraphDef& theirs, tensorflow::MetaGraphDef& meta) {
  for (auto& entry : *meta.mutable_signature_def()) {
    if (!is_reserved_signature(entry.key()))
      join_inputs(models, connections, theirs, *entry.mutable_value());
  }
}

void join_collections(const tensorflow::MetaGraphDef& theirs, tensorflow::MetaGraphDef& meta) {
  std::map<std::string, tensorflow::CollectionDef*> ours;
  for (auto& entry : *meta.mutable_collection_def()) {
    ours.emplace(entry.key(), entry.mutable_value());
  }
  std::vector<const tensorflow::MetaGraphDef::CollectionDefEntry*> added;
  for (const auto& entry : theirs.collection_def()) {
    const std::string& key = entry.key();
    // The saver of the second is not kept.
    if (is_init_collection(key) || is_context(key) || key == "savers") continue;
    const auto found = ours.find(key);
    if (found == ours.end()) added.push_back(&entry);
    if (found == ours.end() || found->second->kind_case() != entry.value().kind_case()) continue;
    found->second->MergeFrom(entry.value());
  }
  for (const auto* entry : added) *meta.add_collection_def() = *entry;
}

void join_init_ops(const std::vector<std::string>& theirs, Model& made,
                   tensorflow::MetaGraphDef& meta) {
  std::vector<std::string> all = init_ops(meta);
  all.insert(all.end(), theirs.begin(), theirs.end());
  std::string init = all.front();
  if (all.size() > 1) {
    init = FreshNames(made.graph.index().names()).take("init_all_tables");
    made.graph = with_group(made.graph, init, all);
  }
  set_init_op(meta, init);
}

void report_signatures(const JoinedPair& models, const tensorflow::MetaGraphDef& theirs,
                       Diagnostics& diagnostics) {
  std::vector<std::string> keys;
  for (const auto& entry : theirs.signature_def()) {
    if (!is_reserved_signature(entry.key())) keys.push_back(entry.key());
  }
  if (keys.empty()) return;
  diagnostics.note(
      "signatures-not-joined",
      cat("the signatures of '", models.second.name,
          "' are not kept: ", join(keys, ", ", kMaxListed)),
      {}, "add one of the joined graph: " OPTION("--add-signature", "KEY=INPUTS->OUTPUTS"));
}

}  // namespace

void join_meta(const JoinedPair& models, const std::vector<Connection>& connections, Model& made,
               Diagnostics& diagnostics) {
  tensorflow::MetaGraphDef meta = parse_meta(made);
  const tensorflow::MetaGraphDef& theirs = parse_meta(models.second);
  const std::vector<std::string> inits = init_ops(theirs);
  const bool variables = !variables_of(models.second).empty();
  if (!made.meta.empty() || variables || !inits.empty()) {
    join_signatures(models, connections, theirs, meta);
    join_collections(theirs, meta);
    if (!inits.empty()) join_init_ops(inits, made, meta);
    if (variables) forget_saver(meta);
    if (made.kind == Kind::kGraphDef) made.kind = Kind::kMetaGraph;
    set_meta(made, std::move(meta));
    made.meta = with_joined_ops(made.meta, op_list_of(models.second.meta));
  }
  report_signatures(models, theirs, diagnostics);
}

}  // namespace cryo
