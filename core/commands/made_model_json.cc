#include "commands/made_model_json.h"

#include "base/reference.h"
#include "graph/needs.h"

namespace cryo {

Json needed_by_json(const MadeModel& made) {
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
  Json needed = Json::object();
  auto& members = needed.get_ref<Json::object_t&>();  // [] looks through all of them
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (names.find(nodes[i].name) != i) continue;
    const bool end = by[i] == i || by[i] == kNoNode;
    members.push_back({std::string(nodes[i].name), end ? Json(nullptr) : Json(nodes[by[i]].name)});
  }
  return needed;
}

Json conversions_json(const Conversions& conversions) {
  Json list = Json::array();
  for (const Conversion& each : conversions) {
    Json item = {{"name", each.name},
                 {"from", each.from},
                 {"to", each.to},
                 {"dtype", dtype_name(each.dtype)},
                 {"shape", to_json(each.shape)},
                 {"bytes", to_json(each.bytes)}};
    if (!each.why.empty()) item["why"] = each.why;
    if (!each.confidence.empty()) item["confidence"] = each.confidence;
    list.push_back(std::move(item));
  }
  return list;
}

Json lost_json(const LostParts& lost) {
  Json list = Json::array();
  for (const LostPart& each : lost) {
    Json item = {{"what", each.what}, {"bytes", to_json(each.bytes)}, {"code", each.why.code}};
    if (!each.name.empty()) item["name"] = each.name;
    if (each.what == kLostWeight) item["dtype"] = dtype_name(each.dtype);
    if (each.what == kLostWeight) item["shape"] = to_json(each.shape);
    item["why"] = in_command_words(each.why.message);
    if (!each.why.where.file.empty()) item["file"] = each.why.where.file;
    if (each.why.where.offset) item["offset"] = to_json(*each.why.where.offset);
    list.push_back(std::move(item));
  }
  return list;
}

Json incomplete_json(const std::vector<IncompleteNode>& incomplete) {
  Json list = Json::array();
  for (const IncompleteNode& each : incomplete) {
    list.push_back({{"node", each.name}, {"needs", each.needs}});
  }
  return list;
}

Json changes_json(const GraphChanges& changes) {
  Json list = Json::array();
  for (const GraphChange& each : changes) {
    list.push_back({{"node", each.node},
                    {"change", each.what},
                    {"why", each.why},
                    {"changesNumbers", each.changes_numbers}});
  }
  return list;
}

Json redacted_json(const RemovedCounts& counts) {
  return {{"names", to_json(counts.names)},
          {"tensors", to_json(counts.tensors)},
          {"bytes", to_json(counts.bytes)}};
}

void add_matches(const Matches& matches, Json& report) {
  // In the order of VariableMatch::Kind.
  const char* const kinds[] = {"matched", "excluded", "mismatched", "unmatched"};
  for (const char* kind : kinds) report[kind] = Json::array();
  for (const VariableMatch& match : matches.variables) {
    Json item = {
        {"name", match.name}, {"dtype", dtype_name(match.dtype)}, {"shape", to_json(match.shape)}};
    if (!match.from.empty()) item["from"] = match.from;
    item["why"] = match.why;
    if (match.kind == VariableMatch::kMatched) item["bytes"] = to_json(match.bytes);
    report[kinds[match.kind]].push_back(std::move(item));
  }
  report["initial"] = Json::array();
  for (const InitialValue& each : matches.initial) {
    report["initial"].push_back({{"name", each.name},
                                 {"dtype", dtype_name(each.dtype)},
                                 {"shape", to_json(each.shape)},
                                 {"from", each.from}});
  }
  report["unused"] = matches.unused;
}

}  // namespace cryo
