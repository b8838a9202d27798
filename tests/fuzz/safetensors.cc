// .safetensors. What is read without a fault and written again reads the same.

#include "model/formats/safetensors.h"

#include "arrays.h"
#include "input.h"

using namespace cryo;

FUZZ_TARGET(input) {
  fuzz::read_and_write(fuzz::file_of(input), read_safetensors, write_safetensors, read_safetensors);
}
