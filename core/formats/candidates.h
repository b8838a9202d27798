#pragma once

#include <vector>

#include "formats/format.h"

namespace cryo {

// A file that a model can be opened by.
struct Candidate {
  SourcePtr file;
  const Format* format;
};

// Removes candidates that are parts of another (Format::owns): a checkpoint belongs to its .meta,
// the files in a SavedModel's folder to the SavedModel. If two of a format own each other, the
// first by name is kept. Removes records of training (Format::is_record) next to models.
std::vector<Candidate> remove_parts(const std::vector<Candidate>& all);

}  // namespace cryo
