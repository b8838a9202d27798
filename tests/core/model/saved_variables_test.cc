#include "model/saved_variables.h"

#include <gtest/gtest.h>

#include "bytes/crc32c.h"
#include "graphs.h"
#include "model/meta.h"
#include "proto/meta_graph.pb.h"
#include "wire/cursor.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// SavedObjectGraph's fields (proto/object_graph.proto).
constexpr uint32_t kNodes = 1, kChildren = 1, kVariable = 7, kNodeId = 1, kLocalName = 2, kName = 6;

struct SavedObject {
  std::string path;  // below the root
  std::string name;
};

// A tree of one level: the root's children are variables.
std::string objects(const std::vector<SavedObject>& variables) {
  std::string root;
  std::string nodes;
  for (size_t i = 0; i < variables.size(); ++i) {
    std::string child;
    put_varint_field(child, kNodeId, i + 1);
    put_bytes_field(child, kLocalName, variables[i].path);
    put_bytes_field(root, kChildren, child);
    std::string variable;
    put_bytes_field(variable, kName, variables[i].name);
    std::string object;
    put_bytes_field(object, kVariable, variable);
    put_bytes_field(nodes, kNodes, object);
  }
  std::string all;
  put_bytes_field(all, kNodes, root);
  return all + nodes;
}

// With the checksums of the values, as an index states them.
std::shared_ptr<const Checkpoint> summed(const Checkpoint& plain) {
  Checkpoint checkpoint = plain;
  for (CheckpointEntry& entry : checkpoint.entries) {
    CheckpointPart part;
    part.masked_crc = crc32c(*entry.content.read_all());
    entry.parts = {part};
  }
  return std::make_shared<const Checkpoint>(std::move(checkpoint));
}

// "w: weight v" or "w: copy of v", of each variable.
Lines named(std::vector<std::string> nodes, const std::vector<SavedObject>& saved,
            Restores restores,
            std::vector<std::pair<std::string, std::vector<float>>> values = {}) {
  for (auto& value : values) value.first += "/.ATTRIBUTES/VARIABLE_VALUE";
  for (auto& each : restores) each.second.key += "/.ATTRIBUTES/VARIABLE_VALUE";
  Model model = model_of(nodes, summed(*checkpoint_of(values)));
  model.kind = Kind::kSavedModel;
  model.restores = std::move(restores);
  std::string objects_field;
  put_bytes_field(objects_field, fields::MetaGraphDef::kObjectGraphDef, objects(saved));
  model.meta = std::move(objects_field);
  tensorflow::MetaGraphDef meta = parse_meta(model);
  meta.mutable_saver_def()->set_save_tensor_name("save:0");
  meta.mutable_saver_def()->set_restore_op_name("restore");
  set_meta(model, meta);
  Lines lines;
  for (const Variable& each : variables_of(model)) {
    lines.push_back(each.copy_of.empty() ? cat(each.name, ": weight ", each.weight)
                                         : cat(each.name, ": copy of ", each.copy_of));
  }
  return lines;
}

std::string handle(std::string_view name) { return variable(name, {2}, "VarHandleOp"); }

// The handles that Keras 3 makes of one weight.
std::vector<std::string> exported() {
  return {handle("c/kernel"),
          node("c/kernel/Read/ReadVariableOp", "ReadVariableOp", {"c/kernel"}),
          handle("c/kernel_1"),
          node("Variable_8/Initializer/ReadVariableOp", "ReadVariableOp", {"c/kernel_1"}),
          handle("Variable_8"),
          node("Variable_8/Assign", "AssignVariableOp",
               {"Variable_8", "Variable_8/Initializer/ReadVariableOp"}),
          node("serve", "StatefulPartitionedCall", {"c/kernel_1"}),
          node("save", "StatefulPartitionedCall", {"Variable_8", "c/kernel_1"}),
          node("restore", "StatefulPartitionedCall", {"Variable_8", "c/kernel_1"})};
}
const std::vector<SavedObject> kKernels = {{"a", "c/kernel"}, {"b", "c/kernel"}};
const Restores kRestored = {
    {"c/kernel", {"b", ""}}, {"c/kernel_1", {"b", ""}}, {"Variable_8", {"a", ""}}};

TEST(SavedVariables, AreOneForEachWeight) {
  EXPECT_EQ(named(exported(), kKernels, kRestored, {{"a", {1, 2}}, {"b", {1, 2}}}),
            (Lines{"c/kernel: copy of c/kernel_1", "c/kernel_1: weight c/kernel",
                   "Variable_8: copy of c/kernel_1"}));
}

// A target network starts as a copy too, and then has values of its own.
TEST(SavedVariables, AreTwoWhereTheValuesDiffer) {
  const auto lines = named(exported(), kKernels, kRestored, {{"a", {1, 2}}, {"b", {1, 3}}});
  EXPECT_EQ(lines[2].substr(0, 18), "Variable_8: weight");
}

TEST(SavedVariables, AreTwoWhereAFunctionTakesBoth) {
  std::vector<std::string> nodes = exported();
  nodes.push_back(node("other", "StatefulPartitionedCall", {"c/kernel"}));
  EXPECT_EQ(named(nodes, kKernels, kRestored)[0].substr(0, 16), "c/kernel: weight");
}

TEST(SavedVariables, GoByTheNamesOfTheirObjects) {
  const std::vector<std::string> nodes = {handle("w_1"), handle("Variable_3"), handle("Variable"),
                                          handle("u"), handle("u_1")};
  const std::vector<SavedObject> saved = {
      {"w", "w"}, {"x", "Variable"}, {"y", "k"}, {"u", "u"}, {"v", "u"}};
  EXPECT_EQ(named(nodes, saved,
                  {{"w_1", {"w", ""}},
                   {"Variable_3", {"x", ""}},
                   {"Variable", {"y", ""}},
                   {"u", {"u", ""}},
                   {"u_1", {"v", ""}}}),
            (Lines{"w_1: weight w", "Variable_3: weight x", "Variable: weight k", "u: weight u",
                   "u_1: weight u_1"}));
}

}  // namespace
}  // namespace cryo
