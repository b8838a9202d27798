#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace cryo {

// The text file `checkpoint` of a directory, a tensorflow.CheckpointState: which of the checkpoints
// there is the latest.
//
//     model_checkpoint_path: "model.ckpt-200"
//     all_model_checkpoint_paths: "model.ckpt-100"
//     all_model_checkpoint_paths: "model.ckpt-200"
//
// Paths are prefixes, relative to the file's directory unless absolute. Times, which TensorFlow
// adds from 1.12 on, are skipped.
struct CheckpointState {
  std::string latest = {};            // model_checkpoint_path; empty: none is named
  std::vector<std::string> all = {};  // oldest first; the latest is the last of them
};

// `file` is the text's name, for messages.
Result<CheckpointState> read_checkpoint_state(std::string_view text, const std::string& file);

std::string write_checkpoint_state(const CheckpointState& state);

}  // namespace cryo
