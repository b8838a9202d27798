#pragma once

#include <string>
#include <vector>

#include "bytes/source.h"

namespace cryo::fuzz {

// A folder of tests/data: its files, held in memory, by their names in it.
struct Fixture {
  std::string name = {};
  std::vector<SourcePtr> files = {};
};

// All folders of tests/data that hold a model of at most this many bytes, by name.
constexpr uint64_t kMaxFixtureBytes = 64 * 1024;
const std::vector<Fixture>& fixtures();

}  // namespace cryo::fuzz
