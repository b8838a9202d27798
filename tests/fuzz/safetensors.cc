// .safetensors. What is read without a fault and written again reads the same.

#include "formats/arrays/safetensors.h"

#include "arrays.h"
#include "input.h"
#include "targets.h"

namespace cryo::fuzz {

void fuzz_safetensors(std::string_view input) {
  read_and_write(file_of(input), read_safetensors, write_safetensors, read_safetensors);
}

}  // namespace cryo::fuzz
