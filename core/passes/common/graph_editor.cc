#include "passes/common/graph_editor.h"

#include "base/text.h"
#include "graph/replaced_nodes.h"

namespace cryo {

NodeEditor& GraphEditor::node(uint32_t index) {
  return edited_.try_emplace(index, graph_.nodes()[index]).first->second;
}

NodeEditor& GraphEditor::node_as_read(uint32_t index) {
  return edited_.insert_or_assign(index, NodeEditor(graph_.nodes()[index])).first->second;
}

void GraphEditor::drop_control_edges(uint32_t from) {
  const std::string edge = cat("^", graph_.nodes()[from].name);
  for (const Consumer& consumer : graph_.index().consumers().of(from)) {
    if (consumer.control) std::erase(node(consumer.node).inputs(), edge);
  }
}

Graph GraphEditor::finish() const {
  std::map<uint32_t, std::string> replaced;
  for (const auto& [node, editor] : edited_) replaced.emplace(node, editor.finish());
  return with_replaced_nodes(graph_, replaced, added_);
}

}  // namespace cryo
