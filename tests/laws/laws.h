#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "formats/open.h"
#include "formats/write.h"
#include "graph/op_registry.h"
#include "passes/pass.h"

namespace cryo::laws {

// The laws are checked with every model at hand: the fixtures (tests/data), the sample, and the
// corpus if it is present. Natively and, the same program, as WebAssembly in Node.

// A file that is opened when it is read, and counts what is read of it.
class CountedFile final : public ByteSource {
 public:
  explicit CountedFile(std::string path);
  const std::string& name() const override { return path_; }
  uint64_t size() const override { return size_; }
  Status read(uint64_t offset, std::span<char> out) const override;

  uint64_t bytes_read() const { return read_; }
  void forget() const { read_ = 0; }

 private:
  std::string path_;
  uint64_t size_;
  mutable uint64_t read_ = 0;
};

// A model file and what is known of it.
struct Case {
  std::string path = {};
  std::vector<std::string> outputs = {};  // empty: the model's own likely ones
  bool known = false;                     // a fixture whose outputs can be frozen

  // "tests/data/ref/model.ckpt.meta"
  std::string name() const;
};

// Returns every GraphDef and MetaGraphDef, recognized by content.
const std::vector<Case>& cases();

// Every regular file below a folder, sorted.
std::vector<std::string> files_below(const std::string& folder);

std::string source_folder();  // of the project
std::string corpus_folder();  // empty where there is none

std::string bytes_of(const std::string& path);

// A case, opened with the files next to it.
struct Opened {
  explicit Opened(const Case& of);
  uint64_t bytes_read() const;

  std::vector<std::shared_ptr<const CountedFile>> files = {};
  Diagnostics diagnostics = {};
  Result<Model> model;
};

// The definitions of TensorFlow's ops.
const OpRegistry& ops();

Result<Model> run(const char* pass, const Model& model, const PassOptions& options, PassLog& log);
Result<Model> run(const char* pass, const Model& model, const std::vector<std::string>& outputs,
                  PassLog& log);
Result<Model> run(const char* pass, const Model& model, const std::vector<std::string>& outputs);

// All files that a model is written as, by their names; the code of the error under "".
using Written = std::map<std::string, std::string>;
Written written(const Model& model, const std::string& form);

// How often a law held, and why not elsewhere; printed at the end, so that skipping is loud.
class Tally {
 public:
  explicit Tally(std::string law) : law_(std::move(law)) {}
  ~Tally();
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;

  void held() { ++held_; }
  void skip(const std::string& why) { ++skipped_[why]; }
  int count() const { return held_; }

 private:
  std::string law_;
  int held_ = 0;
  std::map<std::string, int> skipped_;
};

}  // namespace cryo::laws
