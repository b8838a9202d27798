#include "passes/cuts.h"

#include <algorithm>

#include "base/text.h"
#include "graph/attr_value.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "graph/node_types.h"
#include "graph/roles.h"
#include "passes/endpoints.h"

namespace cryo {
namespace {

constexpr uint32_t kUnknownRank = 3;  // tensor.proto: TensorShapeProto.unknown_rank

// The op's definition tells; without one, the attribute that most ops of one type have.
std::optional<DType> type_of(const Node& node, uint32_t port, const OpRegistry* ops) {
  if (ops != nullptr) {
    if (const auto type = output_type(node, port, *ops)) return type;
  }
  const auto attr = node.op == "Const" || is_variable(node.op) ? type_attr(node, "dtype")
                                                               : type_attr(node, "T");
  if (!attr) return std::nullopt;
  return static_cast<DType>(*attr);
}

// What the exporter noted of the output's shape, as a TensorShapeProto; else "any".
std::string shape_of(const Node& node, uint32_t port) {
  uint32_t at = 0;
  const AttrValue shapes(find_attr(node, "_output_shapes").value_or(""));
  std::string found;
  shapes.each_bytes(AttrKind::kShape, [&](std::string_view shape) {
    if (at++ == port) found = shape;
  });
  if (at > port) return found;
  std::string unknown;
  put_varint_field(unknown, kUnknownRank, 1);
  return unknown;
}

}  // namespace

Result<Cuts> Cuts::find(const Model& model, const std::vector<std::string>& inputs,
                        const NodeNames& names) {
  Cuts cuts;
  for (const std::string& input : inputs) {
    TRY(edge, find_endpoint(model, names, input));
    const bool begins = is_placeholder(model.graph.nodes()[edge.node].op);
    if (!begins && !cuts.covers(edge)) cuts.all_.push_back({edge.node, edge.port});
  }
  return cuts;
}

const Cut* Cuts::at(uint32_t node, uint32_t port) const {
  const auto same = [&](const Cut& cut) { return cut.node == node && cut.port == port; };
  const auto found = std::find_if(all_.begin(), all_.end(), same);
  return found == all_.end() ? nullptr : &*found;
}

void Cuts::name_placeholders(const std::vector<Node>& nodes, const NodeNames& names,
                             const std::vector<bool>& kept) {
  FreshNames fresh(names);
  for (Cut& cut : all_) {
    const std::string name(nodes[cut.node].name);
    const bool takes_over = cut.port == 0 && !kept[cut.node];
    cut.placeholder = takes_over ? name : fresh.take(cat(name, "_", cut.port));
  }
}

Result<std::string> placeholder_for(const Node& node, const Cut& cut, const PassOptions& options) {
  const std::optional<DType> dtype = type_of(node, cut.port, options.ops);
  if (!dtype) {
    return failure("unknown-type",
                   cat("the type of ", node.name, ":", cut.port, " cannot be told: op ", node.op,
                       " is not known"),
                   {.node = std::string(node.name)}, "begin at a tensor of a known op");
  }
  NodeEditor editor(cut.placeholder, "Placeholder");
  editor.set_attr("dtype", type_value(static_cast<int>(base(*dtype))));
  editor.set_attr("shape", shape_value(shape_of(node, cut.port)));
  return editor.finish();
}

}  // namespace cryo
