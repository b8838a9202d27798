#pragma once

#include <emscripten/val.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands/verbs.h"
#include "graph/op_registry.h"
#include "model/model.h"

namespace cryo {

// The data that the host loads, for all models of an instance of the module.
struct HostData {
  std::optional<OpRegistry> ops = {};
  std::string histories = {};  // core/data/op_histories.bin; empty: not loaded
  std::string runtimes = {};   // core/data/runtime_ops.json

  const OpRegistry* known_ops() const { return ops ? &*ops : nullptr; }
};

// A model for JavaScript: immutable, deleted by hand. Each call returns {report, status} and its
// result; the report is JSON.
class Handle {
 public:
  // `outputs`: those that a pass made the model for; `signed_now`: the pass added signatures.
  Handle(Model model, Diagnostics opening, std::shared_ptr<const HostData> data,
         std::vector<std::string> outputs = {}, bool signed_now = false);

  // {model: Handle or null}: one of run_verb()'s verbs. `others`: a list of the other models, of
  // verbs that take several.
  emscripten::val run(const std::string& verb, const std::string& options,
                      const emscripten::val& others) const;

  // {files: [{path, size, pieces}] or null, checks}: paths relative to the folder of the option
  // `out`.
  emscripten::val write(const std::string& options) const;

  // Returns {files, checks} as write() does: what the verb draw makes.
  emscripten::val draw(const std::string& options, std::shared_ptr<Handle> other) const;

  // {columns: NodeColumns or null}: the nodes of the main graph, or of a function's body.
  emscripten::val nodes(const std::string& function) const;

  // Returns {node: null}; the report describes a node and its neighbors (node_report.h).
  emscripten::val node(const std::string& name, const std::string& function) const;

  // {weight: {dtype, shape, pieces} or null, checks}: a tensor's plain content, by name.
  emscripten::val weight(const std::string& name) const;

 private:
  Model model_;
  Diagnostics opening_;
  std::shared_ptr<const HostData> data_;
  std::vector<std::string> outputs_;
  bool signed_now_;
};

// {[what]: value, report, status}
emscripten::val answer(const char* what, emscripten::val value, const Outcome& outcome);

}  // namespace cryo
