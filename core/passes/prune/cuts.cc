#include "passes/prune/cuts.h"

#include <algorithm>

#include "base/text.h"
#include "graph/fresh_names.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "passes/common/select_outputs.h"

namespace cryo {
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

Result<std::string> placeholder_for(const Node& node, const Cut& cut, const OpRegistry* ops) {
  const std::optional<DType> dtype = output_dtype(node, cut.port, ops);
  if (!dtype) {
    return failure(
        "unknown-type",
        cat("the type of ", node.name, ":", cut.port, " is unknown: op ", node.op, " is not known"),
        {.node = node.name}, "begin at a tensor of a known op");
  }
  NodeEditor editor(cut.placeholder, "Placeholder");
  editor.set_attr("dtype", type_value(*dtype));
  editor.set_attr("shape", shape_value(shape_message(output_shape(node, cut.port))));
  return editor.finish();
}

}  // namespace cryo
