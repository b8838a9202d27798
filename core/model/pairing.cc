#include "model/pairing.h"

#include <algorithm>

#include "base/text.h"
#include "graph/roles.h"
#include "model/checkpoint_state.h"
#include "model/checkpoint_v1.h"

namespace cryo {
namespace {

constexpr uint64_t kMaxStateFile = 1 << 20;

// The prefixes of all checkpoints among the files.
std::vector<std::string> prefixes(const Opening& opening) {
  std::vector<std::string> found;
  for (const SourcePtr& file : opening.files) {
    if (file->name().ends_with(".index")) found.push_back(prefix_of(file->name()));
  }
  return found;
}

}  // namespace

std::string prefix_of(std::string_view name) {
  for (const std::string_view ending : {".index", ".meta", ".meta.pbtxt"}) {
    if (name.ends_with(ending)) return std::string(name.substr(0, name.size() - ending.size()));
  }
  const size_t data = name.rfind(".data-");
  return data == std::string_view::npos ? std::string() : std::string(name.substr(0, data));
}

Result<std::string> prefix_of_state(const Opening& opening, const SourcePtr& state) {
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
  if (opening.find(cat(beside, ".index")) != nullptr ||
      opening.find(cat(beside, ".meta")) != nullptr)
    return beside;
  return cat(folder, base_name(latest));
}

// The tables of a V1 checkpoint; none where there is none, or not all.
std::vector<SourcePtr> v1_tables(const Opening& opening, const std::string& prefix) {
  if (const SourcePtr file = opening.find(prefix)) return {file};
  std::vector<SourcePtr> tables;
  for (const SourcePtr& file : opening.files) {
    const bool shard = file->name() != prefix && prefix_of_v1(file->name()) == prefix;
    if (shard) tables.push_back(file);
  }
  const auto count = static_cast<int>(tables.size());
  for (int i = 0; i < count; ++i) {
    if (opening.find(v1_shard_name(prefix, i, count)) == nullptr) return {};
  }
  return tables;
}

Status add_v1(Model& model, const Opening& opening, const std::string& prefix,
              const std::vector<SourcePtr>& tables) {
  model.files.insert(model.files.end(), tables.begin(), tables.end());
  TRY(checkpoint, read_checkpoint_v1(tables, prefix, opening.diagnostics));
  model.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return Unit{};
}

Status add_checkpoint(Model& model, const Opening& opening, const std::string& prefix) {
  const SourcePtr index = opening.find(cat(prefix, ".index"));
  const std::vector<SourcePtr> tables =
      index == nullptr ? v1_tables(opening, prefix) : std::vector<SourcePtr>();
  if (!tables.empty()) return add_v1(model, opening, prefix, tables);
  if (index == nullptr) {
    return failure("no-checkpoint",
                   cat("there is no checkpoint '", prefix, "': ", prefix, ".index is missing"),
                   {.file = cat(prefix, ".index")},
                   "give the prefix that the .index and .data files share");
  }
  const auto shard = [&](int i, int n) {
    const SourcePtr data = opening.find(checkpoint_shard_name(prefix, i, n));
    if (data != nullptr) model.files.push_back(data);
    return data;
  };
  model.files.push_back(index);
  TRY(checkpoint, read_checkpoint(index, shard, opening.diagnostics));
  model.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return Unit{};
}

Status pair_checkpoint(Model& model, const Opening& opening, const SourcePtr& graph_file) {
  if (!opening.options.checkpoint.empty()) {
    const std::string named = prefix_of(opening.options.checkpoint);
    return add_checkpoint(model, opening, named.empty() ? opening.options.checkpoint : named);
  }
  const std::string prefix = prefix_of(graph_file->name());
  const bool paired = !prefix.empty() && (opening.find(cat(prefix, ".index")) != nullptr ||
                                          !v1_tables(opening, prefix).empty());
  if (paired) return add_checkpoint(model, opening, prefix);
  const bool has_variables = std::any_of(model.graph.nodes().begin(), model.graph.nodes().end(),
                                         [](const Node& node) { return is_variable(node.op); });
  const std::vector<std::string> others = prefixes(opening);
  if (!has_variables || others.size() != 1) return Unit{};
  opening.diagnostics.note("checkpoint-chosen",
                           cat("took the only checkpoint beside it, ", others.front()),
                           {.file = cat(others.front(), ".index")});
  return add_checkpoint(model, opening, others.front());
}

Status require_graph(const Model& model) {
  if (model.has_graph) return Unit{};
  return failure("no-graph", cat("'", model.name, "' holds weights and no graph"), {},
                 "give the .meta that was saved with it as well");
}

}  // namespace cryo
