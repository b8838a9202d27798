// Zip, tar and gzip: what is in them, and its bytes from the beginning and from elsewhere.

#include "model/archive.h"

#include "input.h"

using namespace cryo;

FUZZ_TARGET(input) {
  const auto members = unpack(fuzz::file_of(input));
  if (!members) return;
  uint64_t budget = uint64_t{4} << 20;
  for (const SourcePtr& member : *members) {
    const uint64_t size = member->size();
    fuzz::read_some(Splice(whole(member)), budget);
    if (size > budget) continue;
    fuzz::read_some(Splice(Slice{member, size / 2, size - size / 2}), budget);
  }
}
