#include "formats/open.h"

#include <algorithm>
#include <unordered_set>

#include "base/reference.h"
#include "base/text.h"
#include "checkpoint/checkpoint_v1.h"
#include "formats/archive.h"
#include "formats/candidates.h"
#include "formats/format.h"
#include "formats/gathering.h"
#include "formats/pairing.h"
#include "formats/tensorflow/checkpoint_files.h"
#include "model/meta.h"
#include "model/name_pairing.h"
#include "model/object_restores.h"

namespace cryo {
namespace {

// The files among which a model is looked for, classified by content.
struct FoundFiles {
  std::vector<Candidate> candidates = {};
  SourcePtr state = {};  // a state file `checkpoint`
  std::vector<SourcePtr> archives = {};
  SourcePtr chunked = {};  // a graph that cannot be read (.cpb)
  std::string other = {};  // other contents of the folder, in words
  std::string fix = {};    // how to use those
};

constexpr std::string_view kDataAlone = "the data of a checkpoint, whose .index is not here";

Result<FoundFiles> found_files(const OpenContext& context) {
  FoundFiles found;
  const std::vector<std::string> prefixes = checkpoint_prefixes(context);
  const std::unordered_set<std::string> known(prefixes.begin(), prefixes.end());
  for (const SourcePtr& file : context.files) {
    TRY(recognised, recognise(file, context.options.salvage));
    if (recognised.kind == FileKind::kCheckpointState) found.state = file;
    if (recognised.kind == FileKind::kChunked) found.chunked = file;
    if (recognised.kind == FileKind::kArchive) found.archives.push_back(file);
    const std::string prefix = prefix_of(file->name());
    if (const Format* format = find_format(recognised.kind)) {
      found.candidates.push_back({file, format});
    } else if (prefix.empty()) {
      found.other = cat("'", base_name(file->name()), "' is ", recognised.what);
      found.fix = recognised.fix;
    } else if (found.other.empty() && recognised.kind == FileKind::kUnknown &&
               !known.contains(prefix)) {
      found.other = cat("'", base_name(file->name()), "' is ", kDataAlone);
    }
  }
  return found;
}

bool has_files(const OpenContext& context, const std::string& prefix) {
  return has_checkpoint(context, prefix) || context.find(cat(prefix, ".meta")) != nullptr;
}

Result<Model> open_any(const OpenContext& context);

// Opens the contents of an archive as the contents of a folder; an archive of a single file as that
// file.
Result<Model> open_archive(const OpenContext& context, const SourcePtr& archive) {
  TRY(members, unpack(archive, &context.checks, context.salvaged()));
  OpenOptions options = context.options;
  options.path.clear();
  if (members.size() > 1)
    return open_any(
        OpenContext(members, options, context.diagnostics, context.checks, context.losses));
  if (members.empty()) {
    const bool is_lost = context.options.salvage && !context.losses.empty();
    return failure("no-model",
                   is_lost ? "no member of the archive is whole" : "the archive is empty",
                   {.file = archive->name()}, "get it again from its source");
  }
  std::vector<SourcePtr> beside = context.files;
  beside.insert(beside.begin(), members[0]);
  const OpenContext inside(beside, options, context.diagnostics, context.checks, context.losses);
  TRY(recognised, recognise(members[0], context.options.salvage));
  const Format* format = find_format(recognised.kind);
  if (format != nullptr) return format->read(inside, members[0]);
  return failure("not-a-model", cat("'", base_name(archive->name()), "' holds ", recognised.what),
                 {.file = members[0]->name()}, recognised.fix);
}

Result<Model> open_file(const OpenContext& context, const SourcePtr& file) {
  TRY(recognised, recognise(file, context.options.salvage));
  if (recognised.kind == FileKind::kArchive) return open_archive(context, file);
  if (const Format* format = find_format(recognised.kind)) return format->read(context, file);
  if (recognised.kind == FileKind::kCheckpointState) {
    TRY(prefix, prefix_of_state(context, file));
    return read_checkpoint_prefix(context, prefix);
  }
  const std::string prefix = prefix_of(file->name());
  if (!prefix.empty() && has_checkpoint(context, prefix)) {
    return read_checkpoint_prefix(context, prefix);
  }
  // A checkpoint's data file can be recognized only by its name.
  if (recognised.kind == FileKind::kUnknown && !prefix.empty()) {
    return failure("no-index", cat("'", base_name(file->name()), "' is ", kDataAlone),
                   {.file = file->name()},
                   cat("give ", base_name(prefix), ".index as well: it says where each tensor is"));
  }
  return failure("not-a-model", cat("'", base_name(file->name()), "' is ", recognised.what),
                 {.file = file->name()}, recognised.fix);
}

Result<Model> open_asked(const OpenContext& context) {
  const std::string& path = context.options.path;
  if (const SourcePtr file = context.find(path)) return open_file(context, file);
  if (has_files(context, path)) return read_checkpoint_prefix(context, path);
  return failure("not-found", cat("there is no file or checkpoint '", path, "'"), {.file = path},
                 "give a file, a folder, or a checkpoint's prefix: model.ckpt-1000");
}

bool is_checkpoint(const Candidate& candidate) {
  return candidate.format->kind == FileKind::kCheckpointIndex ||
         candidate.format->kind == FileKind::kCheckpointV1;
}

// Returns the prefix of the only checkpoint among candidates; empty if there is not exactly one.
std::string only_checkpoint(const std::vector<Candidate>& candidates) {
  std::string prefix;
  for (const Candidate& each : candidates) {
    if (!is_checkpoint(each)) continue;
    if (!prefix.empty()) return "";
    const std::string v2 = prefix_of(each.file->name());
    prefix = v2.empty() ? prefix_of_v1(each.file->name()) : v2;
  }
  return prefix;
}

// Returns the only graph among candidates that may take the weights of a checkpoint without a
// graph; nullptr if there is not exactly one.
const Candidate* only_graph(const std::vector<Candidate>& candidates) {
  const Candidate* graph = nullptr;
  for (const Candidate& each : candidates) {
    if (is_checkpoint(each)) continue;
    const FileKind kind = each.format->kind;
    const bool takes = kind == FileKind::kGraphDef || kind == FileKind::kMetaGraph;
    if (graph != nullptr || !takes) return nullptr;
    graph = &each;
  }
  return graph;
}

// A graph, and the checkpoint `beside` it if it has variables.
Result<Model> read_with_checkpoint(const OpenContext& context, const Candidate& graph) {
  TRY(model, graph.format->read(context, graph.file));
  if (model.checkpoint == nullptr) {
    context.diagnostics.note("other-models",
                             cat("took the graph, which has no variables; the checkpoint ",
                                 context.beside, " next to it is not its own"),
                             {.file = graph.file->name()}, "name the checkpoint to open it");
  }
  return std::move(model);
}

// Returns the one SavedModel whose folder contains all other candidates: a folder with a SavedModel
// is a SavedModel, whatever else it holds.
const Candidate* saved_model_of_folder(const std::vector<Candidate>& candidates) {
  for (const Candidate& each : candidates) {
    if (each.format->kind != FileKind::kSavedModel ||
        base_name(each.file->name()) != "saved_model.pb") {
      continue;
    }
    const std::string_view folder = folder_of(each.file->name());
    const bool above =
        std::all_of(candidates.begin(), candidates.end(),
                    [&](const Candidate& other) { return other.file->name().starts_with(folder); });
    if (above) return &each;
  }
  return nullptr;
}

// Opens a drop or a folder: the model that its state file names, else the only model there is.
Result<Model> open_any(const OpenContext& context) {
  TRY(found, found_files(context));
  std::string latest;
  if (found.state != nullptr) {
    TRY(prefix, prefix_of_state(context, found.state));
    if (has_files(context, prefix)) latest = prefix;
  }
  const std::vector<Candidate> candidates = remove_parts(found.candidates);
  const Candidate* graph = only_graph(candidates);
  const bool alone = graph == nullptr || context.find(cat(latest, ".meta")) != nullptr;
  if (!latest.empty() && alone) return read_checkpoint_prefix(context, latest);
  if (found.chunked != nullptr && !only_checkpoint(candidates).empty()) {
    context.diagnostics.warn(
        "chunked-graph",
        "the graph is a chunked one (.cpb), which is not read: here are its weights alone",
        {.file = found.chunked->name()}, "save the model again without experimental_image_format");
  }
  if (candidates.size() == 1) return candidates[0].format->read(context, candidates[0].file);
  const std::string beside = latest.empty() ? only_checkpoint(candidates) : latest;
  if (graph != nullptr && !beside.empty()) {
    OpenContext paired = context;
    paired.beside = beside;
    return read_with_checkpoint(paired, *graph);
  }
  if (const Candidate* folder = saved_model_of_folder(candidates)) {
    context.diagnostics.note("other-models",
                             "took the SavedModel of the folder; there are others next to it",
                             {.file = folder->file->name()}, ADVICE("open-one"));
    return folder->format->read(context, folder->file);
  }
  if (candidates.empty() && found.archives.size() == 1) {
    return open_archive(context, found.archives[0]);
  }
  if (candidates.empty()) {
    return failure("no-model",
                   cat("there is no model here", found.other.empty() ? "" : "; ", found.other), {},
                   found.fix.empty() ? ADVICE("give-model") : found.fix);
  }
  std::vector<std::string> names;
  for (const Candidate& each : candidates) names.push_back(each.file->name());
  return failure("several-models", cat("there are several models: ", join(names, ", ", 10)), {},
                 ADVICE("open-one"));
}

// "; whole by their form ... are 12 nodes and 1 function": how much of a damaged graph is left.
std::string whole_of_graph(const Graph& graph) {
  const std::string versions =
      graph.producer() > 0 ? "" : ", and no versions, without which TensorFlow assumes version 0";
  return cat("; whole by their form, without a checksum to compare with, are ",
             plural(graph.nodes().size(), "node"), " and ",
             plural(graph.functions().size(), "function"), versions);
}

// Adds the parts of containers that are lost to those of the graph, and reports how much is lost.
void report_lost(const DamagedParts& losses, Model& model, Diagnostics& diagnostics) {
  const std::string left = model.lost.empty() ? "" : whole_of_graph(model.graph);
  for (const DamagedPart& each : losses) {
    model.lost.push_back(
        {std::string(each.what), each.name, DType::kInvalid, {}, each.bytes, each.why});
  }
  if (model.lost.empty()) return;
  uint64_t bytes = 0;
  for (const LostPart& part : model.lost) bytes += part.bytes;
  diagnostics.warn(
      "parts-lost",
      cat(plural(model.lost.size(), "part"), bytes == 0 ? "" : cat(" (", human_bytes(bytes), ")"),
          " of '", model.name, "' ", model.lost.size() == 1 ? "is" : "are", " lost", left),
      model.lost.front().why.where, "get the file again from its source, if it is there");
}

// Records the checkpoint key of each variable, while the saver is still there.
Model with_restores(Model model, Diagnostics& diagnostics) {
  const std::string& restore_op = parse_meta(model).saver_def().restore_op_name();
  model.restores = find_restores(model.graph, restore_op, *model.payloads);
  restore_by_objects(model, diagnostics);
  pair_by_names(model, diagnostics);
  return model;
}

}  // namespace

std::string_view kind_name(Kind kind) {
#define CRYO_KIND(kind, name) \
  case Kind::kind:            \
    return name;
  switch (kind) {
#include "surface_kinds.inc"
  }
#undef CRYO_KIND
  return "";
}

namespace {

Diagnostic too_many_files(const std::string& folder) {
  return {.severity = Severity::kWarning,
          .code = "too-many-files",
          .message = cat("there are more than ", kMaxFiles, " files; only so many were looked at"),
          .where = {.file = folder},
          .fix = "name the model's own file, or give it its own folder"};
}

Result<Model> open_files(const std::vector<SourcePtr>& files, const OpenOptions& options,
                         Diagnostics& diagnostics) {
  const auto checks = std::make_shared<Checks>(!options.no_checksum);
  DamagedParts losses;
  const OpenContext context(files, options, diagnostics, *checks, losses);
  auto opened = options.path.empty() ? open_any(context) : open_asked(context);
  if (!opened && !losses.empty()) {
    const Diagnostic& first = losses.front().why;
    diagnostics.warn("parts-lost",
                     cat(plural(losses.size(), "part"), " of the files ",
                         losses.size() == 1 ? "is" : "are", " lost; the first: ", first.message),
                     first.where, first.fix);
  }
  TRY(model, std::move(opened));
  model.checks = {checks};
  report_lost(losses, model, diagnostics);
  return with_restores(std::move(model), diagnostics);
}

}  // namespace

Result<Model> open(const std::vector<SourcePtr>& files, const OpenOptions& options,
                   Diagnostics& diagnostics) {
  Result<Model> model = open_files(files, options, diagnostics);
  // A file that is named is found among the files next to it, however many there are.
  const bool may_lack = !model || options.path.empty();
  if (!options.capped.empty() && may_lack) diagnostics.add(too_many_files(options.capped));
  return model;
}

}  // namespace cryo
