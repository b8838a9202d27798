// A checkpoint's index. What is read and written again reads the same; of a damaged one the whole
// blocks are read, with the values or with their places.

#include "input.h"
#include "sstable/table_reader.h"
#include "sstable/table_salvage.h"
#include "sstable/table_writer.h"
#include "sstable/value_slices.h"
#include "targets.h"

namespace cryo::fuzz {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

bool read(const ByteSource& file, Entries& entries) {
  return for_each_entry(file,
                        [&](std::string_view key, std::string_view value) -> Status {
                          entries.emplace_back(key, value);
                          return Unit{};
                        })
      .ok();
}

}  // namespace

void fuzz_table(std::string_view input) {
  Entries entries;
  DamagedParts losses;
  size_t salvaged = 0;
  const auto count = [&](std::string_view, std::string_view) -> Status {
    ++salvaged;
    return Unit{};
  };
  const bool any = for_each_whole_entry(file_of(input), count, losses).ok();
  DamagedParts lost_values;
  size_t values = 0;
  const auto count_values = [&](std::string_view, const StoredValue&) -> Status {
    ++values;
    return Unit{};
  };
  const bool any_values = for_each_value(file_of(input), count_values, nullptr, &lost_values).ok();
  if (!read(*file_of(input), entries)) return;
  assert(any && losses.empty() && salvaged == entries.size());
  assert(any_values && lost_values.empty() && values == entries.size());
  TableWriter table;
  for (const auto& entry : entries) table.add(entry.first, entry.second);
  const auto file = table.finish().read_all();
  assert(file.ok());
  Entries again;
  assert(read(MemorySource(*file), again));
  assert(again == entries);
}

}  // namespace cryo::fuzz
