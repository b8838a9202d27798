#include "formats/events/event_file.h"

#include "base/reference.h"
#include "base/text.h"
#include "bytes/slice_source.h"
#include "formats/events/records.h"
#include "formats/pairing.h"
#include "formats/tensorflow/meta_graph.h"
#include "wire/field_header.h"
#include "wire/fields.h"

namespace cryo {
namespace {

constexpr std::string_view kVersion = "brain.Event:";
constexpr size_t kFirstRecord = 64;  // the file_version is in the first record, a short one
constexpr std::string_view kGetAgain = "get the file again from its source";

// A graph in a record: a GraphDef, or a MetaGraphDef.
struct RecordedGraph {
  Record record = {};
  uint32_t field = 0;  // of Event
  Slice message = {};
};

bool holds_graph(uint32_t field) {
  return field == fields::Event::kGraphDef || field == fields::Event::kMetaGraphDef;
}

// Returns the graph of a record. nullopt if it has none.
std::optional<RecordedGraph> graph_of(RandomReader& file, const Record& record) {
  const Slice& data = record.data;
  for (uint64_t at = 0; at < data.size;) {
    FieldHeader field;
    const uint64_t most = std::min(kMaxFieldHeader, data.size - at);
    if (!read_field_header(file.view(data.offset + at, most), field)) return std::nullopt;
    at += field.size;
    const uint64_t size = body_size(field);
    if (size > data.size - at) return std::nullopt;
    if (field.type == WireType::kBytes && holds_graph(field.number)) {
      return RecordedGraph{record, field.number, {data.source, data.offset + at, size}};
    }
    at += size;
  }
  return std::nullopt;
}

struct EventGraphs {
  std::vector<RecordedGraph> all = {};
  uint64_t records = 0;
  uint64_t end = 0;  // of the last whole record
};

Result<EventGraphs> find_graphs(const SourcePtr& file) {
  RandomReader reader(whole(file));
  EventGraphs found;
  while (found.end < reader.size()) {
    const auto record = read_record(reader, found.end);
    if (!record) break;
    if (auto graph = graph_of(reader, *record)) found.all.push_back(std::move(*graph));
    found.end = record->end;
    ++found.records;
  }
  if (!reader.ok()) return failure(reader.error());
  return found;
}

void report_cut(const EventGraphs& found, const SourcePtr& file, Diagnostics& diagnostics) {
  if (found.end == file->size()) return;
  diagnostics.warn("cut-record",
                   cat("the event file is cut short or damaged after ",
                       plural(found.records, "record"), "; what follows is not read"),
                   {.file = file->name(), .offset = found.end},
                   "nothing is to be done if its writer was stopped, or still writes; else get "
                   "the file again");
}

// Returns the last MetaGraphDef, else the last graph. REQUIRES: there is one.
const RecordedGraph& chosen(const EventGraphs& found, const SourcePtr& file,
                            Diagnostics& diagnostics) {
  const RecordedGraph* last = nullptr;
  size_t count = 0;  // of its kind
  for (const RecordedGraph& each : found.all) {
    if (last != nullptr && each.field < last->field) continue;
    count = last != nullptr && each.field == last->field ? count + 1 : 1;
    last = &each;
  }
  if (count > 1) {
    diagnostics.note("several-graphs",
                     cat("the event file holds ", count, " graphs: took the last"),
                     {.file = file->name()});
  }
  return *last;
}

// Returns the message as a file. Reading all of it checks its record's checksum.
SourcePtr source_of(const RecordedGraph& graph, const SourcePtr& file, Checks& checks) {
  const Slice& data = graph.record.data;
  Slice message = graph.message;
  auto sum = std::make_unique<CrcSum>(CrcSum::kCrc32c, data.size);
  if (SourcePtr check = make_check(&checks, data, graph.record.crc, std::move(sum), kGetAgain)) {
    message = {std::move(check), message.offset - data.offset, message.size};
  }
  return std::make_shared<SliceSource>(std::move(message), file->name());
}

Result<Model> read_graph(const OpenContext& context, const SourcePtr& file,
                         const RecordedGraph& graph) {
  const bool meta = graph.field == fields::Event::kMetaGraphDef;
  Model model{Kind::kEvents, file->name(), {file}, true};
  const MessageSchema& schema =
      message_schema(meta ? "tensorflow.MetaGraphDef" : "tensorflow.GraphDef");
  TRY(skeleton, read_structure(context, source_of(graph, file, context.checks), schema, model));
  if (meta) {
    CHECK_OK(split_meta_graph(std::move(skeleton), model, context.diagnostics));
    return model;
  }
  TRY(parsed, Graph::parse(std::move(skeleton)));
  model.graph = std::move(parsed);
  return model;
}

}  // namespace

bool looks_like_events(std::string_view head) {
  return begins_record(head) && head.substr(0, kFirstRecord).find(kVersion) != head.npos;
}

Result<Model> read_event_file(const OpenContext& context, const SourcePtr& file) {
  TRY(found, find_graphs(file));
  report_cut(found, file, context.diagnostics);
  if (found.all.empty()) {
    return failure("not-a-model",
                   cat("'", base_name(file->name()), "' is an event file without a graph: ",
                       plural(found.records, "record"), " of summaries"),
                   {.file = file->name()}, ADVICE("give-model"));
  }
  TRY(model, read_graph(context, file, chosen(found, file, context.diagnostics)));
  const std::string asked = asked_checkpoint(context.options);
  if (!asked.empty()) CHECK_OK(add_checkpoint(model, context, asked));
  return std::move(model);
}

}  // namespace cryo
