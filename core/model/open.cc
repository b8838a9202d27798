#include "model/open.h"

#include <algorithm>

#include "base/text.h"
#include "model/archive.h"
#include "model/candidates.h"
#include "model/format.h"
#include "model/formats/checkpoint.h"
#include "model/meta.h"
#include "model/pairing.h"

namespace cryo {
namespace {

// The files among which a model is looked for, told by their content.
struct Survey {
  std::vector<Candidate> candidates = {};
  SourcePtr state = {};  // a state file `checkpoint`
  std::vector<SourcePtr> archives = {};
  std::string other = {};  // what else lies there, in words
};

Result<Survey> survey(const Opening& opening) {
  Survey found;
  for (const SourcePtr& file : opening.files) {
    TRY(recognised, recognise(file));
    if (recognised.kind == FileKind::kCheckpointState) found.state = file;
    if (recognised.kind == FileKind::kArchive) found.archives.push_back(file);
    if (const Format* format = find_format(recognised.kind)) {
      found.candidates.push_back({file, format});
    } else if (prefix_of(file->name()).empty()) {
      found.other = cat("'", base_name(file->name()), "' is ", recognised.what);
    }
  }
  return found;
}

bool has_checkpoint(const Opening& opening, const std::string& prefix) {
  return opening.find(cat(prefix, ".index")) != nullptr ||
         opening.find(cat(prefix, ".meta")) != nullptr;
}

Result<Model> open_any(const Opening& opening);

// What lies in an archive is opened as what lies in a folder; what it packs alone, as itself.
Result<Model> open_archive(const Opening& opening, const SourcePtr& archive) {
  TRY(members, unpack(archive));
  OpenOptions options = opening.options;
  options.path.clear();
  if (members.size() > 1) return open_any(Opening(members, options, opening.diagnostics));
  if (members.empty()) {
    return failure("no-model", "the archive is empty", {.file = archive->name()},
                   "get it again from its source");
  }
  std::vector<SourcePtr> beside = opening.files;
  beside.insert(beside.begin(), members[0]);
  const Opening inside(beside, options, opening.diagnostics);
  TRY(recognised, recognise(members[0]));
  const Format* format = find_format(recognised.kind);
  if (format != nullptr) return format->read(inside, members[0]);
  return failure("not-a-model", cat("'", base_name(archive->name()), "' holds ", recognised.what),
                 {.file = members[0]->name()}, recognised.fix);
}

Result<Model> open_file(const Opening& opening, const SourcePtr& file) {
  TRY(recognised, recognise(file));
  if (recognised.kind == FileKind::kArchive) return open_archive(opening, file);
  if (const Format* format = find_format(recognised.kind)) return format->read(opening, file);
  if (recognised.kind == FileKind::kCheckpointState) {
    TRY(prefix, prefix_of_state(opening, file));
    return read_checkpoint_prefix(opening, prefix);
  }
  const std::string prefix = prefix_of(file->name());
  if (!prefix.empty() && opening.find(cat(prefix, ".index")) != nullptr) {
    return read_checkpoint_prefix(opening, prefix);
  }
  return failure("not-a-model", cat("'", base_name(file->name()), "' is ", recognised.what),
                 {.file = file->name()}, recognised.fix);
}

Result<Model> open_asked(const Opening& opening) {
  const std::string& path = opening.options.path;
  if (const SourcePtr file = opening.find(path)) return open_file(opening, file);
  if (has_checkpoint(opening, path)) return read_checkpoint_prefix(opening, path);
  return failure("not-found", cat("there is no '", path, "', and no checkpoint of that prefix"),
                 {.file = path},
                 "give a file, a folder, or what a checkpoint's files have in common");
}

// A graph, and a checkpoint without a .meta of its own: they may belong together.
const Candidate* graph_beside_checkpoint(const std::vector<Candidate>& candidates) {
  if (candidates.size() != 2) return nullptr;
  const auto is_index = [](const Candidate& each) {
    return each.format->kind == FileKind::kCheckpointIndex;
  };
  if (is_index(candidates[0]) == is_index(candidates[1])) return nullptr;
  return &candidates[is_index(candidates[0]) ? 1 : 0];
}

// The one SavedModel that lies above all other candidates: a folder is a SavedModel where it holds
// one, whatever else it holds.
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

// A drop or a folder: what its state file names, else the only model there is.
Result<Model> open_any(const Opening& opening) {
  TRY(found, survey(opening));
  if (found.state != nullptr) {
    TRY(prefix, prefix_of_state(opening, found.state));
    if (has_checkpoint(opening, prefix)) return read_checkpoint_prefix(opening, prefix);
  }
  const std::vector<Candidate> candidates = leave_out_parts(found.candidates);
  if (candidates.size() == 1) return candidates[0].format->read(opening, candidates[0].file);
  if (const Candidate* graph = graph_beside_checkpoint(candidates)) {
    return graph->format->read(opening, graph->file);
  }
  if (const Candidate* folder = saved_model_of_folder(candidates)) {
    opening.diagnostics.note("other-models",
                             "took the SavedModel of the folder; there are others beside it",
                             {.file = folder->file->name()}, "name one of them");
    return folder->format->read(opening, folder->file);
  }
  if (candidates.empty() && found.archives.size() == 1) {
    return open_archive(opening, found.archives[0]);
  }
  if (candidates.empty()) {
    return failure("no-model",
                   cat("there is no model here", found.other.empty() ? "" : "; ", found.other), {},
                   "give a .pb, a .meta, or a checkpoint");
  }
  std::vector<std::string> names;
  for (const Candidate& each : candidates) names.push_back(each.file->name());
  return failure("several-models", cat("there are several models: ", join(names, ", ", 10)), {},
                 "name one of them");
}

// What is told once, while the saver is there: where each variable's value is.
Model with_restores(Model model) {
  const std::string restore_op = parse_meta(model).saver_def().restore_op_name();
  model.restores = find_restores(model.graph, restore_op, *model.payloads);
  return model;
}

}  // namespace

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::kGraphDef:
      return "graph-def";
    case Kind::kMetaGraph:
      return "meta-graph";
    case Kind::kSavedModel:
      return "saved-model";
    case Kind::kCheckpoint:
      return "checkpoint";
    case Kind::kTfjs:
      return "tfjs-graph-model";
    case Kind::kNpz:
      return "npz";
    case Kind::kSafetensors:
      return "safetensors";
  }
  return "graph-def";
}

Result<Model> open(const std::vector<SourcePtr>& files, const OpenOptions& options,
                   Diagnostics& diagnostics) {
  const Opening opening(files, options, diagnostics);
  TRY(model, options.path.empty() ? open_any(opening) : open_asked(opening));
  return with_restores(std::move(model));
}

}  // namespace cryo
