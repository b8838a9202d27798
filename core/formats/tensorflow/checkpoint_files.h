#pragma once

#include "formats/format.h"

namespace cryo {

// A V2 checkpoint with its .meta, or only weights without one.
Result<Model> read_checkpoint_model(const OpenContext& context, const SourcePtr& index);
Result<Files> write_checkpoint_model(const Model& model, const WriteOptions& options,
                                     Diagnostics& diagnostics);
bool is_checkpoint_part(std::string_view index, std::string_view other);

// A V1 checkpoint, by one of its tables: likewise.
Result<Model> read_checkpoint_v1_model(const OpenContext& context, const SourcePtr& table);
bool is_checkpoint_v1_part(std::string_view table, std::string_view other);

// Writes one table, OUT, with OUT.meta, whose saver writes and reads such checkpoints.
Result<Files> write_checkpoint_v1_model(const Model& model, const WriteOptions& options,
                                        Diagnostics& diagnostics);

// Returns true if `other` belongs to a .meta: a checkpoint of its prefix, of either version.
bool is_meta_graph_part(std::string_view meta, std::string_view other);

// Opens a checkpoint by the common prefix of its files.
Result<Model> read_checkpoint_prefix(const OpenContext& context, const std::string& prefix);

// Returns the values of the graph's variables, as checkpoint `prefix`, its data in files of
// `shard_size`; without a graph all values.
Result<Files> checkpoint_files(const Model& model, const std::string& prefix, uint64_t shard_size);

}  // namespace cryo
