// Blocks of tables, compressed or not. What Snappy's own library packs is unpacked to the same; the
// entries of any block are walked.

#include <snappy.h>

#include "bytes/coding.h"
#include "bytes/crc32c.h"
#include "input.h"
#include "sstable/block.h"
#include "targets.h"

namespace cryo::fuzz {
namespace {

constexpr char kSnappy = 1;

// A file of one block and room for a footer.
Result<std::string> read_compressed(std::string block) {
  const uint64_t size = block.size();
  block += kSnappy;
  put_fixed32(block, mask_crc(crc32c(block)));
  block.append(kFooterBytes, '\0');
  return read_block(MemorySource(block), {0, size});
}

}  // namespace

void fuzz_blocks(std::string_view input) {
  const std::string bytes(input);
  std::string packed;
  snappy::Compress(bytes.data(), bytes.size(), &packed);
  const auto unpacked = read_compressed(packed);
  assert(unpacked.ok() && *unpacked == bytes);
  const auto contents = read_compressed(bytes);
  const auto ignore = [](std::string_view, std::string_view) -> Status { return Unit{}; };
  (void)for_each_block_entry(contents ? *contents : bytes, {}, ignore);
}

}  // namespace cryo::fuzz
