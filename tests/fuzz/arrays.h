#pragma once

#include "checkpoint/checkpoint.h"
#include "input.h"

namespace cryo::fuzz {

using ReadArrays = Result<Checkpoint> (*)(const SourcePtr&, Diagnostics&);
using WriteArrays = Result<Splice> (*)(const std::vector<CheckpointEntry>&, Diagnostics&);

// Reads arrays, some of their bytes too. What a writer makes of them a reader takes.
inline void read_and_write(const SourcePtr& file, ReadArrays read, WriteArrays write,
                           ReadArrays read_again) {
  Diagnostics diagnostics;
  const auto arrays = read(file, diagnostics);
  if (!arrays) return;
  uint64_t budget = uint64_t{4} << 20;
  for (const CheckpointEntry& entry : arrays->entries) {
    read_some(entry.content, budget);
    if (budget == 0) return;
  }
  const auto written = write(arrays->entries, diagnostics);
  if (!written) return;
  const auto content = written->read_all();
  if (!content) return;
  const auto again = read_again(std::make_shared<MemorySource>(*content, "m"), diagnostics);
  assert(again.ok());
  assert(again->entries.size() <= arrays->entries.size());
}

}  // namespace cryo::fuzz
