#include "validate/model/saver_check.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "base/utf8.h"
#include "model/string_tensor.h"
#include "validate/model/warn.h"

namespace cryo {
namespace {

class SaverLists {
 public:
  SaverLists(const Model& model, const NodeNames& names, Diagnostics& diagnostics)
      : model_(model), names_(names), diagnostics_(diagnostics) {}

  void check(const Node& node) {
    if (node.op != "SaveV2") return;
    const std::vector<std::string> keys = strings(node, 1);
    const std::vector<std::string> slices = strings(node, 2);
    if (slices.size() == keys.size()) check_keys(node, keys, slices);
  }

 private:
  // Returns the strings of the constant at an input; empty if the input is not a constant.
  std::vector<std::string> strings(const Node& node, uint32_t place) const {
    uint32_t at = 0;
    for (const std::string_view input : node.inputs()) {
      if (at++ != place) continue;
      const uint32_t from = names_.find(parse_tensor_name(input).node);
      if (from == kNoNode || model_.graph.nodes()[from].op != "Const") return {};
      const auto tensor = tensor_attr(model_.graph.nodes()[from], "value");
      if (!tensor) return {};
      auto found = read_strings(*tensor, *model_.payloads);
      return found ? std::move(*found) : std::vector<std::string>();
    }
    return {};
  }

  // Slices of one variable share its key.
  void check_keys(const Node& node, const std::vector<std::string>& keys,
                  const std::vector<std::string>& slices) {
    std::set<std::string_view> seen;
    for (size_t i = 0; i < keys.size(); ++i) {
      if (!slices[i].empty() || seen.insert(keys[i]).second) continue;
      warn_by_code("save-key-twice", {.node = node.name},
                   cat("Adding duplicate key: ", printable(keys[i], 300), ": the node ",
                       quoted(node.name), " saves two tensors under it"),
                   diagnostics_);
      return;
    }
  }

  const Model& model_;
  const NodeNames& names_;
  Diagnostics& diagnostics_;
};

}  // namespace

bool has_saver_lists(const Model& model) {
  const std::vector<Node>& nodes = model.graph.nodes();
  return std::any_of(nodes.begin(), nodes.end(),
                     [](const Node& node) { return node.op == "SaveV2"; });
}

void check_saver_lists(const Model& model, const NodeNames& names, Diagnostics& diagnostics) {
  SaverLists lists(model, names, diagnostics);
  for (const Node& node : model.graph.nodes()) lists.check(node);
}

}  // namespace cryo
