// Law 1: what is opened and written in the same form is the same bytes.

#include "formats/recognize.h"
#include "laws.h"
#include "model/meta.h"
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

TEST(Identity, OfEveryMessageThroughElision) {
  Tally tally("expand(elide(x)) == x");
  for (const std::string& folder : {cat(source_folder(), "/tests/data"),
                                    cat(source_folder(), "/web/samples"), corpus_folder()}) {
    for (const std::string& path : files_below(folder)) {
      if (!path.ends_with(".pb") && !path.ends_with(".meta")) continue;
      const auto found = recognise(std::make_shared<CountedFile>(path));
      const bool saved = found && found->kind == FileKind::kSavedModel;
      if (saved) expect_same_message(path, "tensorflow.SavedModel");
      if (found && found->kind == FileKind::kGraphDef)
        expect_same_message(path, "tensorflow.GraphDef");
      if (found && found->kind == FileKind::kMetaGraph)
        expect_same_message(path, "tensorflow.MetaGraphDef");
      tally.held();
    }
  }
  EXPECT_GT(tally.count(), 100);
}

TEST(Identity, OfEveryModelOpenedAndWritten) {
  Tally tally("write(open(x)) == x");
  for (const Case& each : cases()) {
    const Opened opened(each);
    ASSERT_TRUE(opened.model.ok()) << each.name() << ": " << to_text(opened.model.error());
    if (opened.model->kind == Kind::kTfjs) {
      tally.skip("a TensorFlow.js model of old");
      continue;
    }
    const bool meta = opened.model->kind == Kind::kMetaGraph;
    const Written files = written(*opened.model, meta ? "meta" : "pb");
    // A graph with variables and without a saver gets one, on purpose.
    const bool saverless = meta && !parse_meta(*opened.model).has_saver_def();
    if (saverless && files.at("out") != bytes_of(each.path)) {
      tally.skip("it has no saver");
      continue;
    }
    EXPECT_TRUE(files.at("out") == bytes_of(each.path)) << each.name();
    tally.held();
  }
  EXPECT_GT(tally.count(), 100);
}

TEST(Identity, SurvivesValidation) {
  Tally tally("validate changes nothing");
  for (const Case& each : cases()) {
    const Opened opened(each);
    const std::string before = opened.model->graph.skeleton();
    Diagnostics first;
    Diagnostics second;
    const bool verdict = validate(*opened.model, &ops(), first);
    EXPECT_EQ(validate(*opened.model, &ops(), second), verdict) << each.name();
    EXPECT_EQ(first.all().size(), second.all().size()) << each.name();
    EXPECT_TRUE(opened.model->graph.skeleton() == before) << each.name();
    tally.held();
  }
  EXPECT_GT(tally.count(), 100);
}

TEST(Corpus, IsAtHand) {
  if (corpus_folder().empty())
    GTEST_SKIP()
        << "no corpus at ../shared/corpus: the laws were held against fixtures and sample alone";
}

}  // namespace
}  // namespace cryo::laws
