#pragma once

#include <cstdint>

namespace cryo::laws {

// The memory that the program has allocated: every `new` is counted, and one beyond the cap ends
// the program with a message. For tests of hostile files, whose memory must be in proportion to
// their size.

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
