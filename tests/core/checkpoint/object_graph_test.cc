#include "checkpoint/object_graph.h"

#include <gtest/gtest.h>

#include "bytes/coding.h"
#include "graphs.h"
#include "proto/object_graph.pb.h"

namespace cryo {
namespace {

using tensorflow::TrackableObjectGraph;

void add_child(TrackableObjectGraph::TrackableObject& object, const std::string& name, int id) {
  auto* child = object.add_children();
  child->set_local_name(name);
  child->set_node_id(id);
}

// A checkpoint that holds nothing but `text` as its object graph.
Checkpoint holding(const std::string& text) {
  CheckpointEntry entry{std::string(kObjectGraphKey), DType::kString};
  std::string content;
  put_varint(content, text.size());
  entry.content = Splice(fresh(cat(content, "CRC.", text)));
  Checkpoint checkpoint;
  checkpoint.entries.push_back(entry);
  return checkpoint;
}

TrackableObjectGraph small() {
  TrackableObjectGraph graph;
  add_child(*graph.add_nodes(), "w", 1);
  auto* value = graph.add_nodes()->add_attributes();
  value->set_name("VARIABLE_VALUE");
  value->set_full_name("scope/w");
  value->set_checkpoint_key("w/.ATTRIBUTES/VARIABLE_VALUE");
  return graph;
}

TEST(ObjectGraph, TellsEachVariablesNameAndKey) {
  const auto objects = read_checkpoint_objects(holding(small().SerializeAsString()));
  ASSERT_TRUE(objects.ok()) << failure_of(objects);
  ASSERT_EQ(objects->size(), 2U);
  EXPECT_FALSE(objects->front().is_variable);
  EXPECT_EQ(objects->front().children[0].name, "w");
  EXPECT_EQ(objects->front().children[0].object, 1U);
  EXPECT_TRUE(objects->back().is_variable);
  EXPECT_EQ(objects->back().name, "scope/w");
  EXPECT_EQ(plain_key(objects->back().key), "w");
}

TEST(ObjectGraph, IsEmptyOfACheckpointByNames) {
  const auto objects = read_checkpoint_objects(*checkpoint_of({{"w", {1}}}));
  ASSERT_TRUE(objects.ok());
  EXPECT_TRUE(objects->empty());
}

TEST(ObjectGraph, DropsIdsThatAreNoObjects) {
  TrackableObjectGraph graph = small();
  add_child(*graph.mutable_nodes(0), "far", 2);
  add_child(*graph.mutable_nodes(0), "negative", -1);
  auto* slot = graph.mutable_nodes(0)->add_slot_variables();
  slot->set_original_variable_node_id(9);
  const auto objects = read_checkpoint_objects(holding(graph.SerializeAsString()));
  ASSERT_TRUE(objects.ok());
  EXPECT_EQ(objects->front().children.size(), 1U);
  EXPECT_TRUE(objects->front().slots.empty());
}

TEST(ObjectGraph, OfADamagedCheckpointIsAnError) {
  Checkpoint cut = holding(small().SerializeAsString());
  cut.entries[0].content = cut.entries[0].content.sub(0, 20);
  EXPECT_EQ(read_checkpoint_objects(cut).error().code, "bad-object-graph");
  Checkpoint many = holding("");
  many.entries[0].shape.dims = {2};
  EXPECT_EQ(read_checkpoint_objects(many).error().code, "bad-object-graph");
}

TEST(ObjectGraph, OfASavedModelTellsWhatFunctionsCapture) {
  tensorflow::SavedObjectGraph graph;
  graph.add_nodes();
  graph.add_nodes()->mutable_variable()->set_name("w");
  auto* function = graph.add_concrete_functions();
  function->set_key("f");
  for (const int id : {1, 7}) function->mutable_value()->add_bound_inputs(id);
  const SavedObjects saved = read_saved_objects(graph.SerializeAsString());
  ASSERT_EQ(saved.objects.size(), 2U);
  EXPECT_TRUE(saved.objects[1].is_variable);
  EXPECT_EQ(saved.objects[1].name, "w");
  EXPECT_EQ(saved.captures.at("f"), (std::vector<uint32_t>{1, 0}));
}

TEST(ObjectGraph, OfASavedModelTellsWhatIsTrainable) {
  tensorflow::SavedObjectGraph graph;
  const auto add = [&](const char* name, bool trainable) {
    auto* variable = graph.add_nodes()->mutable_variable();
    variable->set_name(name);
    variable->set_trainable(trainable);
  };
  graph.add_nodes();
  add("kernel", true);
  add("moving_mean", false);
  add("Variable", true);
  add("Variable", false);
  EXPECT_EQ(
      trainable_objects(graph.SerializeAsString()),
      (std::map<std::string, bool>{{"kernel", true}, {"moving_mean", false}, {"Variable", false}}));
}

TEST(ObjectGraph, LeavesOtherKeysAsTheyAre) {
  EXPECT_EQ(plain_key("a/.ATTRIBUTES/VARIABLE_VALUE"), "a");
  EXPECT_EQ(plain_key("a/.ATTRIBUTES/table-keys"), "a/.ATTRIBUTES/table-keys");
}

}  // namespace
}  // namespace cryo
