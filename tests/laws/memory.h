#pragma once

#include <cstdint>

namespace cryo::laws {

// What the program has allocated: every `new` of it is counted, and one beyond the cap ends the
// program, saying so. For tests of hostile files, which must not make us allocate more than they
// are worth.

// Bytes now and at most since the last call of forget_peak().
uint64_t bytes_in_use();
uint64_t peak_bytes();
void forget_peak();

// Runs something and tells how much more memory it took than there was in use before.
template <typename Function>
uint64_t peak_of(Function function) {
  forget_peak();
  const uint64_t before = bytes_in_use();
  function();
  return peak_bytes() - before;
}

}  // namespace cryo::laws
