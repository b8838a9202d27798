#include "hostile.h"

#include <gtest/gtest.h>

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#else
#include <ctime>
#endif

#include "formats/open.h"
#include "memory.h"
#include "road.h"
#include "whole_road.h"

#ifdef __EMSCRIPTEN__
// Emscripten's clock() is that on the wall.
EM_JS(double, processor_seconds, (), {
  const used = process.cpuUsage();
  return (used.user + used.system) / 1e6;
});
#else
static double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}
#endif

namespace cryo::laws {
namespace {

// The memory allowed for a file of `size` bytes: views and tables over its structure, several
// models of it at once, the definitions of ops.
uint64_t allowed_memory(uint64_t size) { return 400 * size + (16U << 20); }

// Seconds of the processor, for others may use the machine. Nothing here is large; slow machines
// and WebAssembly included. Sanitizers and the counters of libFuzzer take several times as long.
#if defined(__has_feature)
#define CRYO_HAS_FEATURE(feature) __has_feature(feature)
#else
#define CRYO_HAS_FEATURE(feature) 0
#endif
constexpr double kAllowedTime = CRYO_HAS_FEATURE(address_sanitizer) ? 80 : 20;

}  // namespace

Files& Files::put(std::string name, std::string bytes) {
  sources.push_back(std::make_shared<MemorySource>(std::move(bytes), std::move(name)));
  return *this;
}

uint64_t Files::size() const {
  uint64_t bytes = 0;
  for (const SourcePtr& source : sources) bytes += source->size();
  return bytes;
}

std::vector<std::string> survive(const Files& files, const std::string& path) {
  (void)ops();
  Codes codes;
  const double start = processor_seconds();
  const uint64_t memory = peak_of([&] {
    Diagnostics diagnostics;
    const auto model = open(files.sources, {path}, diagnostics);
    for (const Diagnostic& each : diagnostics.all()) codes.insert(each.code);
    if (model) whole_road(*model, ops(), codes);
    if (!model) codes.insert(model.error().code);
    EXPECT_TRUE(model.ok() || !model.error().message.empty());
  });
  EXPECT_LE(memory, allowed_memory(files.size())) << "of files of " << files.size() << " bytes";
  EXPECT_LT(processor_seconds() - start, kAllowedTime);
  return {codes.begin(), codes.end()};
}

}  // namespace cryo::laws
