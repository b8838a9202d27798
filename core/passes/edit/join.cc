#include "passes/edit/join.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/reference.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/utf8.h"
#include "formats/pairing.h"
#include "graph/node_editor.h"
#include "graph/tensor_info.h"
#include "model/meta.h"
#include "model/variables.h"
#include "passes/edit/connections.h"
#include "passes/edit/joined_functions.h"
#include "passes/edit/joined_meta.h"
#include "passes/edit/placeholders.h"
#include "passes/edit/scoped_model.h"
#include "validate/graph/names.h"
#include "wire/fields.h"
#include "wire/moved_handles.h"

namespace cryo {
namespace {

Result<std::string> scope_of(const std::string& given) {
  std::string scope = given;
  while (scope.ends_with('/')) scope.pop_back();
  if (given.empty() || is_node_name(scope, false)) return scope;
  return failure("bad-option",
                 cat(OPTION("--scope", "") " ", given, ": expected a name of a scope"), {},
                 "write letters, digits and . _ - / >: " SETTING("--scope", "pre"));
}

Status check_request(const Model* second, const std::vector<std::string>& connect) {
  if (second != nullptr && !connect.empty()) return Unit{};
  if (second != nullptr) {
    return failure("bad-option", "there is nothing that connects the two models", {},
                   "give " OPTION("--connect", "TENSOR=PLACEHOLDER"));
  }
  return failure("bad-option", "there is no second model to connect", {}, ADVICE("give-joined"));
}

// Fails for what the joined model would read from files or a saver that it does not have.
Status check_joinable(const Model& first, const Model& second) {
  const auto refuse = [](const Model& model, std::string_view what, std::string_view fix) {
    return failure("not-frozen", cat("'", model.name, "' ", what), {}, fix);
  };
  if (!assets_of(parse_meta(second)).empty()) {
    return refuse(second, "reads files of its SavedModel (assets)",
                  "make them part of its graph: " RUN("freeze", "frozen.pb") ", with " OPTION(
                      "--fold-assets", ""));
  }
  const auto saves_tables = [](const Model& model) {
    const std::string& restore = parse_meta(model).saver_def().restore_op_name();
    return !restore.empty() && !find_restored_tables(model.graph, restore, *model.payloads).empty();
  };
  const bool new_saver = !variables_of(second).empty();
  for (const Model* each : {&first, &second}) {
    if (!saves_tables(*each) || (!new_saver && each == &first)) continue;
    return refuse(*each, "has tables in its checkpoint, which a joined one has not",
                  "freeze it first: " RUN("freeze", "frozen.pb"));
  }
  return Unit{};
}

// Returns the second model with handles of `payloads`, which gets its payloads.
Result<Model> with_own_payloads(const Model& second, const std::shared_ptr<Payloads>& payloads) {
  Model made = second;
  const uint32_t by = add_payloads(*second.payloads, *payloads);
  made.payloads = payloads;
  TRY(graph, Graph::parse(with_moved_handles(second.graph.skeleton(),
                                             message_schema("tensorflow.GraphDef"), by)));
  made.graph = std::move(graph);
  made.meta = with_moved_handles(second.meta, message_schema("tensorflow.MetaGraphDef"), by);
  return made;
}

// Fails if both models have a name.
Status check_names(const JoinedPair& models) {
  std::vector<std::string> both;
  const NodeNames& names = models.first.graph.index().names();
  for (const Node& node : models.second.graph.nodes()) {
    if (names.find(node.name) != kNoNode) both.push_back(cat("node ", node.name));
  }
  if (both.empty()) {
    const std::set<std::string> theirs = shared_names(models.second);
    for (const std::string& each : shared_names(models.first)) {
      if (theirs.contains(each)) both.push_back(each);
    }
  }
  if (both.empty()) return Unit{};
  return failure(
      "name-taken",
      cat("'", models.first.name, "' and '", models.second.name, "' both have ",
          plural(both.size(), "name"), ": ", join(both, ", ", kMaxListed)),
      {},
      cat(models.scope.empty() ? "put the second model under a scope: " : "choose another scope: ",
          setting("--scope", models.scope.empty() ? "second" : cat(models.scope, "_2"))));
}

// A placeholder whose tensor is less known than it declared: what was inferred from that changes.
Result<Model> with_known_shapes(const Model& model, bool first,
                                const std::vector<Connection>& connections, const OpRegistry* ops) {
  std::map<uint32_t, Shape> shapes;
  for (const Connection& each : connections) {
    if (each.into_first != first) continue;
    const Node& placeholder = model.graph.nodes()[each.placeholder];
    if (is_compatible(output_shape(placeholder, 0), each.shape)) continue;
    shapes.emplace(each.placeholder, each.shape);
  }
  return with_placeholder_shapes(model, shapes, ops);
}

// Returns the nodes that take a tensor of the other model, by their place.
std::map<uint32_t, std::string> connected(const Model& model, bool first,
                                          const std::vector<Connection>& connections) {
  std::map<uint32_t, std::string> made;
  for (const Connection& each : connections) {
    if (each.into_first != first) continue;
    NodeEditor editor(model.graph.nodes()[each.placeholder]);
    std::vector<std::string> inputs = {each.tensor};
    for (std::string& input : editor.inputs()) {
      if (input.starts_with('^')) inputs.push_back(std::move(input));
    }
    editor.set_op("Identity").set_inputs(std::move(inputs)).rename_attr("dtype", "T");
    editor.erase_attr("shape").erase_attr("_output_shapes");
    editor.set_attr("T", type_value(static_cast<int>(each.dtype)));
    made.emplace(each.placeholder, editor.finish());
  }
  return made;
}

// The older producer, which accepts more, and the consumers that both accept.
std::string joined_versions(const Graph& a, const Graph& b) {
  std::string versions;
  put_varint_field(versions, fields::VersionDef::kProducer,
                   static_cast<uint64_t>(std::min(a.producer(), b.producer())));
  put_varint_field(versions, fields::VersionDef::kMinConsumer,
                   static_cast<uint64_t>(std::max(a.min_consumer(), b.min_consumer())));
  std::set<int> bad;
  for (const Graph* each : {&a, &b}) {
    for (const int consumer : each->bad_consumers()) bad.insert(consumer);
  }
  for (const int consumer : bad) {
    put_varint_field(versions, fields::VersionDef::kBadConsumers, static_cast<uint64_t>(consumer));
  }
  return versions;
}

bool same_versions(const Graph& a, const Graph& b) {
  return a.producer() <= b.producer() && a.min_consumer() >= b.min_consumer() &&
         b.bad_consumers().empty();
}

Result<Graph> joined_graph(const JoinedPair& models, const std::vector<Connection>& connections,
                           GraphChanges& changes) {
  const Graph& ours = models.first.graph;
  const Graph& theirs = models.second.graph;
  TRY(functions, joined_functions(ours, theirs, *models.first.payloads));
  GraphBuilder builder(ours);
  const auto fed = connected(models.first, true, connections);
  for (uint32_t i = 0; i < ours.nodes().size(); ++i) {
    const auto changed = fed.find(i);
    changed == fed.end() ? builder.add(ours.nodes()[i]) : builder.add(changed->second);
  }
  const auto fed_there = connected(models.second, false, connections);
  for (uint32_t i = 0; i < theirs.nodes().size(); ++i) {
    const auto changed = fed_there.find(i);
    builder.add(changed == fed_there.end()
                    ? with_renamed_functions(theirs.nodes()[i], functions.names)
                    : changed->second);
  }
  builder.add_functions_of(ours);
  for (std::string& function : functions.added) builder.add_function(std::move(function));
  builder.add_gradients(functions.gradients, functions.registered);
  if (!same_versions(ours, theirs)) builder.set_versions(joined_versions(ours, theirs));
  for (const auto& [old, now] : functions.names) {
    changes.push_back({old, kRenamed,
                       cat("is ", now, " now, of '", models.second.name,
                           "': both models have a function of this name"),
                       false});
  }
  return builder.finish();
}

// The values of both, by key; of the second one, those of its variables.
std::shared_ptr<const Checkpoint> joined_checkpoint(const Model& first, const Model& second) {
  const std::vector<Variable> variables = variables_of(second);
  if (second.checkpoint == nullptr || variables.empty()) return first.checkpoint;
  std::set<std::string> keys;
  for (const Variable& variable : variables) keys.insert(variable.key);
  Checkpoint joined = first.checkpoint == nullptr ? Checkpoint() : *first.checkpoint;
  for (const CheckpointEntry& each : second.checkpoint->entries) {
    if (keys.contains(each.key)) joined.entries.push_back(each);
  }
  sort(joined.entries,
       [](const CheckpointEntry& a, const CheckpointEntry& b) { return a.key < b.key; });
  return std::make_shared<const Checkpoint>(std::move(joined));
}

void report(const JoinedPair& models, const std::vector<Connection>& connections,
            GraphChanges& changes) {
  const Model& second = models.second;
  changes.push_back({models.scope, kJoined,
                     cat("'", second.name,
                         "' is part of the graph: ", plural(second.graph.nodes().size(), "node"),
                         ", ", plural(second.graph.functions().size(), "function"), ", ",
                         plural(variables_of(second).size(), "variable")),
                     false});
  for (const Connection& each : connections) {
    const Model& target = each.into_first ? models.first : second;
    changes.push_back(
        {std::string(target.graph.nodes()[each.placeholder].name), kConnected,
         cat("takes ", each.tensor, ", ", dtype_name(each.dtype), " ", to_text(each.shape)),
         false});
  }
}

}  // namespace

Result<Model> join(const Model& model, const Model* second_model,
                   const std::vector<std::string>& connect, const std::string& given_scope,
                   const OpRegistry* ops, GraphChanges& changes, Diagnostics& diagnostics) {
  CHECK_OK(check_request(second_model, connect));
  TRY(scope, scope_of(given_scope));
  CHECK_OK(require_graph(*second_model));
  CHECK_OK(check_joinable(model, *second_model));
  TRY(own, with_own_payloads(*second_model, model.payloads));
  const Model scoped = scope.empty() ? own : with_scope(own, scope);
  CHECK_OK(check_names({model, scoped, scope}));
  TRY(connections, read_connections({model, scoped, scope}, connect, ops, diagnostics));
  TRY(first, with_known_shapes(model, true, connections, ops));
  TRY(second, with_known_shapes(scoped, false, connections, ops));
  const JoinedPair models{first, second, scope};
  TRY(graph, joined_graph(models, connections, changes));
  Model made = first;
  made.graph = std::move(graph);
  made.files.insert(made.files.end(), second.files.begin(), second.files.end());
  made.variable_initializers.insert(made.variable_initializers.end(),
                                    second.variable_initializers.begin(),
                                    second.variable_initializers.end());
  Restores& restores = made.restores.edit();
  for (const auto& [variable, from] : *second.restores) restores.insert_or_assign(variable, from);
  made.checkpoint = joined_checkpoint(first, second);
  join_meta(models, connections, made, diagnostics);
  report(models, connections, changes);
  return made;
}

}  // namespace cryo
