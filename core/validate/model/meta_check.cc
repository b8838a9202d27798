#include "validate/model/meta_check.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/utf8.h"
#include "graph/node_types.h"
#include "model/context_defs.h"
#include "model/meta.h"
#include "validate/model/warn.h"
#include "wire/cursor.h"

namespace cryo {
namespace {

// The fields of a QueueRunnerDef that are names of nodes.
constexpr uint32_t kMaxRunnerName = 4;

class MetaCheck {
 public:
  MetaCheck(const Model& model, const NodeNames& names, const OpRegistry& ops,
            Diagnostics& diagnostics)
      : model_(model), names_(names), ops_(ops), diagnostics_(diagnostics) {}

  void signature(std::string_view key, const tensorflow::SignatureDef& signature) {
    for (const auto& input : signature.inputs()) {
      argument(key, "input", input.key(), input.value());
    }
    for (const auto& output : signature.outputs()) {
      argument(key, "output", output.key(), output.value());
    }
  }

  void collection(const std::string& key, const tensorflow::CollectionDef& collection) {
    std::vector<std::string> gone;
    for (const std::string& name : collection.node_list().value()) add_if_gone(name, gone);
    report("collection-node", key, gone);
  }

  void contexts(const std::string& key, const tensorflow::CollectionDef& collection) {
    if (!is_context_collection(key)) return;
    std::vector<std::string> gone;
    for (const std::string& bytes : collection.bytes_list().value()) {
      for (const std::string& name : names_not_found(bytes, key, names_)) {
        gone.push_back(quoted(name));
      }
    }
    report("collection-node", key, gone);
  }

  void queue_runners(const std::string& key, const tensorflow::CollectionDef& collection) {
    if (key != "queue_runners") return;
    std::vector<std::string> gone;
    for (const std::string& bytes : collection.bytes_list().value()) {
      for (WireCursor cursor(bytes); cursor.next();) {
        const WireField& field = cursor.field();
        const bool names = field.type == WireType::kBytes && !field.bytes.empty() &&
                           field.number <= kMaxRunnerName;
        if (names) add_if_gone(std::string(field.bytes), gone);
      }
    }
    report("collection-node", key, gone);
  }

  // A VariableDef is of use only whole.
  void variables(const tensorflow::MetaGraphDef& meta, const std::string& key) {
    std::vector<std::string> gone;
    for (const auto& def : variable_defs(meta, key)) {
      for (const std::string& name :
           {def.variable_name(), def.initializer_name(), def.snapshot_name()}) {
        if (!name.empty()) add_if_gone(name, gone);
      }
    }
    report("collection-variable", key, gone);
  }

  void saver(const tensorflow::SaverDef& saver) {
    for (const std::string& name :
         {saver.filename_tensor_name(), saver.save_tensor_name(), saver.restore_op_name()}) {
      if (name.empty() || !is_gone(name)) continue;
      warn_by_code("saver-node", {},
                   cat("the saver (SaverDef) names ", quoted(name), ", which is not in the graph"),
                   diagnostics_);
    }
  }

  void asset(const tensorflow::AssetFileDef& asset) {
    const std::string& name = asset.tensor_info().name();
    if (!name.empty() && is_gone(name)) {
      error_by_code("asset-tensor", {},
                    cat("the asset ", quoted(asset.filename()), " is to be fed to ", quoted(name),
                        ", which is not in the graph"),
                    diagnostics_);
    }
    if (model_.saved_model == nullptr || asset.filename().empty()) return;
    const std::string path = cat("assets/", asset.filename());
    const auto& files = model_.saved_model->others;
    const bool there = std::any_of(files.begin(), files.end(),
                                   [&](const auto& file) { return file.path == path; });
    if (there) return;
    error_by_code("asset-missing", {.file = path},
                  cat("the SavedModel's asset ", quoted(path), " is not there"), diagnostics_);
  }

 private:
  bool is_gone(std::string_view name) const {
    return names_.find(parse_tensor_name(name).node) == kNoNode;
  }

  void add_if_gone(const std::string& name, std::vector<std::string>& gone) const {
    if (is_gone(name)) gone.push_back(quoted(name));
  }

  void report(std::string_view code, const std::string& key, const std::vector<std::string>& gone) {
    if (gone.empty()) return;
    error_by_code(code, {},
                  cat("the collection ", quoted(key),
                      " names what is not in the graph: ", join(gone, ", ", kMaxListed)),
                  diagnostics_);
  }

  void argument(std::string_view key, std::string_view side, std::string_view name,
                const tensorflow::TensorInfo& info) {
    if (info.name().empty()) return;
    const std::string of = cat("signature ", quoted(key), ", ", side, " ", quoted(name), ": ");
    const TensorName tensor = parse_tensor_name(info.name());
    const uint32_t node = names_.find(tensor.node);
    if (node == kNoNode) {
      error_by_code("signature-tensor", {}, cat(of, quoted(info.name()), " is not in the graph"),
                    diagnostics_);
      return;
    }
    if (is_reserved_signature(key)) return;  // it names an op
    const Node& from = model_.graph.nodes()[node];
    const auto type = output_type(from, tensor.port, ops_);
    const auto given = static_cast<DType>(static_cast<int>(info.dtype()));
    const LocationRef where{.node = from.name};
    if (!type && has_no_output(from, tensor.port)) {
      error_by_code("signature-tensor", where,
                    cat(of, "the node ", quoted(from.name), " has no output ", tensor.port),
                    diagnostics_);
    }
    if (!type || given == DType::kInvalid || base(*type) == base(given)) return;
    error_by_code("signature-type", where,
                  cat(of, "it is said to be ", dtype_name(given), ", and the graph has ",
                      dtype_name(base(*type))),
                  diagnostics_);
  }

  bool has_no_output(const Node& node, uint32_t port) const {
    const OpDef* op = ops_.find(node.op);
    if (op == nullptr) return false;
    NodeAttrs attrs;
    attrs.bind(node, *op);
    std::vector<TypeRun> types;
    return !append_types(op->outputs, attrs, types) && port >= size_of(types);
  }

  const Model& model_;
  const NodeNames& names_;
  const OpRegistry& ops_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_meta(const Model& model, const tensorflow::MetaGraphDef& meta, const NodeNames& names,
                const OpRegistry& ops, Diagnostics& diagnostics) {
  MetaCheck check(model, names, ops, diagnostics);
  for (const auto& entry : meta.signature_def()) check.signature(entry.key(), entry.value());
  for (const auto& entry : meta.collection_def()) {
    check.collection(entry.key(), entry.value());
    check.contexts(entry.key(), entry.value());
    check.queue_runners(entry.key(), entry.value());
    if (is_variable_collection(entry.key())) check.variables(meta, entry.key());
  }
  if (meta.has_saver_def()) check.saver(meta.saver_def());
  for (const auto& asset : assets_of(meta)) check.asset(asset);
}

}  // namespace cryo
