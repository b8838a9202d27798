#pragma once

#include <emscripten/val.h>

#include <memory>
#include <string>

#include "commands/session.h"

namespace cryo {

// The data of an instance of the module, and the bytes that it is a view of.
struct LoadedData {
  std::string histories = {};  // core/data/op_histories.bin; empty: not loaded
  std::string runtimes = {};   // core/data/runtime_ops.json
  HostData host = {};
};

// A model for JavaScript: immutable, deleted by hand. Each call returns {report, status} and its
// result; the report is JSON.
class Handle {
 public:
  Handle(OpenModel opened, std::shared_ptr<const LoadedData> data);

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
  emscripten::val node(const std::string& node, const std::string& function) const;

  // {weight: {dtype, shape, pieces} or null, checks}: a tensor's plain content, by name.
  emscripten::val weight(const std::string& weight) const;

 private:
  const std::string& name() const { return opened_.model.name; }

  OpenModel opened_;
  std::shared_ptr<const LoadedData> data_;
};

// {[what]: value, report, status}
emscripten::val answer(const char* what, emscripten::val value, const Outcome& outcome);

}  // namespace cryo
