#include "model/saver.h"

#include <algorithm>
#include <tuple>

#include "base/sort.h"
#include "base/text.h"
#include "graph/node_editor.h"
#include "model/string_tensor.h"

namespace cryo {
namespace {

int number(DType dtype) { return static_cast<int>(dtype); }

std::string colocated_with(std::string_view node) {
  return string_list_value({cat("loc:@", node)});
}

// How an op that takes a file, names and slices is named, and what it calls slices and types.
struct BundleOp {
  std::string_view node;
  std::string_view op;
  std::string_view slices;
  std::string_view types;
};
constexpr BundleOp kSaveV2 = {"SaveV2", "SaveV2", "shape_and_slices", "dtypes"};
constexpr BundleOp kSaveSlices = {"save", "SaveSlices", "shapes_and_slices", "T"};
constexpr BundleOp kRestoreV2 = {"RestoreV2", "RestoreV2", "shape_and_slices", "dtypes"};

std::string in_saver(const std::string& scope, std::string_view name) {
  return cat(scope, "/", name);
}

// "save", or the first "save_k" in which the saver's own nodes have room.
std::string free_scope(const BundleOp& saves, const NodeNames& names) {
  for (int i = 0;; ++i) {
    const std::string scope = i == 0 ? std::string("save") : cat("save_", i);
    const auto free = [&](std::string_view name) {
      return names.find(cat(scope, "/", name)) == kNoNode;
    };
    if (names.find(scope) == kNoNode && free("Const") && free(saves.node) && free("RestoreV2") &&
        free("restore_all") && free("Assign") && free("AssignVariableOp") && free("Identity")) {
      return scope;
    }
  }
}

std::string string_const(const std::string& scope, std::string_view name, std::string tensor,
                         GraphBuilder& builder) {
  builder.add(constant_node(in_saver(scope, name), DType::kString, tensor).finish());
  return in_saver(scope, name);
}

// The path, to be fed: Const "model" -> PlaceholderWithDefault -> save/Const.
std::string add_filename(const std::string& scope, GraphBuilder& builder) {
  std::string previous = string_const(scope, "filename/input", string_scalar("model"), builder);
  for (const std::string_view name : {"filename", "Const"}) {
    NodeEditor editor(in_saver(scope, name), "PlaceholderWithDefault");
    editor.add_input(previous).set_attr("dtype", type_value(number(DType::kString)));
    builder.add(editor.set_attr("shape", shape_value("")).finish());
    previous = in_saver(scope, name);
  }
  return previous;
}

// Up to the inputs that saving and restoring both have: the file, the keys, and for each key the
// slice ("": all of the tensor).
NodeEditor bundle_op(const std::string& scope, const BundleOp& op, const std::string& file,
                     const std::vector<SavedVariable>& variables, GraphBuilder& builder) {
  std::vector<std::string> keys;
  std::vector<std::string> slices;
  std::vector<int> dtypes;
  for (const SavedVariable& variable : variables) {
    keys.push_back(variable.key);
    slices.push_back(variable.slice);
    dtypes.push_back(number(variable.dtype));
  }
  NodeEditor editor(in_saver(scope, op.node), op.op);
  editor.add_input(file);
  editor.add_input(
      string_const(scope, cat(op.node, "/tensor_names"), string_vector(keys), builder));
  editor.add_input(
      string_const(scope, cat(op.node, "/", op.slices), string_vector(slices), builder));
  return editor.set_attr(op.types, type_list_value(dtypes));
}

// A key is saved once: of variables that share one (model/object_restores.h), the first.
void add_save(const BundleOp& saves, const std::string& scope, const std::string& file,
              const std::vector<SavedVariable>& variables, GraphBuilder& builder) {
  std::vector<SavedVariable> saved_once = variables;
  const auto same = [](const SavedVariable& a, const SavedVariable& b) {
    return a.key == b.key && a.slice == b.slice;
  };
  saved_once.erase(std::unique(saved_once.begin(), saved_once.end(), same), saved_once.end());
  NodeEditor editor = bundle_op(scope, saves, file, saved_once, builder);
  for (const SavedVariable& variable : saved_once) editor.add_input(variable.read);
  builder.add(editor.finish());
  NodeEditor saved(in_saver(scope, "control_dependency"), "Identity");
  saved.add_input(file).add_input(cat("^", in_saver(scope, saves.node)));
  saved.set_attr("T", type_value(number(DType::kString)));
  builder.add(saved.set_attr("_class", colocated_with(file)).finish());
}

// "save/Assign", "save/Assign_1", ...; a resource's goes through an Identity. Returns the
// assignment's name.
std::string add_assign(const std::string& scope, const SavedVariable& variable,
                       const std::string& restored, size_t index, GraphBuilder& builder) {
  const std::string suffix = index == 0 ? std::string() : cat("_", index);
  const std::string dtype = type_value(number(variable.dtype));
  if (!variable.resource) {
    NodeEditor editor(cat(in_saver(scope, "Assign"), suffix), "Assign");
    editor.add_input(variable.node).add_input(restored).set_attr("T", dtype);
    editor.set_attr("_class", colocated_with(variable.node));
    editor.set_attr("use_locking", bool_value(true));
    editor.set_attr("validate_shape", bool_value(variable.has_shape));
    builder.add(editor.finish());
    return cat(in_saver(scope, "Assign"), suffix);
  }
  NodeEditor value(cat(in_saver(scope, "Identity"), suffix), "Identity");
  builder.add(value.add_input(restored).set_attr("T", dtype).finish());
  NodeEditor editor(cat(in_saver(scope, "AssignVariableOp"), suffix), "AssignVariableOp");
  editor.add_input(variable.node).add_input(cat(in_saver(scope, "Identity"), suffix));
  builder.add(editor.set_attr("dtype", dtype).finish());
  return cat(in_saver(scope, "AssignVariableOp"), suffix);
}

void add_restore(const std::string& scope, const std::string& file,
                 const std::vector<SavedVariable>& variables, GraphBuilder& builder) {
  builder.add(
      bundle_op(scope, kRestoreV2, file, variables, builder).set_device("/device:CPU:0").finish());
  std::vector<std::string> assigned;
  for (size_t i = 0; i < variables.size(); ++i) {
    const std::string restored =
        to_text(TensorName{in_saver(scope, "RestoreV2"), static_cast<uint32_t>(i)});
    assigned.push_back(cat("^", add_assign(scope, variables[i], restored, i, builder)));
  }
  builder.add(
      NodeEditor(in_saver(scope, "restore_all"), "NoOp").set_inputs(std::move(assigned)).finish());
}

tensorflow::SaverDef write_saver(const BundleOp& saves, const std::string& scope,
                                 std::vector<SavedVariable>& variables, GraphBuilder& builder) {
  sort(variables, [](const SavedVariable& a, const SavedVariable& b) {
    return std::tie(a.key, a.slice, a.copy, a.node) < std::tie(b.key, b.slice, b.copy, b.node);
  });
  const std::string file = add_filename(scope, builder);
  add_save(saves, scope, file, variables, builder);
  add_restore(scope, file, variables, builder);
  tensorflow::SaverDef saver;
  saver.set_filename_tensor_name(cat(file, ":0"));
  saver.set_save_tensor_name(cat(in_saver(scope, "control_dependency"), ":0"));
  saver.set_restore_op_name(in_saver(scope, "restore_all"));
  saver.set_max_to_keep(5);
  saver.set_keep_checkpoint_every_n_hours(10000.0F);
  return saver;
}

}  // namespace

tensorflow::SaverDef add_saver(std::vector<SavedVariable> variables,
                               tensorflow::SaverDef::CheckpointFormatVersion version,
                               const NodeNames& names, GraphBuilder& builder) {
  const BundleOp& saves = version == tensorflow::SaverDef::V1 ? kSaveSlices : kSaveV2;
  tensorflow::SaverDef saver = write_saver(saves, free_scope(saves, names), variables, builder);
  saver.set_version(version);
  return saver;
}

}  // namespace cryo
