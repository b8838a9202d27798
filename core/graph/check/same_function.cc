#include "graph/check/same_function.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "proto/function.pb.h"
#include "wire/elide.h"

namespace cryo {
namespace {

// Beyond this, functions are compared as they lie.
constexpr uint64_t kMostBytes = uint64_t{64} << 20;

std::optional<std::string> whole_message(const Function& function, const Payloads& payloads) {
  const auto splice =
      expand(std::string(function.bytes), message_schema("tensorflow.FunctionDef"), payloads);
  if (!splice || splice->size() > kMostBytes) return std::nullopt;
  const auto bytes = splice->read_all();
  if (!bytes) return std::nullopt;
  return *bytes;
}

template <typename Entries>
void sort_by_key(Entries& entries) {
  std::sort(entries.pointer_begin(), entries.pointer_end(),
            [](const auto* a, const auto* b) { return a->key() < b->key(); });
}

// Attributes as they count: each once, in order; without the internal ones.
template <typename Entries>
void normalise_attrs(Entries& attrs, bool internal_too) {
  sort_by_key(attrs);
  for (int i = attrs.size() - 1; i >= 0; --i) {
    const bool internal = !internal_too && attrs.Get(i).key().starts_with('_');
    if (internal) attrs.DeleteSubrange(i, 1);
  }
}

void normalise_node(tensorflow::NodeDef& node) {
  normalise_attrs(*node.mutable_attr(), false);
  const auto control = [](const std::string& input) { return input.starts_with('^'); };
  const auto first = std::find_if(node.input().begin(), node.input().end(), control);
  const auto controls = node.mutable_input()->begin() + (first - node.input().begin());
  std::sort(controls, node.mutable_input()->end());
  node.clear_experimental_debug_info();
}

// The function as TensorFlow compares it; nothing where two nodes share a name.
std::optional<std::string> normal_form(const std::string& message) {
  tensorflow::FunctionDef function;
  if (!function.ParseFromString(message)) return std::nullopt;
  auto& nodes = *function.mutable_node_def();
  const auto by_name = [](const auto* a, const auto* b) { return a->name() < b->name(); };
  std::sort(nodes.pointer_begin(), nodes.pointer_end(), by_name);
  for (int i = 1; i < nodes.size(); ++i) {
    if (nodes.Get(i - 1).name() == nodes.Get(i).name()) return std::nullopt;
  }
  for (auto& node : nodes) normalise_node(node);
  normalise_attrs(*function.mutable_attr(), true);
  sort_by_key(*function.mutable_ret());
  sort_by_key(*function.mutable_control_ret());
  function.clear_arg_attr();
  function.clear_resource_arg_unique_id();
  return function.SerializeAsString();
}

}  // namespace

bool same_function(const Function& a, const Function& b, const Payloads& payloads) {
  const auto whole_a = whole_message(a, payloads);
  const auto whole_b = whole_message(b, payloads);
  if (!whole_a || !whole_b) return a.bytes == b.bytes;
  const auto normal_a = normal_form(*whole_a);
  const auto normal_b = normal_form(*whole_b);
  return normal_a && normal_b && *normal_a == *normal_b;
}

}  // namespace cryo
