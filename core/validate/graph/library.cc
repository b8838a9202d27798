#include "validate/graph/library.h"

#include <algorithm>

#include "base/utf8.h"
#include "validate/graph/same_function.h"
#include "wire/utf8_fields.h"

namespace cryo {
namespace {

bool has_functions(const OpDef& op) {
  return std::any_of(op.attrs.begin(), op.attrs.end(),
                     [](const AttrDef& attr) { return attr.type.kind == AttrKind::kFunc; });
}

// Reports a gradient if it, or its function, is not in the library. Python's importer refuses it if
// the library has any functions; otherwise nothing reads it.
void check_gradient(const Gradient& gradient, const Library& library, const Reporter& reporter) {
  for (const std::string_view name : {gradient.of, gradient.function}) {
    if (library.find(name)) continue;
    const std::string what = cat("FunctionDefLibrary missing ", quoted(name),
                                 " FunctionDef: ", quoted(gradient.function),
                                 " is to be the gradient of ", quoted(gradient.of));
    if (library.all().empty()) reporter.warning("missing-gradient", {}, what);
    if (!library.all().empty()) reporter.error("missing-gradient", {}, what);
    return;
  }
}

// Gradients are checked as Python's importer reads them: it starts with a function that has none.
void check_gradients(const Graph& graph, const Library& library, const Reporter& reporter) {
  std::unordered_map<std::string_view, std::string_view> gradients;
  for (const Gradient& gradient : graph.gradients()) {
    check_gradient(gradient, library, reporter);
    const auto [first, added] = gradients.emplace(gradient.of, gradient.function);
    if (added || first->second == gradient.function) continue;
    reporter.error("duplicate-gradient", {}, "Cannot assign gradient function ",
                   quoted(gradient.function), " to ", quoted(gradient.of),
                   " because it already has gradient function ", quoted(first->second));
  }
  const auto& all = library.all();
  const bool cyclic = !all.empty() && std::all_of(all.begin(), all.end(), [&](const auto& each) {
    return gradients.contains(each.function->name);
  });
  if (!cyclic) return;
  reporter.error("cyclic-gradients", {}, "FunctionDefLibrary contains cyclic gradient functions!");
}

}  // namespace

Library::Library(const Graph& graph) {
  all_.reserve(graph.functions().size());
  by_name_.reserve(graph.functions().size());
  for (const Function& function : graph.functions()) {
    const bool is_first = by_name_.emplace(function.name, all_.size()).second;
    all_.push_back({&function, read_op_def(signature_of(function)), !is_first});
  }
}

const LibraryFunction* Library::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &all_[found->second];
}

const KnownOp& KnownOps::find(std::string_view op) {
  const auto cached = cache_.find(op);
  if (cached != cache_.end()) return cached->second;
  KnownOp known;
  known.function = library_.find(op);
  known.def = known.function ? &known.function->signature : registry_.find(op);
  known.registered = known.function || registry_.size() == 0 || registry_.is_registered(op);
  known.names_functions = !known.def || known.function || has_functions(*known.def);
  return cache_.emplace(op, known).first->second;
}

void check_library(const Graph& graph, const KnownOps& ops, const Payloads& payloads,
                   const Reporter& reporter) {
  const MessageSchema& schema = message_schema("tensorflow.FunctionDef");
  for (const LibraryFunction& each : ops.library().all()) {
    const std::string_view name = each.function->name;
    const Reporter of(reporter.findings(), name);
    if (!texts_are_utf8(each.function->bytes, schema)) {
      of.error("not-utf8", {}, "Invalid GraphDef: a string of function ", quoted(name),
               " is not UTF-8");
    }
    if (ops.registry().is_registered(name)) {
      of.error("function-named-as-op", {}, "Cannot add function ", quoted(name),
               " because an op with the same name already exists.");
    }
    const bool differs = each.is_repeated && !same_function(*ops.library().find(name)->function,
                                                            *each.function, payloads);
    if (differs) {
      of.error("duplicate-function", {}, "Cannot add function ", quoted(name),
               " because a different function with the same name already exists.");
    }
  }
  check_gradients(graph, ops.library(), reporter);
}

}  // namespace cryo
