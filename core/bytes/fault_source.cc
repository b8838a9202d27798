#include "bytes/fault_source.h"

namespace cryo {

Slice fault_slice(const Diagnostic& why, uint64_t size) {
  return whole(std::make_shared<FaultSource>(why, size));
}

}  // namespace cryo
