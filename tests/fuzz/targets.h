#pragma once

#include <string_view>

namespace cryo::fuzz {

// The targets: each handles one input, and aborts where a property does not hold.
void fuzz_archive(std::string_view input);
void fuzz_blocks(std::string_view input);
void fuzz_checkpoints(std::string_view input);
void fuzz_json(std::string_view input);
void fuzz_names(std::string_view input);
void fuzz_npz(std::string_view input);
void fuzz_open(std::string_view input);
void fuzz_passes(std::string_view input);
void fuzz_safetensors(std::string_view input);
void fuzz_set(std::string_view input);
void fuzz_table(std::string_view input);
void fuzz_text(std::string_view input);
void fuzz_tfjs(std::string_view input);
void fuzz_tflite(std::string_view input);
void fuzz_verbs(std::string_view input);

}  // namespace cryo::fuzz
