#include "commands/made_model_json.h"

#include <algorithm>

#include "base/reference.h"
#include "graph/needs.h"

namespace cryo {

void add_needed_by(const MadeModel& made, JsonWriter& members) {
  const Graph& graph = made.model.graph;
  const std::vector<Node>& nodes = graph.nodes();
  const NodeNames& names = graph.index().names();
  const Edges& edges = graph.index().edges();
  std::vector<uint32_t> ends;
  for (const std::string& output : made.outputs) {
    ends.push_back(names.find(parse_tensor_name(output).node));
  }
  const Consumers& consumers = edges.consumers();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (consumers.of(i).empty()) ends.push_back(i);
  }
  const std::vector<uint32_t> by = needed_by(edges, ends);
  members.key("neededBy");
  members.begin_object();
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (names.find(nodes[i].name) != i) continue;
    members.key(nodes[i].name);
    if (by[i] == i || by[i] == kNoNode) {
      members.null();
    } else {
      members.value(nodes[by[i]].name);
    }
  }
  members.end_object();
}

void add_conversions(std::string_view name, const Conversions& conversions, JsonWriter& members) {
  members.list(name, conversions, [&](const Conversion& each) {
    members.begin_object();
    members.members("name", each.name, "from", each.from, "to", each.to, "dtype",
                    dtype_name(each.dtype), "shape", each.shape, "bytes", each.bytes);
    if (!each.why.empty()) members.member("why", each.why);
    if (!each.confidence.empty()) members.member("confidence", each.confidence);
    members.end_object();
  });
}

void add_lost(const LostParts& lost, JsonWriter& members) {
  members.list("lost", lost, [&](const LostPart& each) {
    members.begin_object();
    members.members("what", each.what, "bytes", each.bytes, "code", each.why.code);
    if (!each.name.empty()) members.member("name", each.name);
    if (each.what == kLostWeight) {
      members.members("dtype", dtype_name(each.dtype), "shape", each.shape);
    }
    members.member("why", in_command_words(each.why.message));
    if (!each.why.where.file.empty()) members.member("file", each.why.where.file);
    if (each.why.where.offset) members.member("offset", *each.why.where.offset);
    members.end_object();
  });
}

void add_incomplete(const std::vector<IncompleteNode>& incomplete, JsonWriter& members) {
  members.list("incomplete", incomplete, [&](const IncompleteNode& each) {
    members.object("node", each.name, "needs", each.needs);
  });
}

void add_changes(const GraphChanges& changes, JsonWriter& members) {
  members.list("changes", changes, [&](const GraphChange& each) {
    members.object("node", each.node, "change", each.what, "why", each.why, "changesNumbers",
                   each.changes_numbers);
  });
}

void add_redacted(const RemovedCounts& counts, JsonWriter& members) {
  members.key("redacted");
  members.object("names", counts.names, "tensors", counts.tensors, "bytes", counts.bytes);
}

namespace {

void write_match(const VariableMatch& match, JsonWriter& json) {
  json.begin_object();
  json.members("name", match.name, "dtype", dtype_name(match.dtype), "shape", match.shape);
  if (!match.from.empty()) json.member("from", match.from);
  json.member("why", match.why);
  if (match.kind == VariableMatch::kMatched) json.member("bytes", match.bytes);
  json.end_object();
}

}  // namespace

void add_matches(const Matches& matches, JsonWriter& members) {
  // In the order of VariableMatch::Kind.
  constexpr std::string_view kKinds[] = {"matched", "excluded", "mismatched", "unmatched"};
  for (size_t kind = 0; kind < std::size(kKinds); ++kind) {
    members.key(kKinds[kind]);
    members.begin_array();
    for (const VariableMatch& match : matches.variables) {
      if (static_cast<size_t>(match.kind) == kind) write_match(match, members);
    }
    members.end_array();
  }
  members.list("initial", matches.initial, [&](const InitialValue& each) {
    members.object("name", each.name, "dtype", dtype_name(each.dtype), "shape", each.shape, "from",
                   each.from);
  });
  members.member("unused", matches.unused);
}

}  // namespace cryo
