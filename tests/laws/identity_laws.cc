// Law 1: what is opened and written in the same form is the same bytes.

#include <gtest/gtest.h>

#include "formats/recognize.h"
#include "laws.h"
#include "model/meta.h"
#include "road.h"
#include "validate/validate.h"
#include "wire/elide.h"

namespace cryo::laws {
namespace {

// Elision and back, of a file as a message.
void expect_same_message(const std::string& path, std::string_view message) {
  const auto source = std::make_shared<CountedFile>(path);
  Payloads payloads;
  const auto skeleton = elide(whole(source), message_schema(message), payloads);
  ASSERT_TRUE(skeleton.ok()) << path << ": " << to_text(skeleton.error());
  const auto expanded = expand(*skeleton, message_schema(message), payloads);
  ASSERT_TRUE(expanded.ok()) << path;
  EXPECT_TRUE(*expanded->read_all() == bytes_of(path)) << path;
}

void through_elision(Road& road, Tally& tally) {
  const std::string& path = road.of().path;
  const auto found = recognise(std::make_shared<CountedFile>(path));
  if (found->kind == FileKind::kTflite) return tally.skip("a TensorFlow Lite model, no message");
  const bool graph = found->kind == FileKind::kGraphDef;
  expect_same_message(path, graph ? "tensorflow.GraphDef" : "tensorflow.MetaGraphDef");
  ++tally.held;
}

void opened_and_written(Road& road, Tally& tally) {
  const Model& model = road.model();
  if (model.kind == Kind::kTfjs) return tally.skip("a TensorFlow.js model of old");
  if (model.kind == Kind::kTflite) return tally.skip("a TensorFlow Lite model, translated");
  const bool meta = model.kind == Kind::kMetaGraph;
  const Written files = written(model, meta ? "meta" : "pb");
  // A graph with variables and without a saver gets one, on purpose.
  const bool saverless = meta && !parse_meta(model).has_saver_def();
  const bool same = files.at("out") == bytes_of(road.of().path);
  if (saverless && !same) return tally.skip("it has no saver");
  EXPECT_TRUE(same);
  ++tally.held;
}

void unchanged_by_validation(Road& road, Tally& tally) {
  const Model& model = road.model();
  const std::string before = model.graph.skeleton();
  Diagnostics first;
  Diagnostics second;
  const bool verdict = validate(model, &ops(), first);
  EXPECT_EQ(validate(model, &ops(), second), verdict);
  EXPECT_EQ(first.all().size(), second.all().size());
  EXPECT_TRUE(model.graph.skeleton() == before);
  ++tally.held;
}

TEST(Identity, OfSavedModelsThroughElision) {
  ASSERT_FALSE(saved_models().empty());
  for (const std::string& path : saved_models()) expect_same_message(path, "tensorflow.SavedModel");
}

}  // namespace

std::vector<Law> identity_laws() {
  return {{"expand(elide(x)) == x", 100, through_elision},
          {"write(open(x)) == x", 100, opened_and_written},
          {"validate changes nothing", 100, unchanged_by_validation}};
}

}  // namespace cryo::laws
