#include "passes/variables/variable_initializers.h"

#include <map>

#include "base/reference.h"
#include "base/text.h"
#include "bytes/coding.h"
#include "graph/attr_value.h"
#include "graph/node_editor.h"
#include "model/meta.h"
#include "model/string_tensor.h"
#include "model/written_prefix.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// TensorFlow's importer takes the shapes of outputs from `_output_shapes`.
std::string shape_list_value(const Shape& shape) {
  std::string list;
  put_bytes_field(list, list_field(AttrKind::kShape), shape_message(shape));
  std::string attr;
  put_bytes_field(attr, fields::AttrValue::kList, list);
  return attr;
}

}  // namespace

std::string VariableInitializers::string_const(const std::string& name, const std::string& tensor,
                                               bool prefix) {
  const std::string made = fresh_names_.take(name);
  NodeEditor editor = constant_node(made, DType::kString, tensor);
  if (prefix) editor.set_attr(kWrittenPrefixAttr, bool_value(true));
  builder_.add(editor.finish());
  return made;
}

Status VariableInitializers::store(const NewVariable& variable, const Tensor& value) {
  bytes_ += value.content.size();
  if (bytes_ > kMaxMessageBytes) {
    return failure(
        "too-large", "the values take more than 2 GiB, which no .meta can hold", {},
        "run it without " OPTION("--initial-values", "") ": they are restored from the checkpoint");
  }
  TRY(proto, const_tensor(value.dtype, value.shape, value.content, payloads_));
  builder_.add(constant_node(variable.initializer, value.dtype, proto).finish());
  return Unit{};
}

void VariableInitializers::restore(const NewVariable& variable) {
  const std::string scope = "checkpoint_initializer/";
  if (prefix_.empty()) prefix_ = string_const(cat(scope, "prefix"), string_scalar("model"), true);
  std::string slices = whole_;
  if (!variable.slice.empty() || whole_.empty()) {
    const std::string where = variable.slice.empty() ? scope : cat(variable.initializer, "/");
    slices = string_const(cat(where, "shape_and_slices"), string_vector({variable.slice}));
  }
  if (variable.slice.empty()) whole_ = slices;
  NodeEditor editor(variable.initializer, "RestoreV2");
  editor.add_input(prefix_);
  editor.add_input(
      string_const(cat(variable.initializer, "/tensor_names"), string_vector({variable.key})));
  editor.add_input(slices).set_attr("_output_shapes", shape_list_value(variable.shape));
  editor.set_attr("dtypes", type_list_value({static_cast<int>(variable.dtype)}));
  builder_.add(editor.finish());
}

Status VariableInitializers::add(NewVariable& variable, const Tensor& value) {
  const std::string scope = cat(variable.name, "/Initializer/");
  variable.initializer = fresh_names_.take(cat(scope, stored_ ? "Const" : "RestoreV2"));
  variable.assign = fresh_names_.take(cat(variable.name, "/Assign"));
  if (stored_) {
    CHECK_OK(store(variable, value));
  } else {
    restore(variable);
  }
  add_assign(variable, variable.initializer, builder_);
  return Unit{};
}

void name_initializers(const std::vector<NewVariable>& variables, tensorflow::MetaGraphDef& meta) {
  std::map<std::string_view, const NewVariable*> by_name;
  for (const NewVariable& each : variables) by_name.emplace(each.name, &each);
  for (auto& entry : *meta.mutable_collection_def()) {
    if (!is_variable_collection(entry.key())) continue;
    for (std::string& bytes : *entry.mutable_value()->mutable_bytes_list()->mutable_value()) {
      tensorflow::VariableDef def;
      if (!def.ParseFromString(bytes)) continue;
      const auto found = by_name.find(parse_tensor_name(def.variable_name()).node);
      if (found == by_name.end()) continue;
      def.set_initializer_name(found->second->assign);
      def.set_initial_value_name(cat(found->second->initializer, ":0"));
      bytes = def.SerializeAsString();
    }
  }
}

}  // namespace cryo
