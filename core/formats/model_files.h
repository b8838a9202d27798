#pragma once

#include <vector>

#include "formats/format.h"

namespace cryo {

// A file that a model can be opened by.
struct Candidate {
  SourcePtr file;
  const Format* format;
};

// Without those that are parts of another (Format::owns): a checkpoint goes with its .meta, what
// lies in a SavedModel's folder with that. Of two of a format that own each other the first by name
// is left.
std::vector<Candidate> leave_out_parts(const std::vector<Candidate>& all);

}  // namespace cryo
