#pragma once

#include <string>
#include <vector>

#include "bytes/source.h"

namespace cryo::laws {

// Files that may be anything.
struct Files {
  Files& put(std::string name, std::string bytes);
  uint64_t size() const;

  std::vector<SourcePtr> sources = {};
};

// Takes the files through all of it: open, inspect, list, validate, prune, freeze, unfreeze, and
// each result written in every form. What comes out is thrown away. Returns the codes of all that
// was refused, each once. Fails the test where that takes more memory than the files are worth, or
// too long.
std::vector<std::string> survive(const Files& files, const std::string& path);

}  // namespace cryo::laws
