#pragma once

#include <cstring>

namespace cryo {

// The bits of a number as another type of the same size: 1.0F is 3F800000. (clang 14 has no
// std::bit_cast.)
template <typename To, typename From>
To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to = 0;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace cryo
