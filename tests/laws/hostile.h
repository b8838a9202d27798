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

// Opens the files and runs everything on the model (whole_road.h). Returns the codes of all
// findings and errors, each once. Fails the test if that takes more memory than the files justify,
// or too long.
std::vector<std::string> survive(const Files& files, const std::string& path);

}  // namespace cryo::laws
