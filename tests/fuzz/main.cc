// The functions that libFuzzer calls. --target=NAME chooses the target; libFuzzer itself ignores
// options that begin with two dashes, and passes them on to the processes it starts. Without a
// target the program lists them.

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <span>

#include "targets.h"

namespace cryo::fuzz {
namespace {

struct Target {
  std::string_view name;
  void (*run)(std::string_view input);
};

constexpr Target kTargets[] = {
    {"archive", fuzz_archive}, {"blocks", fuzz_blocks}, {"checkpoints", fuzz_checkpoints},
    {"json", fuzz_json},       {"names", fuzz_names},   {"npz", fuzz_npz},
    {"open", fuzz_open},       {"passes", fuzz_passes}, {"safetensors", fuzz_safetensors},
    {"set", fuzz_set},         {"table", fuzz_table},   {"text", fuzz_text},
    {"tfjs", fuzz_tfjs},       {"tflite", fuzz_tflite}, {"verbs", fuzz_verbs},
};

const Target* chosen_target = nullptr;

void choose_target(std::span<char* const> arguments) {
  constexpr std::string_view kOption = "--target=";
  for (const std::string_view argument : arguments) {
    if (!argument.starts_with(kOption)) continue;
    for (const Target& each : kTargets) {
      if (each.name == argument.substr(kOption.size())) chosen_target = &each;
    }
  }
  if (chosen_target != nullptr) return;
  for (const Target& each : kTargets) std::cout << each.name << '\n';
  std::exit(2);
}

}  // namespace
}  // namespace cryo::fuzz

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  cryo::fuzz::choose_target({*argv, static_cast<size_t>(*argc)});
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  cryo::fuzz::chosen_target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
