#include "model/open.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "graph/roles.h"
#include "model/checkpoint_state.h"
#include "model/meta.h"
#include "model/recognise.h"
#include "wire/elide.h"

namespace cryo {
namespace {

constexpr uint32_t kGraphDef = 2;  // meta_graph.proto: MetaGraphDef.graph_def
constexpr uint64_t kMaxStateFile = 1 << 20;

class Opener {
 public:
  Opener(const std::vector<SourcePtr>& files, const OpenOptions& options, Diagnostics& diagnostics)
      : files_(files), options_(options), diagnostics_(diagnostics) {}

  Result<Model> run();

 private:
  SourcePtr find(std::string_view name) const;
  Result<Model> open_asked(const std::string& path);
  Result<Model> open_file(const SourcePtr& file);
  Result<Model> open_prefix(const std::string& prefix);
  Result<Model> open_any();
  Result<std::string> prefix_of_state(const SourcePtr& state) const;
  Result<Model> open_graph_def(const SourcePtr& file);
  Result<Model> open_meta_graph(const SourcePtr& file);
  Status add_checkpoint(Model& model, const std::string& prefix);
  Status pair(Model& model, const SourcePtr& graph_file);
  Result<Model> finish(Model model) const;
  std::vector<std::string> prefixes() const;

  const std::vector<SourcePtr>& files_;
  const OpenOptions& options_;
  Diagnostics& diagnostics_;
};

SourcePtr Opener::find(std::string_view name) const {
  const auto named = [&](const SourcePtr& file) { return file->name() == name; };
  const auto found = std::find_if(files_.begin(), files_.end(), named);
  return found == files_.end() ? nullptr : *found;
}

// The prefix that a checkpoint's file belongs to; empty for any other name.
std::string prefix_from_name(std::string_view name) {
  for (const std::string_view ending : {".index", ".meta"}) {
    if (name.ends_with(ending)) return std::string(name.substr(0, name.size() - ending.size()));
  }
  const size_t data = name.rfind(".data-");
  return data == std::string_view::npos ? std::string() : std::string(name.substr(0, data));
}

// The prefixes of all checkpoints among the files.
std::vector<std::string> Opener::prefixes() const {
  std::vector<std::string> found;
  for (const SourcePtr& file : files_) {
    if (file->name().ends_with(".index")) found.push_back(prefix_from_name(file->name()));
  }
  return found;
}

Result<std::string> Opener::prefix_of_state(const SourcePtr& state) const {
  if (state->size() > kMaxStateFile) {
    return failure("bad-checkpoint-state", "the checkpoint state file is far too large",
                   {.file = state->name()});
  }
  TRY(text, Splice(whole(state)).read_all());
  TRY(parsed, read_checkpoint_state(text, state->name()));
  // Absolute paths are of the machine that trained; the files have moved since, together.
  const std::string folder(folder_of(state->name()));
  const std::string beside = cat(folder, parsed.latest);
  if (find(cat(beside, ".index")) != nullptr || find(cat(beside, ".meta")) != nullptr)
    return beside;
  return cat(folder, base_name(parsed.latest));
}

Status Opener::add_checkpoint(Model& model, const std::string& prefix) {
  const SourcePtr index = find(cat(prefix, ".index"));
  if (index == nullptr) {
    return failure("no-checkpoint",
                   cat("there is no checkpoint '", prefix, "': ", prefix, ".index is missing"),
                   {.file = cat(prefix, ".index")},
                   "give the prefix that the .index and .data files share");
  }
  const auto shard = [&](int i, int n) {
    const SourcePtr data = find(checkpoint_shard_name(prefix, i, n));
    if (data != nullptr) model.files.push_back(data);
    return data;
  };
  model.files.push_back(index);
  TRY(checkpoint, read_checkpoint(index, shard, diagnostics_));
  model.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return Unit{};
}

// Finds the checkpoint of a graph: the one asked for, that of the same prefix, what the state file
// beside it names, or the only one there is.
Status Opener::pair(Model& model, const SourcePtr& graph_file) {
  if (!options_.checkpoint.empty()) {
    const std::string named = prefix_from_name(options_.checkpoint);
    return add_checkpoint(model, named.empty() ? options_.checkpoint : named);
  }
  const std::string prefix = prefix_from_name(graph_file->name());
  if (!prefix.empty() && find(cat(prefix, ".index")) != nullptr)
    return add_checkpoint(model, prefix);
  const bool has_variables = std::any_of(model.graph.nodes().begin(), model.graph.nodes().end(),
                                         [](const Node& node) { return is_variable(node.op); });
  const std::vector<std::string> others = prefixes();
  if (!has_variables || others.size() != 1) return Unit{};
  diagnostics_.note("checkpoint-chosen",
                    cat("took the only checkpoint beside it, ", others.front()),
                    {.file = cat(others.front(), ".index")});
  return add_checkpoint(model, others.front());
}

Result<Model> Opener::open_graph_def(const SourcePtr& file) {
  Model model{Kind::kGraphDef, file->name(), {file}, true};
  TRY(skeleton, elide(whole(file), message_schema("tensorflow.GraphDef"), *model.payloads));
  TRY(graph, Graph::parse(std::move(skeleton)));
  model.graph = std::move(graph);
  CHECK_OK(pair(model, file));
  return model;
}

Result<Model> Opener::open_meta_graph(const SourcePtr& file) {
  Model model{Kind::kMetaGraph, file->name(), {file}, true};
  TRY(skeleton, elide(whole(file), message_schema("tensorflow.MetaGraphDef"), *model.payloads));
  std::string graph_def;
  for (WireCursor cursor(skeleton); cursor.next();) {
    const WireField& field = cursor.field();
    const bool graph = field.number == kGraphDef && field.type == WireType::kBytes;
    graph ? graph_def += field.bytes : model.meta += field.record;
  }
  if (!tensorflow::MetaGraphDef().ParseFromString(model.meta)) {
    diagnostics_.warn("meta-unreadable",
                      "protobuf cannot read all of what stands beside the graph (text that is not "
                      "UTF-8, often): TensorFlow refuses the file, and what a pass changes leaves "
                      "out all from there on",
                      {.file = file->name()}, "get the file again from its source");
  }
  TRY(graph, Graph::parse(std::move(graph_def)));
  model.graph = std::move(graph);
  CHECK_OK(pair(model, file));
  return model;
}

Result<Model> Opener::open_file(const SourcePtr& file) {
  TRY(recognised, recognise(file));
  switch (recognised.kind) {
    case FileKind::kGraphDef:
      return open_graph_def(file);
    case FileKind::kMetaGraph:
      return open_meta_graph(file);
    case FileKind::kCheckpointIndex:
      if (!file->name().ends_with(".index")) break;
      return open_prefix(prefix_from_name(file->name()));
    case FileKind::kCheckpointState: {
      TRY(prefix, prefix_of_state(file));
      return open_prefix(prefix);
    }
    default:
      break;
  }
  const std::string prefix = prefix_from_name(file->name());
  if (file->name().rfind(".data-") != std::string::npos && find(cat(prefix, ".index")) != nullptr) {
    return open_prefix(prefix);
  }
  return failure("not-a-model", cat("'", base_name(file->name()), "' is ", recognised.what),
                 {.file = file->name()}, recognised.fix);
}

// A checkpoint by its prefix: with its .meta where there is one, else weights alone.
Result<Model> Opener::open_prefix(const std::string& prefix) {
  if (const SourcePtr meta = find(cat(prefix, ".meta"))) return open_meta_graph(meta);
  Model model{Kind::kCheckpoint, prefix};
  CHECK_OK(add_checkpoint(model, prefix));
  return model;
}

Result<Model> Opener::open_asked(const std::string& path) {
  if (const SourcePtr file = find(path)) return open_file(file);
  for (const std::string_view ending : {".index", ".meta"}) {
    if (find(cat(path, ending)) != nullptr) return open_prefix(path);
  }
  return failure("not-found", cat("there is no '", path, "', and no checkpoint of that prefix"),
                 {.file = path},
                 "give a file, a folder, or what a checkpoint's files have in common");
}

// A drop or a folder: what its state file names, else the only model there is.
Result<Model> Opener::open_any() {
  std::vector<std::string> candidates;
  std::string other;
  for (const SourcePtr& file : files_) {
    TRY(recognised, recognise(file));
    const bool checkpoint_part = !prefix_from_name(file->name()).empty();
    if (recognised.kind == FileKind::kCheckpointState) {
      TRY(prefix, prefix_of_state(file));
      if (find(cat(prefix, ".index")) || find(cat(prefix, ".meta"))) return open_prefix(prefix);
    } else if (recognised.kind == FileKind::kMetaGraph || recognised.kind == FileKind::kGraphDef) {
      candidates.push_back(file->name());
    } else if (recognised.kind == FileKind::kCheckpointIndex &&
               !find(cat(prefix_from_name(file->name()), ".meta"))) {
      candidates.push_back(file->name());
    } else if (!checkpoint_part) {
      other = cat("'", base_name(file->name()), "' is ", recognised.what);
    }
  }
  if (candidates.size() == 1) return open_file(find(candidates.front()));
  if (candidates.size() == 2) {
    // A graph, and a checkpoint without a .meta of its own: they may belong together.
    const auto is_index = [](const std::string& name) { return name.ends_with(".index"); };
    const auto graph = std::find_if_not(candidates.begin(), candidates.end(), is_index);
    if (graph != candidates.end() && std::any_of(candidates.begin(), candidates.end(), is_index)) {
      return open_file(find(*graph));
    }
  }
  if (candidates.empty()) {
    return failure("no-model", cat("there is no model here", other.empty() ? "" : "; ", other), {},
                   "give a .pb, a .meta, or a checkpoint");
  }
  return failure("several-models", cat("there are several models: ", join(candidates, ", ", 10)),
                 {}, "name one of them");
}

// What is told once, while the saver is there: where each variable's value is.
Result<Model> Opener::finish(Model model) const {
  const std::string restore_op = parse_meta(model).saver_def().restore_op_name();
  model.restores = find_restores(model.graph, restore_op, *model.payloads);
  return model;
}

Result<Model> Opener::run() {
  Result<Model> model = options_.path.empty() ? open_any() : open_asked(options_.path);
  if (!model) return model;
  return finish(std::move(*model));
}

}  // namespace

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::kGraphDef:
      return "graph-def";
    case Kind::kMetaGraph:
      return "meta-graph";
    case Kind::kCheckpoint:
      return "checkpoint";
  }
  return "graph-def";
}

Result<Model> open(const std::vector<SourcePtr>& files, const OpenOptions& options,
                   Diagnostics& diagnostics) {
  return Opener(files, options, diagnostics).run();
}

}  // namespace cryo
