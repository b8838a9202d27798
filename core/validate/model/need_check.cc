#include "validate/model/need_check.h"

#include <set>

#include "base/text.h"
#include "base/utf8.h"
#include "model/init_op.h"
#include "model/meta.h"
#include "validate/model/warn.h"

namespace cryo {
namespace {

bool must_be_fed(std::string_view op) { return op == "Placeholder" || op == "PlaceholderV2"; }

// Returns true if the op only reads a table.
bool only_reads(std::string_view op) {
  return op.starts_with("LookupTableFind") || op.starts_with("LookupTableSize") ||
         op.starts_with("LookupTableExport");
}

class NeedCheck {
 public:
  NeedCheck(const Model& model, const tensorflow::MetaGraphDef& meta, const NodeNames& names,
            Diagnostics& diagnostics)
      : runs_nothing_(model.kind == Kind::kSavedModel && !names_init_op(meta)),
        nodes_(model.graph.nodes()),
        names_(names),
        diagnostics_(diagnostics),
        edges_(model.graph.index().edges()),
        consumers_(edges_.consumers()) {}

  void signature(std::string_view key, const tensorflow::SignatureDef& signature) {
    std::vector<char> seen(nodes_.size(), 0);
    for (const auto& input : signature.inputs()) mark_given(input.value(), seen);
    std::vector<uint32_t> todo;
    for (const auto& output : signature.outputs()) {
      const uint32_t node = names_.find(parse_tensor_name(output.value().name()).node);
      if (node != kNoNode && seen[node] == 0) todo.push_back(node);
    }
    while (!todo.empty()) {
      const uint32_t node = todo.back();
      todo.pop_back();
      if (std::exchange(seen[node], char{1}) != 0) continue;
      visit(key, node);
      for (const Edge& edge : edges_.inputs(node)) {
        if (edge.node != kNoNode && seen[edge.node] == 0) todo.push_back(edge.node);
      }
    }
  }

 private:
  // One that is given by parts (a sparse tensor) names its nodes elsewhere.
  void mark_given(const tensorflow::TensorInfo& info, std::vector<char>& seen) const {
    const auto mark = [&](const std::string& name) {
      const uint32_t node = names_.find(parse_tensor_name(name).node);
      if (node != kNoNode) seen[node] = 1;
    };
    mark(info.name());
    const auto& sparse = info.coo_sparse();
    mark(sparse.values_tensor_name());
    mark(sparse.indices_tensor_name());
    mark(sparse.dense_shape_tensor_name());
    for (const auto& component : info.composite_tensor().components()) mark(component.name());
  }

  void visit(std::string_view key, uint32_t node) {
    const LocationRef where{.node = nodes_[node].name};
    if (must_be_fed(nodes_[node].op)) {
      warn_by_code("placeholder-not-fed", where,
                   cat("You must feed a value for placeholder tensor ", quoted(where.node),
                       ": the outputs of signature ", quoted(key),
                       " need it, and it is not one of its inputs"),
                   diagnostics_);
    }
    if (is_fixed_table(nodes_[node].op)) look_at_table(key, node, where);
  }

  void look_at_table(std::string_view key, uint32_t table, const LocationRef& where) {
    const bool filled = is_filled(table);
    if ((filled && !runs_nothing_) || !reported_.insert(table).second) return;
    warn_by_code("table-not-filled", where,
                 cat("Table not initialized: nothing ",
                     filled ? "that is run when the SavedModel is loaded" : "in the graph",
                     " fills the table ", quoted(where.node), ", which the outputs of signature ",
                     quoted(key), " need"),
                 diagnostics_);
  }

  bool is_filled(uint32_t table) const {
    for (const Consumer& consumer : consumers_.of(table)) {
      if (!consumer.control && !only_reads(nodes_[consumer.node].op)) return true;
    }
    return false;
  }

  const bool runs_nothing_;  // when it is loaded
  const std::vector<Node>& nodes_;
  const NodeNames& names_;
  Diagnostics& diagnostics_;
  const Edges& edges_;
  const Consumers& consumers_;
  std::set<uint32_t> reported_;
};

}  // namespace

void check_needs(const Model& model, const tensorflow::MetaGraphDef& meta, const NodeNames& names,
                 Diagnostics& diagnostics) {
  if (meta.signature_def().empty()) return;
  NeedCheck check(model, meta, names, diagnostics);
  for (const auto& entry : meta.signature_def()) {
    if (!is_reserved_signature(entry.key())) check.signature(entry.key(), entry.value());
  }
}

}  // namespace cryo
