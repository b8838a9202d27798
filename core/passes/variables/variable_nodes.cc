#include "passes/variables/variable_nodes.h"

#include "base/text.h"
#include "checkpoint/tensor_slice.h"
#include "graph/added_nodes.h"
#include "graph/node_editor.h"
#include "graph/tensor_info.h"
#include "passes/common/freeze_record.h"

namespace cryo {
namespace {

std::string dtype_value(const NewVariable& variable) { return type_value(variable.dtype); }

std::string colocated(const NewVariable& variable) {
  return string_list_value({cat("loc:@", variable.name)});
}

tensorflow::SaveSliceInfoDef slice_info(const NewVariable& variable) {
  tensorflow::SaveSliceInfoDef info;
  const std::optional<SliceSpec> spec = parse_slice_spec(variable.slice);
  if (!spec) return info;
  info.set_full_name(variable.key);
  for (const uint64_t dim : spec->dims) info.add_full_shape(static_cast<int64_t>(dim));
  for (const Range& range : spec->box) {
    info.add_var_offset(static_cast<int64_t>(range.start));
    info.add_var_shape(static_cast<int64_t>(range.size));
  }
  return info;
}

tensorflow::CollectionDef& collection_of(tensorflow::MetaGraphDef& meta, const std::string& key) {
  for (auto& entry : *meta.mutable_collection_def()) {
    if (entry.key() == key) return *entry.mutable_value();
  }
  auto& entry = *meta.add_collection_def();
  entry.set_key(key);
  return *entry.mutable_value();
}

}  // namespace

std::string variable_node(const Node& constant, const NewVariable& variable) {
  NodeEditor editor(constant);
  editor.set_name(variable.name).set_op(variable.op).erase_attr("value");
  editor.set_attr(kRecordAttr, variable.record);
  editor.set_attr("container", string_value(""));
  editor.set_attr("shape", shape_value(shape_message(variable.shape)));
  // Nodes of one shared_name are one variable.
  const std::string own = variable.resource() ? variable.name : std::string();
  editor.set_attr("shared_name", string_value(variable.shared.empty() ? own : variable.shared));
  // Import refuses noted shapes that contradict the value's.
  if (!is_compatible(noted_shape(constant, 0), variable.shape)) {
    editor.erase_attr("_output_shapes");
  }
  // On a constant they describe the value; a handle is a scalar.
  if (variable.resource()) editor.rename_attr("_output_shapes", kValueShapesAttr);
  return editor.finish();
}

void add_read(const NewVariable& variable, GraphBuilder& builder) {
  NodeEditor editor(variable.read, variable.resource() ? "ReadVariableOp" : "Identity");
  editor.add_input(variable.name).set_attr(kAddedAttr, bool_value(true));
  editor.set_attr(variable.resource() ? "dtype" : "T", dtype_value(variable));
  if (!variable.resource()) editor.set_attr("_class", colocated(variable));
  builder.add(editor.finish());
}

void add_assign(const NewVariable& variable, std::string_view value, GraphBuilder& builder) {
  NodeEditor assign(variable.assign, variable.resource() ? "AssignVariableOp" : "Assign");
  assign.add_input(variable.name).add_input(value);
  if (variable.resource()) {
    assign.set_attr("dtype", dtype_value(variable));
  } else {
    assign.set_attr("T", dtype_value(variable)).set_attr("_class", colocated(variable));
    assign.set_attr("use_locking", bool_value(true)).set_attr("validate_shape", bool_value(true));
  }
  builder.add(assign.finish());
}

tensorflow::VariableDef variable_def(const NewVariable& variable) {
  tensorflow::VariableDef def;
  def.set_variable_name(cat(variable.name, ":0"));
  def.set_initializer_name(variable.assign);
  def.set_snapshot_name(cat(variable.read, ":0"));
  def.set_initial_value_name(cat(variable.initializer, ":0"));
  def.set_is_resource(variable.resource());
  def.set_trainable(variable.trainable);
  if (!variable.slice.empty()) *def.mutable_save_slice_info_def() = slice_info(variable);
  return def;
}

void add_definitions(const std::map<std::string, std::vector<std::string>>& definitions,
                     tensorflow::MetaGraphDef& meta) {
  for (const auto& each : definitions) {
    auto& values = *collection_of(meta, each.first).mutable_bytes_list()->mutable_value();
    values.Add(each.second.begin(), each.second.end());
  }
}

}  // namespace cryo
