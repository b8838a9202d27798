#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/glob.h"
#include "model/model.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace cryo {

class OpRegistry;

// The options of the command line and of the JavaScript API, for the passes that know them. Lists
// hold one name an element.
struct PassOptions {
  std::vector<std::string> outputs = {};  // nodes or tensors; empty: the model's own likely outputs
  std::vector<std::string> inputs = {};   // where the kept graph begins
  std::vector<std::string> signatures = {};  // keys: their outputs, where none are given
  std::vector<std::string> keep = {};  // between passes: nodes that stay too, and may be missing
  std::vector<std::string> set = {};   // prune, freeze: "NAME=VALUE" (passes/set_values.h)
  Globs variables = {};                // freeze: those to freeze; none: all
  Globs keep_variables = {};           // freeze: those that stay variables
  std::string style = {};  // unfreeze: "ref", "resource", "" for what the graph came from
  Globs constants = {};    // unfreeze: those to convert, instead of detection
  Globs exclude = {};      // unfreeze: constants to leave alone
  std::vector<std::string> rename = {};  // weights: rules "FROM=TO" (base/rename.h)
  bool no_slots = false;                 // weights: without what only training needs
  bool like_tensorflow = false;          // prune, freeze: as TensorFlow's own tools
  const OpRegistry* ops = nullptr;       // what is known of ops; may be null
};

// One thing that changed its nature: a variable that became a constant, or the other way.
struct Conversion {
  std::string name;
  std::string from;  // op
  std::string to;    // op
  DType dtype;
  Shape shape;
  uint64_t bytes;
  std::string why = {};
};

// What a pass tells besides its result.
struct PassLog {
  Diagnostics diagnostics = {};
  std::vector<Conversion> converted = {};
  std::vector<std::string> outputs = {};     // the outputs it went by
  std::vector<std::string> signatures = {};  // keys of those that said so
};

// A pass makes a new Model and leaves the old one as it was.
struct Pass {
  std::string_view name;     // "freeze"
  std::string_view summary;  // one line, for help and menus
  Result<Model> (*run)(const Model&, const PassOptions&, PassLog&);
  bool needs_graph = true;
};

// All passes: the command line, the JavaScript API, the page and the documentation are made from
// this table.
std::span<const Pass> passes();

// nullptr if there is none of the name.
const Pass* find_pass(std::string_view name);

}  // namespace cryo
