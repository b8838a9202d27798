// The functions that libFuzzer calls.

#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  cryo::fuzz::run(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
