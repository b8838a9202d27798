// Zip, tar and gzip: what is in them, and its bytes from the beginning and from elsewhere; and what
// is whole of damaged ones.

#include "formats/archive.h"

#include "input.h"
#include "targets.h"

namespace cryo::fuzz {
namespace {

void read_members(const Result<std::vector<SourcePtr>>& members) {
  if (!members) return;
  uint64_t budget = uint64_t{4} << 20;
  for (const SourcePtr& member : *members) {
    const uint64_t size = member->size();
    read_some(Splice(whole(member)), budget);
    if (size > budget) continue;
    read_some(Splice(Slice{member, size / 2, size - size / 2}), budget);
  }
}

}  // namespace

void fuzz_archive(std::string_view input) {
  read_members(unpack(file_of(input)));
  DamagedParts losses;
  read_members(unpack(file_of(input), nullptr, &losses));
}

}  // namespace cryo::fuzz
