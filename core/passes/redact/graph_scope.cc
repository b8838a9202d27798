#include "passes/redact/graph_scope.h"

#include "graph/node.h"
#include "graph/roles.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// "save/names", "names:output:0" of a body.
std::string_view node_of(std::string_view input) { return input.substr(0, input.find(':')); }

// Returns the use of what a node takes as an input, by the input's place.
TensorRole role_of_input(std::string_view op, size_t place) {
  if (op == "Range") return TensorRole::kNumber;
  if (is_saver_op(op) && place == 1) return TensorRole::kNames;
  if (is_saver_op(op) && place == 2) return TensorRole::kSlices;
  return TensorRole::kValue;
}

// Identities, one after the other, between a constant and its use.
constexpr int kMaxFollowed = 8;

std::string_view first_input(std::string_view node) {
  for (WireCursor cursor(node); cursor.next();) {
    if (cursor.field().number == fields::NodeDef::kInput) return cursor.field().bytes;
  }
  return {};
}

}  // namespace

GraphScope::GraphScope(std::string_view message, uint32_t node_field) {
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != node_field || field.type != WireType::kBytes) continue;
    const std::string_view op = last_bytes(field.bytes, fields::NodeDef::kOp);
    const std::string_view name = last_bytes(field.bytes, fields::NodeDef::kName);
    ops_.emplace(name, op);
    if (is_pass_through(op)) handed_on_.emplace(name, first_input(field.bytes));
  }
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != node_field || field.type != WireType::kBytes) continue;
    const std::string_view op = last_bytes(field.bytes, fields::NodeDef::kOp);
    if (is_saver_op(op) || op == "Range") add_roles(field.bytes, op);
  }
}

// Looks through nodes that only hand a tensor on.
void GraphScope::add_role(std::string_view node, TensorRole role) {
  for (int steps = 0; steps < kMaxFollowed; ++steps) {
    const auto from = handed_on_.find(node);
    if (from == handed_on_.end()) break;
    node = node_of(from->second);
  }
  roles_.emplace(node, role);
}

void GraphScope::add_roles(std::string_view node, std::string_view op) {
  size_t place = 0;
  for (WireCursor cursor(node); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number != fields::NodeDef::kInput || field.type != WireType::kBytes) continue;
    const TensorRole role = role_of_input(op, place++);
    if (role != TensorRole::kValue) add_role(node_of(field.bytes), role);
  }
}

TensorRole GraphScope::role_of(std::string_view constant) const {
  const auto found = roles_.find(constant);
  return found == roles_.end() ? TensorRole::kValue : found->second;
}

std::string_view GraphScope::op_of(std::string_view node) const {
  const auto found = ops_.find(node);
  return found == ops_.end() ? std::string_view() : found->second;
}

std::unordered_set<std::string_view> function_names(std::string_view graph_def) {
  std::unordered_set<std::string_view> names;
  for (WireCursor graph(graph_def); graph.next();) {
    if (graph.field().number != fields::GraphDef::kLibrary) continue;
    for (WireCursor library(graph.field().bytes); library.next();) {
      if (library.field().number != fields::FunctionDefLibrary::kFunction) continue;
      const std::string_view signature =
          last_bytes(library.field().bytes, fields::FunctionDef::kSignature);
      names.insert(last_bytes(signature, fields::OpDef::kName));
    }
  }
  return names;
}

}  // namespace cryo
