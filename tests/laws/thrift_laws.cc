// Law 4, thrift: what is read is counted on the second road, in this order, before other laws take
// it.

#include <gtest/gtest.h>

#include "base/text.h"
#include "formats/write.h"
#include "laws.h"
#include "road.h"

namespace cryo::laws {
namespace {

// Returns the number of bytes that reading structure may cost, in a file of `size` bytes of which
// `bulk` in `pieces` is skipped: the recognizer's look at its head, each byte of structure once or,
// if a window grew, twice, and a window's first step around each piece.
uint64_t structure_cost(uint64_t size, uint64_t bulk, uint64_t pieces) {
  constexpr uint64_t kLook = 16 * 1024;
  constexpr uint64_t kStep = 16 * 1024;
  return std::min(size + kLook, 2 * (size - bulk) + kStep * (pieces + 1) + kLook);
}

uint64_t bulk_of(const Payloads& payloads, uint32_t count) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < count; ++i) bytes += payloads.find(i)->record.size();
  return bytes;
}

// Strings become string_val, so freezing looks at them.
uint64_t string_bytes(const Model& model) {
  uint64_t bytes = 0;
  if (model.checkpoint == nullptr) return bytes;
  for (const CheckpointEntry& entry : model.checkpoint->entries) {
    if (entry.dtype == DType::kString) bytes += entry.bytes;
  }
  return bytes;
}

bool is_data(const std::string& name) { return name.find(".data-") != std::string::npos; }

void freezing_reads_structure_and_no_tensor(Road& road, Tally& tally) {
  Road& fresh = road.second();
  ASSERT_FALSE(fresh.is_opened()) << "another law has read these files";
  const Model& model = fresh.model();
  const uint32_t payloads = model.payloads->size();
  const uint64_t bulk = bulk_of(*model.payloads, payloads);
  if (const auto& frozen = fresh.frozen().model) {
    Diagnostics diagnostics;
    EXPECT_TRUE(write(*frozen, {"pb", "out"}, diagnostics).ok());
  }
  for (const auto& file : fresh.opened().files) {
    if (is_data(file->name())) {
      EXPECT_LE(file->bytes_read(), 3 * string_bytes(model)) << "read " << file->name();
    } else if (file->name() == fresh.of().path) {
      EXPECT_LE(file->bytes_read(), structure_cost(file->size(), bulk, payloads));
    }
  }
  ++tally.held;
}

// Shapes and axes, which are read to know which constants are weights.
constexpr uint64_t kSmallReads = 4096;

// Weights that lie in the file in their plain form are read once, for their checksums.
void unfreezing_reads_each_tensor_once(Road& road, Tally& tally) {
  Road& fresh = road.second();
  const uint64_t before = fresh.opened().bytes_read();
  const auto& [planned, report] = fresh.unfrozen();
  if (!planned) return tally.skip(planned.error().code);
  uint64_t bytes = 0;
  bool plain = true;
  for (const Conversion& conversion : report.converted) {
    bytes += conversion.bytes;
    plain = plain && conversion.dtype != DType::kString;
  }
  Diagnostics diagnostics;
  const auto files = write(*planned, {"checkpoint", "out"}, diagnostics);
  ASSERT_TRUE(files.ok()) << to_text(files.error());
  // Small values are part of the skeleton; computing a value takes no more than its bytes.
  EXPECT_LE(fresh.opened().bytes_read() - before, (plain ? bytes : 3 * bytes) + kSmallReads);
  ++tally.held;
}

}  // namespace

std::vector<Law> thrift_laws() {
  return {
      {"open + prune + freeze + write read no tensor", 100, freezing_reads_structure_and_no_tensor},
      {"unfreeze + write read each tensor once", 20, unfreezing_reads_each_tensor_once}};
}

}  // namespace cryo::laws
