#include "passes/edit/edit.h"

#include <set>
#include <unordered_set>

#include "base/pattern/rename.h"
#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"
#include "formats/pairing.h"
#include "graph/node_editor.h"
#include "graph/replaced_nodes.h"
#include "graph/tensor_info.h"
#include "model/meta.h"
#include "model/model_ops.h"
#include "passes/common/new_model.h"
#include "passes/common/select_outputs.h"
#include "passes/common/unmatched.h"
#include "passes/edit/added_signatures.h"
#include "passes/edit/followed_shapes.h"
#include "passes/edit/join.h"
#include "passes/edit/placeholders.h"
#include "passes/edit/renamed_nodes.h"
#include "passes/redact/redact.h"
#include "passes/set/set_values.h"
#include "validate/check_graph.h"

namespace cryo {
namespace {

Result<Model> with_new_constants(const Model& model, const std::vector<std::string>& values,
                                 const OpRegistry* ops, GraphChanges& changes) {
  std::map<uint32_t, std::string> replaced;
  for (const std::string& text : values) {
    const std::string name(set_node(text));
    if (name.empty() || text.find('=') == std::string::npos) {
      return failure("bad-option", cat("expected NAME=VALUE; found ", quoted(text)), {},
                     "write NAME=VALUE: " SETTING("--constant", "threshold=0.5"));
    }
    TRY(place, find_endpoint(model, model.graph.index().names(), name));
    const Node& node = model.graph.nodes()[place.node];
    if (node.op != "Const") {
      return failure("not-a-constant", cat("expected a constant; '", node.name, "' is a ", node.op),
                     {.node = node.name}, LIST("constants", "constants"));
    }
    const Shape shape = output_shape(node, 0);
    TRY(value, value_for(node, shape, text, *model.payloads));
    if (value.shape != shape) {
      return failure("wrong-shape",
                     cat("'", node.name, "' is of shape ", to_text(shape), "; ", quoted(text),
                         " is of shape ", to_text(value.shape)),
                     {.node = node.name}, "write a list of its shape: size=[224,224]");
    }
    NodeEditor editor(node);
    replaced[place.node] = editor.set_attr("value", tensor_value(value.proto)).finish();
    changes.push_back(
        {name, kConstantChanged, cat("is ", text.substr(text.find('=') + 1), " now"), true});
  }
  if (replaced.empty()) return model;
  Model made = model;
  made.graph = with_replaced_nodes(model.graph, replaced);
  std::vector<uint32_t> changed;
  for (const auto& each : replaced) changed.push_back(each.first);
  return with_followed_shapes(model, std::move(made), changed, ops);
}

Result<NewNames> new_names(const Model& model, const std::vector<std::string>& rename,
                           GraphChanges& changes) {
  NewNames names;
  TRY(rules, parse_rename_rules(rename));
  std::set<const RenameRule*> used;
  std::vector<std::string> all;
  std::unordered_set<std::string> taken;
  for (const Node& node : model.graph.nodes()) {
    const Renamed result = renamed(rules, node.name);
    if (result.rule != nullptr) used.insert(result.rule);
    all.emplace_back(node.name);
    if (!taken.insert(result.name).second) {
      return failure("name-taken", cat("two nodes would be named ", quoted(result.name)),
                     {.node = node.name}, "choose other names in " OPTION("--rename", "FROM=TO"));
    }
    if (result.name == node.name) continue;
    names.emplace(node.name, result.name);
    changes.push_back({std::string(node.name), kRenamed, cat("is ", result.name, " now"), false});
  }
  CHECK_OK(check_rules(rules, used, all));
  return names;
}

// Reports that a SavedModel of TensorFlow 2 becomes one without objects.
void report_objects(const Model& model, const Model& made, Diagnostics& diagnostics) {
  if (object_graph_of(model).empty() || made.graph.is_as_read()) return;
  diagnostics.note(
      "objects-dropped",
      cat("the objects of '", model.name, "' are not kept, because its graph is another one: ",
          "TensorFlow 2 loads its signatures, and no attributes or methods"),
      {.file = model.name}, "use tf.saved_model.load(...).signatures");
}

// Fails if TensorFlow would refuse the edited graph, and not the old one.
Status check_edited(const Model& model, const Model& made, const OpRegistry* ops) {
  if (ops == nullptr) return Unit{};
  const GraphVerdict verdict = check_graph(made.graph, with_model_ops(made, *ops), *made.payloads);
  if (verdict.valid()) return Unit{};
  if (!check_graph(model.graph, with_model_ops(model, *ops), *model.payloads).valid())
    return Unit{};
  for (const Diagnostic& each : verdict.diagnostics.all()) {
    if (each.severity != Severity::kError) continue;
    return failure("edit-refused", cat("TensorFlow would refuse the edited graph: ", each.message),
                   {.node = each.where.node}, "edit that node, too, or choose other values");
  }
  return Unit{};
}

Failure nothing_to_edit() {
  const std::vector<std::string> edits = {OPTION("--placeholder", ""),
                                          OPTION("--batch", ""),
                                          OPTION("--constant", ""),
                                          OPTION("--rename", "FROM=TO"),
                                          OPTION("--connect", ""),
                                          OPTION("--redact", ""),
                                          OPTION("--add-signature", "KEY=INPUTS->OUTPUTS")};
  return failure("bad-option", "there is nothing to edit", {},
                 cat("give one of ", join(edits, ", ")));
}

Failure not_together() {
  return failure("bad-option",
                 cat(OPTION("--redact", "") " and other edits make no sense together"), {},
                 "edit the model first, then redact the result");
}

Result<EditResult> edited(const Model& model, const Model* second, const EditOptions& options,
                          const OpRegistry* ops, Diagnostics& diagnostics) {
  const bool joins = second != nullptr || !options.connect.empty() || !options.scope.empty();
  const bool shapes = !options.placeholders.empty() || !options.batch.empty();
  const bool edits = joins || shapes || !options.rename.empty() || !options.constants.empty() ||
                     !options.added_signatures.empty();
  // Other edits name nodes that a redacted model does not have.
  if (options.redact && edits) return not_together();
  if (options.redact) {
    TRY(redacted, redact(model, ops, diagnostics));
    return EditResult{std::move(redacted.model), {}, redacted.removed};
  }
  CHECK_OK(require_graph(model));
  if (!edits) return nothing_to_edit();
  if (shapes && !object_graph_of(model).empty()) {
    return failure(
        "not-frozen",
        "the functions of this SavedModel have shapes of their own, which TensorFlow 2 uses", {},
        "freeze it first: " RUN("freeze", "frozen.pb"));
  }
  GraphChanges changes;
  TRY(joined, joins ? join(model, second, options.connect, options.scope, ops, changes, diagnostics)
                    : model);
  TRY(names, new_names(joined, options.rename, changes));
  TRY(constants, with_new_constants(joined, options.constants, ops, changes));
  TRY(shaped, with_new_placeholders(constants, options.placeholders, options.batch, ops, changes,
                                    diagnostics));
  TRY(signed_model, with_added_signatures(shaped, options.added_signatures, ops, changes));
  Model made = names.empty() ? signed_model : with_renamed_nodes(signed_model, names);
  CHECK_OK(check_edited(model, made, ops));
  report_objects(model, made, diagnostics);
  return EditResult{std::move(made), std::move(changes)};
}

}  // namespace

Result<EditResult> edit(const Model& model, const Model* second, const EditOptions& options,
                        const OpRegistry* ops, Diagnostics& diagnostics) {
  return new_model(
      model, [&](const Model& own) { return edited(own, second, options, ops, diagnostics); });
}

}  // namespace cryo
