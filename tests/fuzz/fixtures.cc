#include "fixtures.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "source_folder.h"

namespace cryo::fuzz {
namespace {

namespace fs = std::filesystem;

// Folders within a SavedModel are parts of its fixture.
bool is_part(const fs::path& folder) {
  static const std::set<std::string> kParts = {"fixtures", "variables", "assets"};
  return std::any_of(folder.begin(), folder.end(),
                     [](const fs::path& part) { return kParts.count(part.string()) > 0; });
}

Fixture read_fixture(const fs::path& folder) {
  Fixture fixture{folder.string()};
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const std::string name = entry.path().lexically_relative(folder).generic_string();
    fixture.files.push_back(std::make_shared<MemorySource>(std::move(bytes), name));
  }
  const auto by_name = [](const SourcePtr& a, const SourcePtr& b) { return a->name() < b->name(); };
  std::sort(fixture.files.begin(), fixture.files.end(), by_name);
  return fixture;
}

std::vector<Fixture> read_fixtures() {
  std::vector<Fixture> all;
  for (const auto& entry : fs::recursive_directory_iterator(source_folder() + "/tests/data")) {
    if (!entry.is_directory() || is_part(entry.path())) continue;
    Fixture fixture = read_fixture(entry.path());
    uint64_t bytes = 0;
    for (const SourcePtr& file : fixture.files) bytes += file->size();
    if (bytes > 0 && bytes <= kMaxFixtureBytes) all.push_back(std::move(fixture));
  }
  const auto by_name = [](const Fixture& a, const Fixture& b) { return a.name < b.name; };
  std::sort(all.begin(), all.end(), by_name);
  return all;
}

}  // namespace

const std::vector<Fixture>& fixtures() {
  static const std::vector<Fixture> all = read_fixtures();
  return all;
}

}  // namespace cryo::fuzz
