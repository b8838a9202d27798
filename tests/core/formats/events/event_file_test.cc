#include "formats/events/event_file.h"

#include <gtest/gtest.h>

#include "bytes/crc32c.h"
#include "counting_source.h"
#include "files.h"
#include "formats/open.h"
#include "graphs.h"

namespace cryo {
namespace {

std::string record(std::string_view data) {
  std::string bytes;
  put_fixed64(bytes, data.size());
  put_fixed32(bytes, mask_crc(crc32c(bytes)));
  bytes += data;
  put_fixed32(bytes, mask_crc(crc32c(data)));
  return bytes;
}

std::string event(uint32_t field, std::string_view value) {
  std::string message = unhex("09 00 00 00 00 00 00 f0 3f");  // wall_time
  put_bytes_field(message, field, value);
  return record(message);
}

std::string version() { return event(fields::Event::kFileVersion, "brain.Event:2"); }

std::string graph_def(std::string_view node_name) {
  const Model model = model_of({placeholder(node_name)});
  return model.graph.skeleton();
}

std::string meta_graph_def(std::string_view node_name) {
  std::string message;
  put_bytes_field(message, fields::MetaGraphDef::kGraphDef, graph_def(node_name));
  return message;
}

std::string graph_event(std::string_view node_name) {
  return event(fields::Event::kGraphDef, graph_def(node_name));
}

// "w: event-file", or the code of the error; then the codes of diagnostics.
std::string opened(std::string bytes, const OpenOptions& options = {"events"}) {
  Diagnostics diagnostics;
  const SourcePtr file = std::make_shared<MemorySource>(std::move(bytes), "events");
  const Result<Model> model = open({file}, options, diagnostics);
  std::string text =
      model ? cat(model->graph.nodes()[0].name, ": ", kind_name(model->kind)) : model.error().code;
  for (const Diagnostic& each : diagnostics.all()) text += cat(" ", each.code);
  return text;
}

TEST(EventFile, GivesItsGraph) {
  EXPECT_EQ(opened(cat(version(), graph_event("x"))), "x: event-file");
  const std::string summary = event(5, "a summary");
  EXPECT_EQ(opened(cat(version(), summary, graph_event("x"), summary)), "x: event-file");
}

TEST(EventFile, GivesTheLastMetaGraphElseTheLastGraph) {
  const std::string meta = event(fields::Event::kMetaGraphDef, meta_graph_def("m"));
  EXPECT_EQ(opened(cat(version(), graph_event("x"), meta)), "m: event-file");
  EXPECT_EQ(opened(cat(version(), meta, graph_event("x"))), "m: event-file");
  EXPECT_EQ(opened(cat(version(), graph_event("x"), graph_event("y"))),
            "y: event-file several-graphs");
}

TEST(EventFile, WithoutAGraphIsNoModel) {
  EXPECT_EQ(opened(cat(version(), event(5, "a summary"))), "not-a-model");
  EXPECT_EQ(opened(record("an example")), "not-a-model");
}

// A writer that was stopped leaves a part of a record.
TEST(EventFile, IsReadAsFarAsItGoes) {
  const std::string whole = cat(version(), graph_event("x"));
  const std::string more = event(5, "a summary");
  for (size_t size = 1; size < more.size(); ++size) {
    EXPECT_EQ(opened(cat(whole, more.substr(0, size))), "x: event-file cut-record") << size;
  }
  std::string damaged = cat(whole, more);
  damaged[whole.size()] ^= 1;  // the length of the last record
  EXPECT_EQ(opened(damaged), "x: event-file cut-record");
}

// A graph is read as structure: what its record states is compared when an output needs it.
TEST(EventFile, ChecksWhatItsRecordStates) {
  std::string bytes = cat(version(), graph_event("x"));
  bytes[bytes.size() - 1] ^= 1;
  Diagnostics diagnostics;
  const SourcePtr file = std::make_shared<MemorySource>(bytes, "events");
  const Result<Model> model = open({file}, {"events"}, diagnostics);
  ASSERT_TRUE(model.ok());
  const Status checked = finish_checks(model->checks);
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().code, "checksum");
}

TEST(EventFile, OfTensorFlowIsRead) {
  const auto opened_fixture = [](const char* name) {
    return opened(file_bytes(fixture(cat("events/", name, "/events.out.tfevents.1.host"))));
  };
  EXPECT_EQ(opened_fixture("run"), "x: event-file");
  EXPECT_EQ(opened_fixture("graph"), "x: event-file several-graphs");
  EXPECT_EQ(opened_fixture("scalars"), "not-a-model");
}

TEST(EventFile, TakesACheckpointThatIsNamedAndNoOther) {
  std::vector<SourcePtr> files = {std::make_shared<MemorySource>(
      file_bytes(fixture("events/run/events.out.tfevents.1.host")), "events")};
  for (const char* part : {"model.ckpt.index", "model.ckpt.data-00000-of-00001"}) {
    files.push_back(std::make_shared<MemorySource>(file_bytes(fixture(cat("ref/", part))), part));
  }
  Diagnostics diagnostics;
  const Result<Model> alone = open(files, {"events"}, diagnostics);
  ASSERT_TRUE(alone.ok());
  EXPECT_EQ(alone->checkpoint, nullptr);
  const Result<Model> with = open(files, {"events", "model.ckpt"}, diagnostics);
  ASSERT_TRUE(with.ok());
  EXPECT_NE(with->checkpoint, nullptr);
  // In a folder the checkpoint is the model.
  const Result<Model> folder = open(files, {}, diagnostics);
  ASSERT_TRUE(folder.ok());
  EXPECT_EQ(folder->kind, Kind::kCheckpoint);
}

}  // namespace
}  // namespace cryo
