#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cases.h"
#include "commands/make_model.h"
#include "counted_file.h"
#include "formats/open.h"
#include "graph/op_registry.h"

namespace cryo::laws {

// A case, opened with the files next to it.
struct Opened {
  explicit Opened(const Case& of);
  uint64_t bytes_read() const;

  std::vector<std::shared_ptr<const CountedFile>> files = {};
  Diagnostics diagnostics = {};
  Result<Model> model;
};

// The result of a verb, and what it reports.
struct Made {
  Result<Model> model;
  MadeModel report = {};
};

// A case on its way through the passes, with the case's outputs. Each step is taken when it is
// first needed, and once: the laws of a model share them. Laws of two runs, and those that count
// what is read, take a second road.
class Road {
 public:
  explicit Road(Case of) : of_(std::move(of)) {}

  const Case& of() const { return of_; }
  bool is_opened() const { return opened_.has_value(); }
  const Opened& opened();
  const Model& model() { return *opened().model; }  // REQUIRES: it could be opened
  const Made& pruned();
  const Made& frozen();
  const Made& unfrozen();        // the constants that the opened model has
  const Made& unfrozen_again();  // the constants that freezing made. REQUIRES: it could be frozen
  const Made& redacted();

  // The same case, opened once more.
  Road& second();

 private:
  Case of_;
  std::optional<Opened> opened_ = {};
  std::map<std::string, Made> made_ = {};
  std::unique_ptr<Road> second_ = {};

  const Made& once(const std::string& step, const char* pass, const Model& model,
                   const Options& options);
};

// The definitions of TensorFlow's ops.
const OpRegistry& ops();

// Returns the options that choose these outputs.
Options with_outputs(const std::vector<std::string>& outputs);

Result<Model> run(const char* verb, const Model& model, const Options& options, MadeModel& report);
Result<Model> run(const char* verb, const Model& model, const std::vector<std::string>& outputs);

// All files that a model is written as, by their names; the code of the error under "".
using Written = std::map<std::string, std::string>;
Written written(const Model& model, const std::string& form);

}  // namespace cryo::laws
