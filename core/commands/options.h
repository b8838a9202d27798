#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "formats/open.h"
#include "formats/write.h"
#include "passes/diff/model_difference.h"
#include "passes/edit/edit.h"
#include "passes/transfer/transfer.h"
#include "passes/unfreeze/unfreeze.h"
#include "passes/weights/extract.h"
#include "picture/groups/opening.h"
#include "verbs/freeze.h"
#include "verbs/prune.h"

namespace cryo {

// Options of verify and serve: inputs to run on, and the address to listen on. Only the npm
// command, which is not C++, reads them; here they are checked.
struct HostOptions {
  std::vector<std::string> feed = {};  // "NAME=FILE", "NAME=VALUE"
  std::string image = {};
  double mean = 0;
  double scale = 1;
  uint64_t seed = 0;
  double tolerance = 0;
  std::string script = {};  // "OUT.py"
  uint64_t port = 0;
};

// draw: what is in view.
struct DrawnOptions {
  Selection selection = {};  // of inputs and outputs: only what these need
  ViewChoice opening = {};
  bool raw = false;
  std::string size = {};   // "900x760": the pane that the first view fits
  std::string color = {};  // "op", "role", "weights", "device", "dtype"
};

// Data of releases and runtimes for compat, supplied by the host. Empty: not loaded.
struct CompatData {
  std::string_view histories = {};  // core/data/op_histories.bin
  std::string_view runtimes = {};   // core/data/runtime_ops.json
};

struct ConvertOptions {
  std::vector<std::string> cast = {};  // "FROM=TO", of types (passes/weights/casts.h)
  bool salvage = false;                // of a damaged model what is whole
};

// The options of every verb: those of the command line, under the names that the JavaScript API
// gives them. An option that several verbs have is set for each of them
// (commands/surface.json, "member").
struct Options {
  OpenOptions open = {};
  WriteOptions write = {};
  PruneOptions prune = {};
  FreezeOptions freeze = {};
  UnfreezeOptions unfreeze = {};
  EditOptions edit = {};
  TransferOptions transfer = {};
  WeightsOptions weights = {};
  ConvertOptions convert = {};
  DiffOptions diff = {};
  HostOptions host = {};
  DrawnOptions draw = {};
  std::string what = {};                  // list: which list
  Globs names = {};                       // list: only these
  std::vector<std::string> ops = {};      // list nodes: only of these
  std::vector<std::string> targets = {};  // compat: only these
  CompatData compat = {};
  std::string function = {};  // list nodes, draw: in whose body; inspect: as entry point
  bool checksum = false;
  bool strict = false;
  bool fix = false;          // validate: returns the repaired model
  std::string explain = {};  // validate: a code
  bool verbose = false;
  bool quiet = false;
  bool json = false;
  bool brief = false;  // a person reads the beginnings of the report's lists alone
  bool force = false;
  std::string conflict = {};  // two given options that do not combine: a message
  bool snippet = false;       // report the lines of a program that loads what is written
  std::vector<std::string> signatures = {};  // keys: the model has these signatures alone
  std::vector<const Model*> others = {};     // the models after the first

  // The second model; null where the first is alone.
  const Model* other() const { return others.empty() ? nullptr : others.front(); }
};

// The value of an option, as a host gives it.
struct OptionValue {
  enum Kind {
    kFlag,
    kNumber,  // `text` has its digits
    kText,
    kList,   // of texts
    kPairs,  // an object, as "NAME=VALUE" each
    kOther   // no option takes it
  };
  Kind kind = kOther;
  bool flag = false;
  std::string text = {};
  std::vector<std::string> items = {};

  // Returns true for a value that says nothing: false, and empty texts and lists.
  bool is_empty() const;
};

// Options by their keys, each once, in the order in which they were given.
using GivenOptions = std::vector<std::pair<std::string, OptionValue>>;

// Returns the value of a key; null if it is not given.
const OptionValue* find_given(const GivenOptions& options, std::string_view key);
// Returns the value of a key, which is added if it is not given.
OptionValue& given_at(GivenOptions& options, std::string_view key);

// Returns options as the JSON object that parse_options() takes.
std::string json_of_given(const GivenOptions& options);

// From a JSON object, {"outputs": ["logits"], "as": "pb"}. A list may be one string, comma
// separated. Fails on keys that no option has and on values of another kind.
Result<Options> parse_options(const std::string& json);
// The same from values: their texts may be bytes that are not UTF-8.
Result<Options> options_of(const GivenOptions& given);

}  // namespace cryo
