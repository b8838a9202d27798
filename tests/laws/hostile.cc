#include "hostile.h"

#include <gtest/gtest.h>

#include <chrono>

#include "laws.h"
#include "memory.h"
#include "model/open.h"
#include "whole_road.h"

namespace cryo::laws {
namespace {

// What a file of `size` bytes may take: views and tables over its structure, several models of it
// at once, the definitions of ops.
uint64_t allowed_memory(uint64_t size) { return 400 * size + (16U << 20); }

// Nothing here is large; slow machines, sanitizers and WebAssembly included.
constexpr auto kAllowedTime = std::chrono::seconds(20);

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
  const auto start = std::chrono::steady_clock::now();
  const uint64_t memory = peak_of([&] {
    Diagnostics diagnostics;
    const auto model = open(files.sources, {path}, diagnostics);
    for (const Diagnostic& each : diagnostics.all()) codes.insert(each.code);
    if (model) whole_road(*model, ops(), codes);
    if (!model) codes.insert(model.error().code);
    EXPECT_TRUE(model.ok() || !model.error().message.empty());
  });
  EXPECT_LE(memory, allowed_memory(files.size())) << "of files of " << files.size() << " bytes";
  EXPECT_LT(std::chrono::steady_clock::now() - start, kAllowedTime);
  return {codes.begin(), codes.end()};
}

}  // namespace cryo::laws
