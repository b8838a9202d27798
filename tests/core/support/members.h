#pragma once

#include <string>
#include <vector>

#include "base/text.h"
#include "bytes/source.h"

namespace cryo {

// Helpers for tests of the members of archives.

// The name of a file in Python's archives (tests/data/fixtures/archives.py), too long for a tar
// header.
inline std::string far_down() {
  std::string path = "m/";
  for (int i = 0; i < 30; ++i) path += "long/";
  return path + "name";
}

// "name=size", of each member in order; or the error's code.
inline std::vector<std::string> listed(const Result<std::vector<SourcePtr>>& members) {
  if (!members) return {members.error().code};
  std::vector<std::string> out;
  for (const SourcePtr& member : *members) out.push_back(cat(member->name(), "=", member->size()));
  return out;
}

}  // namespace cryo
