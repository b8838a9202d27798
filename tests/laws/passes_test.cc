// Law 3, idempotence; law 4, thrift; and determinism.

#include "laws.h"
#include "model/variables.h"
#include "tensor/content.h"
#include "validate/repair.h"
#include "validate/validate.h"

namespace cryo::laws {
namespace {

TEST(Idempotence, PruningTwiceIsPruningOnce) {
  Tally tally("prune(prune(m)) == prune(m)");
  for (const Case& each : cases()) {
    const Opened opened(each);
    PassLog log;
    const auto once = run("prune", *opened.model, each.outputs, log);
    if (!once) {
      tally.skip(once.error().code);
      continue;
    }
    const auto twice = run("prune", *once, log.outputs);
    ASSERT_TRUE(twice.ok()) << each.name() << ": " << to_text(twice.error());
    EXPECT_TRUE(twice->graph.skeleton() == once->graph.skeleton()) << each.name();
    EXPECT_TRUE(twice->meta == once->meta) << each.name();
    tally.held();
  }
  EXPECT_GT(tally.count(), 100);
}

TEST(Idempotence, RepairingTwiceIsRepairingOnce) {
  Tally tally("repair(repair(m)) == repair(m), and nothing fixable is left");
  for (const Case& each : cases()) {
    const Opened opened(each);
    std::vector<Repaired> repaired;
    const Model once = repair(*opened.model, &ops(), repaired);
    repaired.clear();
    const Model twice = repair(once, &ops(), repaired);
    EXPECT_EQ(repaired.size(), 0U) << each.name();
    EXPECT_TRUE(twice.graph.skeleton() == once.graph.skeleton()) << each.name();
    Diagnostics before;
    Diagnostics after;
    EXPECT_LE(validate(*opened.model, &ops(), before), validate(once, &ops(), after))
        << each.name();
    for (const Diagnostic& left : after.all()) EXPECT_FALSE(left.fixable) << each.name();
    tally.held();
  }
  EXPECT_GT(tally.count(), 100);
}

TEST(Idempotence, FreezingTwiceIsFreezingOnce) {
  Tally tally("freeze(freeze(m)) == freeze(m)");
  for (const Case& each : cases()) {
    const Opened opened(each);
    PassLog log;
    const auto once = run("freeze", *opened.model, each.outputs, log);
    if (!once) {
      tally.skip(once.error().code);
      continue;
    }
    const auto twice = run("freeze", *once, log.outputs);
    ASSERT_TRUE(twice.ok()) << each.name() << ": " << to_text(twice.error());
    EXPECT_TRUE(twice->graph.skeleton() == once->graph.skeleton()) << each.name();
    tally.held();
  }
  EXPECT_GT(tally.count(), 100);
}

// Debug builds check this after every pass.
TEST(Truth, AGraphThatCanBeImportedStaysOne) {
  Tally tally("what a pass makes of a graph that TensorFlow would import, it would import");
  for (const Case& each : cases()) {
    const Opened opened(each);
    for (const char* pass : {"prune", "freeze", "unfreeze"}) {
      const auto made = run(pass, *opened.model, each.outputs);
      if (!made) {
        tally.skip(made.error().code);
        continue;
      }
      const Status good = check_made(*find_pass(pass), *opened.model, *made, &ops());
      EXPECT_TRUE(good.ok()) << each.name() << ": " << to_text(good.error());
      tally.held();
    }
  }
  EXPECT_GT(tally.count(), 200);
}

// A model through the whole road, from opening on: all bytes of all outputs.
Written road(const Case& of) {
  const Opened opened(of);
  Written all;
  const auto keep = [&](const char* name, const Result<Model>& model, const char* form) {
    all[name] = model ? "" : model.error().message;
    if (!model) return;
    for (const auto& file : written(*model, form)) all[cat(name, "/", file.first)] = file.second;
  };
  const auto frozen = run("freeze", *opened.model, of.outputs);
  keep("pruned", run("prune", *opened.model, of.outputs), "pb");
  keep("frozen", frozen, "pb");
  if (frozen) keep("unfrozen", run("unfreeze", *frozen, PassOptions().outputs), "checkpoint");
  return all;
}

TEST(Determinism, TwoRunsWriteTheSameBytes) {
  Tally tally("two runs write the same bytes");
  for (const Case& each : cases()) {
    EXPECT_TRUE(road(each) == road(each)) << each.name();
    tally.held();
  }
}

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

TEST(Thrift, FreezingReadsStructureAndNoTensor) {
  Tally tally("open + prune + freeze + write read no tensor");
  for (const Case& each : cases()) {
    const Opened opened(each);
    const uint32_t payloads = opened.model->payloads->size();
    const uint64_t bulk = bulk_of(*opened.model->payloads, payloads);
    const auto frozen = run("freeze", *opened.model, each.outputs);
    if (frozen) {
      Diagnostics diagnostics;
      EXPECT_TRUE(write(*frozen, {"pb", "out"}, diagnostics).ok()) << each.name();
    }
    for (const auto& file : opened.files) {
      if (is_data(file->name())) {
        EXPECT_LE(file->bytes_read(), 3 * string_bytes(*opened.model))
            << each.name() << " read " << file->name();
      } else if (file->name() == each.path) {
        EXPECT_LE(file->bytes_read(), structure_cost(file->size(), bulk, payloads)) << each.name();
      }
    }
    tally.held();
  }
  EXPECT_GT(tally.count(), 100);
}

// Weights that lie in the file in their plain form are read once, for their checksums.
TEST(Thrift, UnfreezingReadsEachTensorOnce) {
  Tally tally("unfreeze + write read each tensor once");
  for (const Case& each : cases()) {
    const Opened opened(each);
    PassLog log;
    const auto planned = run("unfreeze", *opened.model, PassOptions(), log);
    if (!planned) {
      tally.skip(planned.error().code);
      continue;
    }
    uint64_t bytes = 0;
    bool plain = true;
    for (const Conversion& conversion : log.converted) {
      bytes += conversion.bytes;
      plain = plain && conversion.dtype != DType::kString;
    }
    const uint64_t before = opened.bytes_read();
    Diagnostics diagnostics;
    const auto files = write(*planned, {"checkpoint", "out"}, diagnostics);
    ASSERT_TRUE(files.ok()) << each.name() << ": " << to_text(files.error());
    // Small values are part of the skeleton; computing a value takes no more than its bytes.
    EXPECT_LE(opened.bytes_read() - before, plain ? bytes : 3 * bytes) << each.name();
    tally.held();
  }
  EXPECT_GT(tally.count(), 20);
}

}  // namespace
}  // namespace cryo::laws
