#include "hostile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "cli/verbs.h"
#include "laws.h"
#include "memory.h"

namespace cryo::laws {
namespace {

// What a file of `size` bytes may take: views and tables over its structure, several models of it
// at once, the definitions of ops.
uint64_t allowed_memory(uint64_t size) { return 400 * size + (16U << 20); }

// Nothing here is large; slow machines, sanitizers and WebAssembly included.
constexpr auto kAllowedTime = std::chrono::seconds(20);

using Codes = std::set<std::string>;

void keep_codes(const Json& report, Codes& codes) {
  for (const Json& each : report["diagnostics"]) codes.insert(each["code"].get<std::string>());
}

// Outputs are hung together from slices; of a huge one (a constant of 2^40 zeros) only the
// beginning is read.
void write_all(const Model& model, Codes& codes) {
  for (const char* form : {"pb", "meta", "checkpoint", "tfjs"}) {
    Diagnostics diagnostics;
    const auto files = write(model, {form, "out"}, diagnostics);
    if (!files) {
      codes.insert(files.error().code);
      continue;
    }
    for (const OutputFile& file : *files) {
      const uint64_t most = std::min<uint64_t>(file.content.size(), Splice::kStep);
      const auto bytes = file.content.sub(0, most).read_all();
      if (!bytes) codes.insert(bytes.error().code);
    }
  }
}

void run_all(const Model& model, Codes& codes) {
  for (const char* verb : {"inspect", "validate", "prune", "freeze", "unfreeze"}) {
    Options options;
    options.checksum = true;
    const Outcome outcome = run_verb(verb, model, options, &ops(), Diagnostics());
    keep_codes(outcome.report, codes);
    if (outcome.model) write_all(*outcome.model, codes);
  }
  for (const char* what : {"nodes", "weights", "inputs", "functions", "collections"}) {
    Options options;
    options.what = what;
    keep_codes(run_verb("list", model, options, &ops(), Diagnostics()).report, codes);
  }
  write_all(model, codes);
}

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
    if (model) run_all(*model, codes);
    if (!model) codes.insert(model.error().code);
    EXPECT_TRUE(model.ok() || !model.error().message.empty());
  });
  EXPECT_LE(memory, allowed_memory(files.size())) << "of files of " << files.size() << " bytes";
  EXPECT_LT(std::chrono::steady_clock::now() - start, kAllowedTime);
  return {codes.begin(), codes.end()};
}

}  // namespace cryo::laws
