#include "bytes/damaged_part.h"

namespace cryo {

bool is_of_file(std::string_view code) {
  return code.starts_with("bad-") || code.starts_with("unsupported-") || code == "truncated" ||
         code == "encrypted-member" || code == "checksum" || code == "not-a-table" ||
         code == "keys-out-of-order";
}

}  // namespace cryo
