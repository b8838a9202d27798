#include "passes/tf_compat/sub_graph.h"

#include "base/reference.h"
#include "base/text.h"
#include "graph/attr_value.h"
#include "wire/canonical.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// "^a" -> "a", "a:1" -> "a", "^a:1" -> "a:1": as the tool reads an input.
std::string_view input_node(std::string_view input) {
  return input.starts_with('^') ? input.substr(1) : input.substr(0, input.find(':'));
}

// The bodies of all fields of a number: a message that comes in pieces is their sum.
std::string bodies(std::string_view message, uint32_t number) {
  std::string all;
  for (WireCursor cursor(message); cursor.next();) {
    if (cursor.field().number == number) all += cursor.field().bytes;
  }
  return all;
}

}  // namespace

Failure tensorflow_fails(std::string_view why, std::string_view node) {
  return failure("tensorflow-fails", cat("TensorFlow's own tool fails on this graph: ", why),
                 {.node = node}, "do without " OPTION("--like-tensorflow", ""));
}

Result<std::vector<uint32_t>> sub_graph(const std::vector<Node>& nodes, const NodeNames& names,
                                        const std::vector<std::string>& outputs) {
  std::vector<bool> kept(nodes.size(), false);
  std::vector<uint32_t> queue;
  const auto need = [&](std::string_view name, std::string_view by) -> Status {
    const uint32_t found = names.find(name);
    if (found == kNoNode) {
      return tensorflow_fails(cat(by, " needs '", name, "', which is not in graph"), by);
    }
    if (!kept[found]) queue.push_back(found);
    kept[found] = true;
    return Unit{};
  };
  for (const std::string& output : outputs) CHECK_OK(need(output, output));
  while (!queue.empty()) {
    const Node& node = nodes[queue.back()];
    queue.pop_back();
    for (const std::string_view input : node.inputs()) {
      CHECK_OK(need(input_node(input), node.name));
    }
    std::vector<std::string_view> partners;
    AttrValue(find_attr(node, "_class").value_or(""))
        .each_bytes(AttrKind::kString, [&](std::string_view entry) {
          partners.push_back(entry.starts_with("loc:@") ? entry.substr(5) : entry);
        });
    for (const std::string_view partner : partners) CHECK_OK(need(partner, node.name));
  }
  std::vector<uint32_t> indices;
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (kept[i]) indices.push_back(i);
  }
  return indices;
}

Result<Graph> python_graph(const Model& base, const std::vector<std::string>& node_defs,
                           const std::vector<std::string>& function_defs) {
  const std::string old = base.graph.skeleton();
  const Payloads& payloads = *base.payloads;
  std::string skeleton, library;
  for (const std::string& node : node_defs) {
    put_bytes_field(skeleton, fields::GraphDef::kNode,
                    canonical(node, message_schema("tensorflow.NodeDef"), payloads));
  }
  for (const std::string& function : function_defs)
    put_bytes_field(library, fields::FunctionDefLibrary::kFunction, function);
  const std::string old_library = bodies(old, fields::GraphDef::kLibrary);
  for (WireCursor cursor(old_library); cursor.next();) {
    if (cursor.field().number != fields::FunctionDefLibrary::kFunction)
      library += cursor.field().record;
  }
  put_bytes_field(skeleton, fields::GraphDef::kLibrary,
                  canonical(library, message_schema("tensorflow.FunctionDefLibrary"), payloads));
  put_bytes_field(skeleton, fields::GraphDef::kVersions,
                  canonical(bodies(old, fields::GraphDef::kVersions),
                            message_schema("tensorflow.VersionDef"), payloads));
  return Graph::parse(std::move(skeleton));
}

}  // namespace cryo
