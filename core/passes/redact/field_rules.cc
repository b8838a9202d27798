#include "passes/redact/field_rules.h"

#include <algorithm>

namespace cryo {
namespace {

constexpr FieldRule kRemove = FieldRule::kRemove, kKeep = FieldRule::kKeep,
                    kZero = FieldRule::kZero, kName = FieldRule::kName,
                    kArgument = FieldRule::kArgument, kFunction = FieldRule::kFunction,
                    kAttrText = FieldRule::kAttrText, kDevice = FieldRule::kDevice,
                    kSource = FieldRule::kSource;

constexpr FieldRow kRows[] = {
    {"AssetFileDef", "filename", kName},
    {"AttrValue", "placeholder", kKeep},
    {"AttrValue", "s", kAttrText},
    {"AttrValue.ListValue", "s", kAttrText},
    {"BoundedTensorSpecProto", "name", kName},
    {"CapturedTensor", "concrete_function", kFunction},
    {"CapturedTensor", "name", kName},
    {"CollectionDef.FloatList", "value", kZero},
    {"CollectionDef.NodeList", "value", kName},
    {"DictValue.FieldsEntry", "key", kArgument},
    {"FullTypeDef", "s", kName},
    {"FunctionDef.ArgAttrs.AttrEntry", "key", kKeep},
    {"FunctionDef.AttrEntry", "key", kKeep},
    {"FunctionDef.ControlRetEntry", "key", kName},
    {"FunctionDef.ControlRetEntry", "value", kName},
    {"FunctionDef.RetEntry", "key", kName},
    {"FunctionDef.RetEntry", "value", kSource},
    {"GradientDef", "function_name", kFunction},
    {"GradientDef", "gradient_func", kFunction},
    {"GraphDef", "debug_info", kRemove},
    {"MetaGraphDef.CollectionDefEntry", "key", kName},
    {"MetaGraphDef.MetaInfoDef", "any_info", kRemove},
    {"MetaGraphDef.MetaInfoDef", "tags", kName},
    {"MetaGraphDef.MetaInfoDef", "tensorflow_git_version", kKeep},
    {"MetaGraphDef.MetaInfoDef", "tensorflow_version", kKeep},
    {"MetaGraphDef.MetaInfoDef.FunctionAliasesEntry", "key", kFunction},
    {"MetaGraphDef.MetaInfoDef.FunctionAliasesEntry", "value", kName},
    {"MetaGraphDef.SignatureDefEntry", "key", kName},
    {"NameAttrList", "name", kFunction},
    {"NameAttrList.AttrEntry", "key", kKeep},
    {"NamedTupleValue", "name", kName},
    {"NodeDef", "experimental_debug_info", kRemove},
    {"NodeDef.AttrEntry", "key", kKeep},
    {"OpDef", "control_output", kName},
    {"OpDef", "name", kFunction},
    {"OpDef.ArgDef", "name", kName},
    {"OpDef.ArgDef", "number_attr", kKeep},
    {"OpDef.ArgDef", "type_attr", kKeep},
    {"OpDef.ArgDef", "type_list_attr", kKeep},
    {"OpDef.AttrDef", "name", kKeep},
    {"OpDef.AttrDef", "type", kKeep},
    {"PairValue", "key", kName},
    {"RegisteredGradient", "gradient_func", kFunction},
    {"RegisteredGradient", "registered_op_type", kName},
    {"RegisteredSaver", "name", kName},
    {"RegisteredSaver", "object_name", kName},
    {"ResourceHandleProto", "container", kName},
    {"ResourceHandleProto", "device", kDevice},
    {"ResourceHandleProto", "maybe_type_name", kKeep},
    {"ResourceHandleProto", "name", kName},
    {"SavedBareConcreteFunction", "argument_keywords", kArgument},
    {"SavedBareConcreteFunction", "concrete_function_name", kFunction},
    {"SavedConstant", "operation", kName},
    {"SavedFunction", "concrete_functions", kFunction},
    {"SavedObject", "registered_name", kName},
    {"SavedObject", "registered_saver", kName},
    {"SavedObject", "serialized_user_proto", kRemove},
    {"SavedObject.SaveableObjectsEntry", "key", kName},
    {"SavedObjectGraph.ConcreteFunctionsEntry", "key", kFunction},
    {"SavedResource", "device", kDevice},
    {"SavedUserObject", "identifier", kName},
    {"SavedVariable", "device", kDevice},
    {"SavedVariable", "name", kName},
    {"SaverDef", "filename_tensor_name", kName},
    {"SaverDef", "restore_op_name", kName},
    {"SaverDef", "save_tensor_name", kName},
    {"SignatureDef", "method_name", kName},
    {"SignatureDef.DefaultsEntry", "key", kName},
    {"SignatureDef.InputsEntry", "key", kName},
    {"SignatureDef.OutputsEntry", "key", kName},
    {"StructuredValue", "float64_value", kZero},
    {"StructuredValue", "string_value", kName},
    {"TensorInfo", "name", kName},
    {"TensorInfo.CooSparse", "dense_shape_tensor_name", kName},
    {"TensorInfo.CooSparse", "indices_tensor_name", kName},
    {"TensorInfo.CooSparse", "values_tensor_name", kName},
    {"TensorSpecProto", "name", kName},
    {"TrackableObjectGraph.TrackableObject.ObjectReference", "local_name", kName},
    {"TrackableObjectGraph.TrackableObject.SerializedTensor", "checkpoint_key", kName},
    {"TrackableObjectGraph.TrackableObject.SerializedTensor", "full_name", kName},
    {"TrackableObjectGraph.TrackableObject.SerializedTensor", "name", kName},
    {"TrackableObjectGraph.TrackableObject.SlotVariableReference", "slot_name", kName},
    {"TypeSpecProto", "type_spec_class_name", kName},
    {"VariantTensorDataProto", "type_name", kKeep},
};

}  // namespace

std::span<const FieldRow> field_rows() { return kRows; }

FieldRule field_rule(const MessageSchema& message, const FieldSchema& field) {
  constexpr std::string_view kPackage = "tensorflow.";
  std::string_view name = message.name;
  if (name.starts_with(kPackage)) name.remove_prefix(kPackage.size());
  const auto found = std::find_if(std::begin(kRows), std::end(kRows), [&](const FieldRow& row) {
    return row.message == name && row.field == field.name;
  });
  if (found != std::end(kRows)) return found->rule;
  const bool free_text = field.type == FieldType::kString || field.type == FieldType::kBytes;
  return free_text ? kRemove : kKeep;
}

}  // namespace cryo
