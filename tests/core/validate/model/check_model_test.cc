#include "validate/model/check_model.h"

#include "checked.h"
#include "model/init_op.h"
#include "proto/meta_graph.pb.h"

namespace cryo {
namespace {

using tensorflow::MetaGraphDef;

// A graph with a saver, a table, an unused placeholder, and the rest of its MetaGraphDef.
std::vector<std::string> nodes() {
  return {placeholder("x", {-1, 2}),
          placeholder("is_training"),
          variable("w", {2}),
          node("mm", "Mul", {"x", "w"}, kFloats),
          node("y", "Mul", {"mm", "is_training"}, kFloats),
          node("init", "NoOp")};
}

void add(MetaGraphDef& meta, const std::string& key, const std::string& side,
         const std::string& tensor, int dtype = kFloat32) {
  tensorflow::SignatureDef* signature = nullptr;
  for (auto& entry : *meta.mutable_signature_def()) {
    if (entry.key() == key) signature = entry.mutable_value();
  }
  if (signature == nullptr) {
    auto* entry = meta.add_signature_def();
    entry->set_key(key);
    signature = entry->mutable_value();
  }
  const auto fill = [&](auto* entry) {
    entry->set_key(side);
    entry->mutable_value()->set_name(tensor);
    entry->mutable_value()->set_dtype(static_cast<tensorflow::DataType>(dtype));
  };
  if (side == "in") fill(signature->add_inputs());
  if (side != "in") fill(signature->add_outputs());
}

Lines warnings(const MetaGraphDef& meta, std::shared_ptr<const Checkpoint> checkpoint = nullptr,
               std::vector<std::string> of = nodes(), Kind kind = Kind::kMetaGraph) {
  Model model = model_of(of, std::move(checkpoint));
  model.kind = kind;
  set_meta(model, meta);
  Diagnostics diagnostics;
  check_model(model, ops(), diagnostics);
  Lines lines;
  for (const Diagnostic& each : diagnostics.all()) {
    if (each.severity == Severity::kNote) continue;
    lines.push_back(cat(each.code, ": ", each.message));
  }
  return lines;
}

TEST(CheckModel, AHealthyModelHasNoWarnings) {
  MetaGraphDef meta;
  add(meta, "serving_default", "in", "x:0");
  add(meta, "serving_default", "out", "mm:0");
  add(meta, "__saved_model_init_op", "out", "init");
  auto& saver = *meta.mutable_saver_def();
  saver.set_filename_tensor_name("x:0");
  saver.set_save_tensor_name("y:0");
  saver.set_restore_op_name("init");
  auto& collection = *meta.add_collection_def();
  collection.set_key("train_op");
  collection.mutable_value()->mutable_node_list()->add_value("init");
  collection.mutable_value()->mutable_node_list()->add_value("y:0");
  EXPECT_EQ(warnings(meta, checkpoint_of({{"w", {1, 2}}})), Lines());
  EXPECT_EQ(warnings(MetaGraphDef()), Lines());
}

TEST(CheckModel, SignaturesNameTensorsOfTheGraph) {
  MetaGraphDef meta;
  add(meta, "s", "in", "x:0");
  add(meta, "s", "out", "gone:0");
  add(meta, "__saved_model_init_op", "out", "lost");
  EXPECT_EQ(warnings(meta),
            (Lines{"signature-tensor: signature 's', output 'out': 'gone:0' is not in the graph",
                   "signature-tensor: signature '__saved_model_init_op', output 'out': 'lost' is "
                   "not in the graph"}));
  MetaGraphDef port;
  add(port, "s", "in", "x:0");
  add(port, "s", "out", "mm:1");
  EXPECT_EQ(warnings(port),
            Lines{"signature-tensor: signature 's', output 'out': the node 'mm' has no output 1"});
}

TEST(CheckModel, SignaturesSayTheTypesOfTheGraph) {
  MetaGraphDef meta;
  add(meta, "s", "in", "x:0");
  add(meta, "s", "out", "mm:0", 2);
  EXPECT_EQ(warnings(meta), Lines{"signature-type: signature 's', output 'out': it is said to be "
                                  "float64, and the graph has float32"});
  MetaGraphDef of_reference;
  add(of_reference, "s", "out", "w:0");
  add(of_reference, "s", "said", "w:0", 101);
  EXPECT_EQ(warnings(of_reference), Lines()) << "a reference counts as its value";
}

TEST(CheckModel, OutputsNeedNoMoreThanTheSignaturesInputs) {
  MetaGraphDef meta;
  add(meta, "s", "in", "x:0");
  add(meta, "s", "out", "y:0");
  EXPECT_EQ(warnings(meta),
            Lines{"placeholder-not-fed: You must feed a value for placeholder tensor "
                  "'is_training': the outputs of signature 's' need it, and it is not one of its "
                  "inputs"});
  add(meta, "s", "in", "is_training:0");
  EXPECT_EQ(warnings(meta), Lines());
}

TEST(CheckModel, TablesOfOutputsAreFilled) {
  std::vector<std::string> with = nodes();
  with.push_back(node("table", "HashTableV2"));
  with.push_back(node("default", "Const"));
  with.push_back(node("find", "LookupTableFindV2", {"table", "x", "default"}));
  MetaGraphDef meta;
  add(meta, "s", "in", "x:0");
  add(meta, "s", "out", "find:0");
  EXPECT_EQ(warnings(meta, nullptr, with),
            Lines{"table-not-filled: Table not initialized: nothing in the graph fills the table "
                  "'table', which the outputs of signature 's' need"});
  with.push_back(node("fill", "InitializeTableV2", {"table", "default", "default"}));
  EXPECT_EQ(warnings(meta, nullptr, with), Lines());

  // A SavedModel's loader runs no more than what the SavedModel names.
  EXPECT_EQ(
      warnings(meta, nullptr, with, Kind::kSavedModel),
      Lines{"table-not-filled: Table not initialized: nothing that is run when the SavedModel "
            "is loaded fills the table 'table', which the outputs of signature 's' need"});
  find_init_op(model_of(with).graph, meta);
  EXPECT_EQ(warnings(meta, nullptr, with, Kind::kSavedModel), Lines());
}

TEST(CheckModel, CollectionsNameNodesOfTheGraph) {
  MetaGraphDef meta;
  auto& collection = *meta.add_collection_def();
  collection.set_key("train_op");
  collection.mutable_value()->mutable_node_list()->add_value("gone");
  EXPECT_EQ(warnings(meta), Lines{"collection-node: the collection 'train_op' names what is not in "
                                  "the graph: 'gone'"});
}

TEST(CheckModel, CollectionsOfQueuesAndContextsNameNodesOfTheGraph) {
  const auto holding = [](const std::string& key, uint32_t field, const std::string& name) {
    std::string message;
    put_bytes_field(message, field, name);
    MetaGraphDef meta;
    auto& collection = *meta.add_collection_def();
    collection.set_key(key);
    collection.mutable_value()->mutable_bytes_list()->add_value(message);
    return warnings(meta).size();
  };
  EXPECT_EQ(holding("queue_runners", 2, "gone"), 1U);
  EXPECT_EQ(holding("queue_runners", 2, "init"), 0U);
  EXPECT_EQ(holding("losses", 1, "gone"), 0U) << "a message that nobody knows";
}

// control_flow_ops.py looks up the names that it needs, exits and entries, and values but for those
// that stand for one from around the context.
TEST(CheckModel, ContextsNameNodesOfTheGraph) {
  const auto missing_of = [](const std::string& key, const std::vector<std::string>& fields) {
    std::string message;
    for (const std::string& field : fields) message += field;
    MetaGraphDef meta;
    auto& collection = *meta.add_collection_def();
    collection.set_key(key);
    collection.mutable_value()->mutable_bytes_list()->add_value(message);
    const Lines found = warnings(meta);
    constexpr std::string_view kBefore = "not in the graph: ";
    return found.empty() ? "" : found[0].substr(found[0].find(kBefore) + kBefore.size());
  };
  const auto name = [](uint32_t field, const std::string& value) {
    std::string bytes;
    put_bytes_field(bytes, field, value);
    return bytes;
  };
  const std::vector<std::string> cond = {name(1, "cond"), name(2, "x:0"), name(3, "mm:0")};
  EXPECT_EQ(missing_of("cond_context", cond), "");
  EXPECT_EQ(missing_of("cond_context", {cond[1]}), "''") << "no pivot";
  EXPECT_EQ(missing_of("cond_context", {cond[2], name(2, "gone:0")}), "'gone:0'");
  const std::string external = name(1, "inside:0") + name(2, name(1, "inside:0") + name(2, "w:0"));
  EXPECT_EQ(missing_of("cond_context", {cond[1], cond[2], name(5, external)}), "");
  EXPECT_EQ(missing_of("cond_context", {cond[1], cond[2], name(5, name(1, ""))}), "''");
  const std::vector<std::string> loop = {name(5, "x:0"), name(6, "mm:0"), name(7, "y:0")};
  EXPECT_EQ(missing_of("while_context", loop), "");
  EXPECT_EQ(missing_of("while_context", {loop[0], loop[1], loop[2], name(8, "gone:0")}),
            "'gone:0'");
  EXPECT_EQ(missing_of("while_context", {loop[0], loop[1]}), "''") << "no pivot of the body";
}

TEST(CheckModel, CollectionsOfVariablesAreWhole) {
  tensorflow::VariableDef def;
  def.set_variable_name("w:0");
  def.set_initializer_name("w/Assign");
  def.set_snapshot_name("w:0");
  MetaGraphDef meta;
  auto& collection = *meta.add_collection_def();
  collection.set_key("trainable_variables");
  collection.mutable_value()->mutable_bytes_list()->add_value(def.SerializeAsString());
  EXPECT_EQ(warnings(meta), Lines{"collection-variable: the collection 'trainable_variables' names "
                                  "what is not in the graph: 'w/Assign'"});
}

TEST(CheckModel, TheSaversNodesAreThere) {
  MetaGraphDef meta;
  meta.mutable_saver_def()->set_restore_op_name("save/restore_all");
  EXPECT_EQ(warnings(meta), Lines{"saver-node: the saver (SaverDef) names 'save/restore_all', "
                                  "which is not in the graph"});
}

TEST(CheckModel, AssetsAreThere) {
  Model model = model_of(nodes());
  MetaGraphDef meta;
  auto& asset = *meta.add_asset_file_def();
  asset.set_filename("vocab.txt");
  asset.mutable_tensor_info()->set_name("gone:0");
  set_meta(model, meta);
  auto parts = std::make_shared<SavedModelParts>();
  model.saved_model = parts;
  Diagnostics two;
  check_model(model, ops(), two);
  EXPECT_EQ(codes(two), (Lines{"asset-tensor", "asset-missing"}));
  asset.mutable_tensor_info()->set_name("x:0");
  set_meta(model, meta);
  parts->others.push_back({"assets/vocab.txt", nullptr});
  Diagnostics none;
  check_model(model, ops(), none);
  EXPECT_EQ(codes(none), Lines());
}

TEST(CheckModel, VariablesFindTheirValues) {
  EXPECT_EQ(warnings(MetaGraphDef(), checkpoint_of({{"w1", {1, 2}}})),
            Lines{"missing-key: Key w not found in checkpoint"});
  EXPECT_EQ(warnings(MetaGraphDef(), checkpoint_of({{"w", {1, 2, 3}}})),
            Lines{"checkpoint-mismatch: the graph declares float32 [2], the checkpoint holds "
                  "float32 [3]"});
  std::vector<std::string> with = nodes();
  with.push_back(variable("dense/kernel", {2}));
  EXPECT_EQ(
      warnings(MetaGraphDef(), checkpoint_of({{"dense/kernal", {1, 2}}, {"w", {1, 2}}}), with),
      Lines{"missing-key: Key dense/kernel not found in checkpoint (did you mean "
            "dense/kernal?)"});
}

TEST(CheckModel, OfASaverOnlyWhatItRestores) {
  Model model = model_of(nodes(), checkpoint_of({{"v", {1, 2}}}));
  model.restores.edit()["other"] = {"v", ""};
  Diagnostics diagnostics;
  check_model(model, ops(), diagnostics);
  EXPECT_EQ(codes(diagnostics), Lines{"unused-weights"});
}

}  // namespace
}  // namespace cryo
