#include "edits.h"

#include <map>

#include "base/text.h"
#include "graph/node_editor.h"
#include "input.h"

namespace cryo::fuzz {
namespace {

constexpr size_t kMaxEdits = 6;
constexpr const char* kAttrs[] = {
    "T",         "dtype",       "shape",          "value",       "_class", "N",
    "container", "shared_name", "_output_shapes", "use_locking", "Tidx"};

// A tensor or a control edge of some node.
std::string some_input(const std::vector<Node>& nodes, FuzzedDataProvider& choices) {
  const std::string name(nodes[choices.ConsumeIntegralInRange<size_t>(0, nodes.size() - 1)].name);
  switch (choices.ConsumeIntegralInRange(0, 4)) {
    case 0:
      return cat("^", name);
    case 1:
      return cat(name, ":1");
    case 2:
      return cat(name, ":", choices.ConsumeIntegral<uint32_t>());
    case 3:
      return choices.ConsumeRandomLengthString(12);
    default:
      return name;
  }
}

void edit_inputs(NodeEditor& editor, const std::vector<Node>& nodes, FuzzedDataProvider& choices) {
  std::vector<std::string>& inputs = editor.inputs();
  const size_t at = choices.ConsumeIntegralInRange<size_t>(0, inputs.size());
  const auto place = inputs.begin() + static_cast<ptrdiff_t>(at);
  if (at == inputs.size()) {
    inputs.push_back(some_input(nodes, choices));
  } else if (choices.ConsumeBool()) {
    inputs.erase(place);
  } else {
    *place = some_input(nodes, choices);
  }
}

// One attribute is removed, or is another node's, or bytes.
void edit_attr(NodeEditor& editor, const Node& other, FuzzedDataProvider& choices) {
  const char* key = choices.PickValueInArray(kAttrs);
  const NodeEditor theirs(other);
  switch (choices.ConsumeIntegralInRange(0, 2)) {
    case 0:
      editor.erase_attr(key);
      break;
    case 1:
      if (theirs.attr(key) != nullptr) editor.set_attr(key, *theirs.attr(key));
      break;
    default:
      editor.set_attr(key, choices.ConsumeRandomLengthString(16));
  }
}

std::string edited_node(const Node& node, const std::vector<Node>& nodes,
                        FuzzedDataProvider& choices) {
  NodeEditor editor(node);
  const Node& other = nodes[choices.ConsumeIntegralInRange<size_t>(0, nodes.size() - 1)];
  switch (choices.ConsumeIntegralInRange(0, 6)) {
    case 0:
      editor.set_op(other.op);
      break;
    case 1:
      editor.set_name(other.name);
      break;
    case 2:
      editor.set_name(choices.ConsumeRandomLengthString(12));
      break;
    case 3:
      editor.set_device(choices.ConsumeRandomLengthString(12));
      break;
    case 4:
      edit_attr(editor, other, choices);
      break;
    default:
      edit_inputs(editor, nodes, choices);
  }
  return editor.finish();
}

}  // namespace

std::vector<SourcePtr> edited(const std::vector<SourcePtr>& files, FuzzedDataProvider& choices) {
  std::vector<SourcePtr> all = files;
  for (size_t left = choices.ConsumeIntegralInRange<size_t>(0, kMaxEdits); left > 0; --left) {
    SourcePtr& file = all[choices.ConsumeIntegralInRange<size_t>(0, all.size() - 1)];
    std::string bytes(static_cast<size_t>(file->size()), '\0');
    if (bytes.empty() || !file->read(0, bytes)) continue;
    const size_t at = choices.ConsumeIntegralInRange<size_t>(0, bytes.size() - 1);
    const size_t most = choices.ConsumeIntegralInRange<size_t>(0, 4);
    bytes.replace(at, std::min(most, bytes.size() - at), choices.ConsumeRandomLengthString(4));
    file = file_of(bytes, file->name());
  }
  return all;
}

Model edited(const Model& model, FuzzedDataProvider& choices) {
  const std::vector<Node>& nodes = model.graph.nodes();
  const size_t count = nodes.empty() ? 0 : choices.ConsumeIntegralInRange<size_t>(0, kMaxEdits);
  if (count == 0) return model;
  std::map<size_t, int> edits;
  for (size_t i = 0; i < count; ++i) {
    const size_t node = choices.ConsumeIntegralInRange<size_t>(0, nodes.size() - 1);
    edits[node] = choices.ConsumeIntegralInRange(0, 7);
  }
  GraphBuilder builder(model.graph);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const auto edit = edits.find(i);
    const int kind = edit == edits.end() ? -1 : edit->second;
    if (kind == 0) continue;
    if (kind < 2) builder.add(nodes[i]);
    if (kind > 0) builder.add(edited_node(nodes[i], nodes, choices));
  }
  builder.add_functions_of(model.graph);
  Model other = model;
  other.graph = builder.finish();
  return other;
}

}  // namespace cryo::fuzz
