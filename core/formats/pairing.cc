#include "formats/pairing.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "base/reference.h"
#include "base/text.h"
#include "checkpoint/checkpoint_state.h"
#include "checkpoint/checkpoint_v1.h"
#include "checkpoint/unmerged.h"
#include "graph/roles.h"
#include "model/missing_parts.h"

namespace cryo {
namespace {

constexpr uint64_t kMaxStateFile = 1 << 20;

// The indexes of an unmerged save, in the order of its parts. Of several saves the one of the most
// parts: it got farthest.
std::vector<SourcePtr> parts_of(const OpenContext& context, const std::string& prefix) {
  std::map<std::string, std::map<int, SourcePtr>> saves;  // by folder
  const std::map<int, SourcePtr>* best = nullptr;
  for (const SourcePtr& file : context.files) {
    const auto name = file->name().ends_with(".index") ? part_name(file->name()) : std::nullopt;
    if (!name || name->prefix != prefix) continue;
    auto& save = saves[std::string(folder_of(file->name()))];
    save[name->part] = file;
    if (best == nullptr || save.size() > best->size()) best = &save;
  }
  std::vector<SourcePtr> parts;
  if (best == nullptr) return parts;
  for (const auto& each : *best) parts.push_back(each.second);
  return parts;
}

}  // namespace

std::vector<std::string> checkpoint_prefixes(const OpenContext& context) {
  std::vector<std::string> found;
  std::unordered_set<std::string> known;
  for (const SourcePtr& file : context.files) {
    if (!file->name().ends_with(".index")) continue;
    std::string prefix = prefix_of(file->name());
    if (known.insert(prefix).second) found.push_back(std::move(prefix));
  }
  return found;
}

bool has_checkpoint(const OpenContext& context, const std::string& prefix) {
  return context.find(cat(prefix, ".index")) != nullptr || !parts_of(context, prefix).empty();
}

std::string prefix_of(std::string_view name) {
  if (auto part = part_name(name)) return std::move(part->prefix);
  for (const std::string_view ending : {".index", ".meta", ".meta.pbtxt"}) {
    if (name.ends_with(ending)) return std::string(name.substr(0, name.size() - ending.size()));
  }
  const size_t data = name.rfind(".data-");
  return data == std::string_view::npos ? std::string() : std::string(name.substr(0, data));
}

Result<std::string> prefix_of_state(const OpenContext& context, const SourcePtr& state) {
  if (state->size() > kMaxStateFile) {
    return failure("bad-checkpoint-state", "the checkpoint state file is far too large",
                   {.file = state->name()});
  }
  TRY(text, Splice(whole(state)).read_all());
  TRY(parsed, read_checkpoint_state(text, state->name()));
  // Absolute paths are of the machine that trained; the files have moved since, together.
  const std::string folder(folder_of(state->name()));
  const std::string latest = prefix_of_v1(parsed.latest);
  const std::string beside = cat(folder, latest);
  if (context.find(cat(beside, ".index")) != nullptr ||
      context.find(cat(beside, ".meta")) != nullptr)
    return beside;
  return cat(folder, base_name(latest));
}

namespace {

// Returns the tables of a V1 checkpoint; empty if one is missing.
std::vector<SourcePtr> v1_tables(const OpenContext& context, const std::string& prefix) {
  if (const SourcePtr file = context.find(prefix)) return {file};
  std::vector<SourcePtr> tables;
  for (const SourcePtr& file : context.files) {
    const bool shard = file->name() != prefix && prefix_of_v1(file->name()) == prefix;
    if (shard) tables.push_back(file);
  }
  const auto count = static_cast<int>(tables.size());
  for (int i = 0; i < count; ++i) {
    if (context.find(v1_shard_name(prefix, i, count)) == nullptr) return {};
  }
  return tables;
}

Status add_v1(Model& model, const OpenContext& context, const std::string& prefix,
              const std::vector<SourcePtr>& tables) {
  model.files.insert(model.files.end(), tables.begin(), tables.end());
  TRY(checkpoint,
      read_checkpoint_v1(tables, prefix, context.diagnostics, &context.checks, context.salvaged()));
  model.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return Unit{};
}

// Adds a data file if there is one. A search for the number of shards asks for some twice.
void add_file(Model& model, const SourcePtr& data) {
  const bool known = std::find(model.files.begin(), model.files.end(), data) != model.files.end();
  if (data != nullptr && !known) model.files.push_back(data);
}

// The parts of an unmerged save.
Status add_parts(Model& model, const OpenContext& context, const std::string& prefix,
                 const std::vector<SourcePtr>& parts) {
  const int count = part_name(parts.front()->name())->count;
  context.diagnostics.warn(
      "unmerged-checkpoint",
      cat("the save of ", prefix, " was interrupted before its parts were merged; here are ",
          parts.size(), " of ", plural(static_cast<uint64_t>(count), "part"),
          static_cast<int>(parts.size()) == count ? ", read as one" : ", the others are missing"),
      {.file = parts.front()->name()},
      "write it as one with " OPTION("-o",
                                     "NAME.ckpt") ", or take an older checkpoint that is whole");
  model.files.insert(model.files.end(), parts.begin(), parts.end());
  const auto find_data = [&](const std::string& name) {
    const SourcePtr data = context.find(name);
    add_file(model, data);
    return data;
  };
  TRY(checkpoint, read_unmerged_checkpoint(parts, prefix, find_data, context.diagnostics,
                                           &context.checks, context.salvaged()));
  model.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return Unit{};
}

// Notes data files next to a checkpoint that belong to another save: one with another count of
// shards, or one that was interrupted. No tensor is stored in them.
void warn_of_stale(const OpenContext& context, const Checkpoint& checkpoint) {
  const std::string start = cat(checkpoint.prefix, ".data-");
  const std::string first = checkpoint_shard_name("", 0, checkpoint.num_shards);
  std::string_view end = first;
  end.remove_prefix(first.rfind("-of-"));
  std::vector<std::string> stale;
  for (const SourcePtr& file : context.files) {
    const std::string& name = file->name();
    if (name.starts_with(start) && !name.ends_with(end)) stale.emplace_back(base_name(name));
  }
  if (stale.empty()) return;
  context.diagnostics.note(
      "stale-data",
      cat(plural(stale.size(), "data file"),
          " next to the checkpoint, of another save, not read: ", join(stale, ", ", kMaxListed)),
      {.file = cat(checkpoint.prefix, ".index")}, "they can be deleted");
}

// Adds the checkpoint `prefix`.
Status add_found(Model& model, const OpenContext& context, const std::string& prefix) {
  const SourcePtr index = context.find(cat(prefix, ".index"));
  const std::vector<SourcePtr> tables =
      index == nullptr ? v1_tables(context, prefix) : std::vector<SourcePtr>();
  if (!tables.empty()) return add_v1(model, context, prefix, tables);
  const std::vector<SourcePtr> parts =
      index == nullptr ? parts_of(context, prefix) : std::vector<SourcePtr>();
  if (!parts.empty()) return add_parts(model, context, prefix, parts);
  if (index == nullptr) {
    return failure("no-checkpoint",
                   cat("there is no checkpoint '", prefix, "': ", prefix, ".index is missing"),
                   {.file = cat(prefix, ".index")},
                   "give the prefix that the .index and .data files share");
  }
  const auto shard = [&](int i, int n) {
    const SourcePtr data = context.find(checkpoint_shard_name(prefix, i, n));
    add_file(model, data);
    return data;
  };
  model.files.push_back(index);
  TRY(checkpoint,
      read_checkpoint(index, shard, context.diagnostics, &context.checks, context.salvaged()));
  warn_of_stale(context, checkpoint);
  model.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return Unit{};
}

}  // namespace

Status add_checkpoint(Model& model, const OpenContext& context, const std::string& prefix) {
  const size_t before = context.losses.size();
  Status added = add_found(model, context, prefix);
  const bool graph_is_left = model.has_graph && context.options.salvage;
  if (added || !graph_is_left || !is_of_file(added.error().code)) return added;
  if (context.losses.size() == before)
    context.losses.push_back({kLostDirectory, prefix, 0, added.error()});
  return Unit{};
}

std::string asked_checkpoint(const OpenOptions& options) {
  const std::string prefix = prefix_of(options.checkpoint);
  return prefix.empty() ? prefix_of_v1(options.checkpoint) : prefix;
}

namespace {

// Returns the checkpoint to take if nothing names the graph's own; empty if there is none.
std::string checkpoint_beside(const OpenContext& context, const SourcePtr& graph_file) {
  if (!context.beside.empty()) return context.beside;
  const std::vector<std::string> all = checkpoint_prefixes(context);
  if (all.size() <= 1) return all.empty() ? std::string() : all.front();
  const SourcePtr state = context.find(cat(folder_of(graph_file->name()), "checkpoint"));
  if (state != nullptr) {
    const Result<std::string> latest = prefix_of_state(context, state);
    if (latest && context.find(cat(*latest, ".index")) != nullptr) return *latest;
  }
  context.diagnostics.note("several-checkpoints",
                           cat("there are ", all.size(),
                               " checkpoints next to the graph, and "
                               "nothing says which is its own: ",
                               join(all, ", ", kMaxListed)),
                           {.file = graph_file->name()}, ADVICE("choose-checkpoint"));
  return "";
}

}  // namespace

Status pair_checkpoint(Model& model, const OpenContext& context, const SourcePtr& graph_file) {
  const std::string asked = asked_checkpoint(context.options);
  if (!asked.empty()) return add_checkpoint(model, context, asked);
  const std::string prefix = prefix_of(graph_file->name());
  const bool paired =
      !prefix.empty() && (has_checkpoint(context, prefix) || !v1_tables(context, prefix).empty());
  if (paired) return add_checkpoint(model, context, prefix);
  const bool has_variables = std::any_of(model.graph.nodes().begin(), model.graph.nodes().end(),
                                         [](const Node& node) { return is_variable(node.op); });
  if (!has_variables) return Unit{};
  const std::string beside = checkpoint_beside(context, graph_file);
  if (beside.empty()) return Unit{};
  context.diagnostics.note("checkpoint-chosen", cat("took the checkpoint next to it, ", beside),
                           {.file = graph_file->name()}, ADVICE("choose-checkpoint"));
  return add_checkpoint(model, context, beside);
}

Status require_graph(const Model& model) {
  if (model.has_graph) return Unit{};
  const MissingPart missing = missing_graph(model);
  return failure("no-graph", missing.message, {}, missing.fix);
}

}  // namespace cryo
