#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "model/open.h"
#include "model/write.h"
#include "passes/pass.h"

namespace cryo {

// What a verb is asked to do: the command line's options, under the names that the JavaScript API
// gives them.
struct Options {
  OpenOptions open = {};
  PassOptions pass = {};
  WriteOptions write = {};
  std::string what = {};  // list: which list
  bool checksum = false;
  bool strict = false;
  bool verbose = false;
  bool quiet = false;
  bool json = false;
  bool force = false;
};

// From a JSON object, {"outputs": ["logits"], "as": "pb"}. A list may be one string, comma
// separated. Fails on keys that no option has and on values of another kind.
Result<Options> parse_options(const std::string& json);

}  // namespace cryo
