#include "graph/graph.h"

#include <cassert>
#include <unordered_set>

#include "base/text.h"
#include "bytes/coding.h"
#include "wire/fields.h"

namespace cryo {
namespace {

Failure malformed(std::string_view what) {
  return failure("malformed-message",
                 cat("expected ", what, "; the bytes are not a valid message"));
}

size_t count_fields(std::string_view message, uint32_t number) {
  size_t count = 0;
  for (WireCursor cursor(message); cursor.next();) count += cursor.field().number == number;
  return count;
}

bool is_gradient(const WireField& field) {
  const bool gradient = field.number == fields::FunctionDefLibrary::kGradient ||
                        field.number == fields::FunctionDefLibrary::kRegisteredGradients;
  return gradient && field.type == WireType::kBytes;
}

// GradientDef {function_name = 1, gradient_func = 2},
// RegisteredGradient {gradient_func = 1, registered_op_type = 2}.
Gradient scan_gradient(const WireField& field) {
  const std::string_view first = last_bytes(field.bytes, 1);
  const std::string_view second = last_bytes(field.bytes, 2);
  return field.number == fields::FunctionDefLibrary::kGradient ? Gradient{first, second}
                                                               : Gradient{second, first};
}

std::vector<Gradient> gradients_in(std::string_view library, uint32_t number) {
  std::vector<Gradient> gradients;
  for (WireCursor cursor(library); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == number && is_gradient(field)) gradients.push_back(scan_gradient(field));
  }
  return gradients;
}

int version_field(std::string_view rest, uint32_t number) {
  uint64_t value = 0;
  for (WireCursor versions(last_bytes(rest, fields::GraphDef::kVersions)); versions.next();) {
    if (versions.field().number == number) value = versions.field().value;
  }
  return static_cast<int>(value);
}

}  // namespace

Result<Graph> Graph::parse(std::string skeleton) {
  Graph graph;
  const auto block = std::make_shared<Block>();
  block->push_back(std::move(skeleton));
  graph.storage_.push_back(block);
  graph.whole_ = block->front();
  std::vector<Node> nodes;
  nodes.reserve(count_fields(graph.whole_, fields::GraphDef::kNode));
  WireCursor cursor(graph.whole_);
  while (cursor.next()) {
    const WireField& field = cursor.field();
    if (field.number == fields::GraphDef::kNode && field.type == WireType::kBytes) {
      TRY(node, scan_node(field.bytes));
      nodes.push_back(node);
    } else if (field.number == fields::GraphDef::kLibrary && field.type == WireType::kBytes) {
      WireCursor library(field.bytes);
      while (library.next()) {
        const bool function = library.field().number == fields::FunctionDefLibrary::kFunction &&
                              library.field().type == WireType::kBytes;
        if (function) graph.functions_.push_back(scan_function(library.field().bytes));
        if (!function) graph.library_rest_ += library.field().record;
      }
      if (!library.ok()) return malformed("a FunctionDefLibrary");
    } else {
      graph.rest_ += field.record;
    }
  }
  if (!cursor.ok()) return malformed("a GraphDef");
  graph.index_ = std::make_shared<const GraphIndex>(std::move(nodes));
  return graph;
}

std::string Graph::skeleton() const {
  if (!whole_.empty()) return std::string(whole_);
  std::string out;
  size_t size = rest_.size();
  for (const Node& node : nodes()) size += node.bytes.size() + 6;
  out.reserve(size);
  for (const Node& node : nodes()) put_bytes_field(out, fields::GraphDef::kNode, node.bytes);
  std::string library;
  for (const Function& function : functions_)
    put_bytes_field(library, fields::FunctionDefLibrary::kFunction, function.bytes);
  library += library_rest_;
  if (!library.empty()) put_bytes_field(out, fields::GraphDef::kLibrary, library);
  return out + rest_;
}

std::vector<Gradient> Graph::gradients() const {
  return gradients_in(library_rest_, fields::FunctionDefLibrary::kGradient);
}

std::vector<Gradient> Graph::registered_gradients() const {
  return gradients_in(library_rest_, fields::FunctionDefLibrary::kRegisteredGradients);
}

int Graph::producer() const { return version_field(rest_, fields::VersionDef::kProducer); }
int Graph::min_consumer() const { return version_field(rest_, fields::VersionDef::kMinConsumer); }

std::vector<int> Graph::bad_consumers() const {
  std::vector<int> versions;
  for (WireCursor cursor(last_bytes(rest_, fields::GraphDef::kVersions)); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != fields::VersionDef::kBadConsumers) continue;
    if (field.type == WireType::kVarint) versions.push_back(static_cast<int>(field.value));
    std::string_view packed = field.bytes;
    for (uint64_t value = 0; take_varint(packed, value);)
      versions.push_back(static_cast<int>(value));
  }
  return versions;
}

GraphBuilder::GraphBuilder(const Graph& base) : base_functions_(base.functions()) {
  graph_.storage_ = base.storage_;
  graph_.library_rest_ = base.library_rest_;
  graph_.rest_ = base.rest_;
}

void GraphBuilder::add(std::string node_def) {
  fresh_->push_back(std::move(node_def));
  const Result<Node> node = scan_node(fresh_->back());
  assert(node);
  nodes_.push_back(*node);
}

void GraphBuilder::add_function(std::string function_def) {
  fresh_->push_back(std::move(function_def));
  graph_.functions_.push_back(scan_function(fresh_->back()));
}

void GraphBuilder::add_functions_of(const Graph& base) {
  for (const Function& function : base.functions()) add(function);
}

void GraphBuilder::add_gradients(const std::vector<Gradient>& gradients,
                                 const std::vector<Gradient>& registered) {
  const auto put = [&](uint32_t number, std::string_view first, std::string_view second) {
    std::string entry;
    put_bytes_field(entry, 1, first);
    put_bytes_field(entry, 2, second);
    put_bytes_field(graph_.library_rest_, number, entry);
  };
  for (const Gradient& each : gradients) {
    put(fields::FunctionDefLibrary::kGradient, each.of, each.function);
  }
  for (const Gradient& each : registered) {
    put(fields::FunctionDefLibrary::kRegisteredGradients, each.function, each.of);
  }
}

void GraphBuilder::set_versions(std::string_view version_def) {
  std::string rest;
  for (WireCursor cursor(graph_.rest_); cursor.next();) {
    if (cursor.field().number != fields::GraphDef::kVersions) rest += cursor.field().record;
  }
  put_bytes_field(rest, fields::GraphDef::kVersions, version_def);
  graph_.rest_ = std::move(rest);
}

// Removes gradients of missing functions: TensorFlow 2 does not load a library with them.
void GraphBuilder::drop_gradients() {
  if (graph_.library_rest_.empty()) return;
  std::unordered_set<std::string_view> gone;
  for (const Function& function : base_functions_) gone.insert(function.name);
  for (const Function& function : graph_.functions_) gone.erase(function.name);
  if (gone.empty()) return;
  std::string rest;
  for (WireCursor cursor(graph_.library_rest_); cursor.next();) {
    const WireField& field = cursor.field();
    const Gradient named = is_gradient(field) ? scan_gradient(field) : Gradient{};
    const bool drop = gone.count(named.function) > 0 || gone.count(named.of) > 0;
    if (!drop) rest += field.record;
  }
  graph_.library_rest_ = std::move(rest);
}

Graph GraphBuilder::finish() {
  drop_gradients();
  graph_.storage_.push_back(std::move(fresh_));
  graph_.index_ = std::make_shared<const GraphIndex>(std::move(nodes_));
  return std::move(graph_);
}

}  // namespace cryo
