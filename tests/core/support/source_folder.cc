#include "source_folder.h"

namespace cryo {

std::string source_folder() { return CRYOGRAPH_SOURCE_DIR; }

}  // namespace cryo
