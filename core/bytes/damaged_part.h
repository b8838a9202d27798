#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace cryo {

// Kinds of lost parts.
constexpr std::string_view kLostWeight = "weight";
constexpr std::string_view kLostBytes = "bytes";  // of a graph: what was stored there is not known
constexpr std::string_view kLostMember = "member";        // of an archive, or several in a row
constexpr std::string_view kLostDirectory = "directory";  // the list of members or blocks
constexpr std::string_view kLostBlock = "block";
constexpr std::string_view kLostHeader = "header";

// A part of a container (an archive, a table) that is not whole. A reader that gets a list of them
// reads on after damage, and adds what is not whole. Without a list it fails at the first one.
struct DamagedPart {
  std::string_view what;
  std::string name = {};  // of the member or weight, if it is known
  uint64_t bytes = 0;
  Diagnostic why = {};  // with file and offset
};

using DamagedParts = std::vector<DamagedPart>;

// Returns true if an error concerns the file itself. All other errors are the host's: a read failed
// or was canceled.
bool is_of_file(std::string_view code);

}  // namespace cryo
