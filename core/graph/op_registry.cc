#include "graph/op_registry.h"

#include <algorithm>

#include "base/sort.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// Fields that scripts/op_registry.py adds.
constexpr uint32_t kGraphVersion = 1000, kTensorflowVersion = 1001;

}  // namespace

Result<OpRegistry> OpRegistry::parse(std::string op_list) {
  OpRegistry registry;
  CHECK_OK(registry.add(std::move(op_list), false));
  return registry;
}

Result<OpRegistry> OpRegistry::extended(std::string op_list) const {
  OpRegistry registry = *this;
  registry.cache_ = std::make_shared<Cache>();
  CHECK_OK(registry.add(std::move(op_list), true));
  return registry;
}

Status OpRegistry::add(std::string op_list, bool from_model) {
  lists_.push_back(std::make_shared<const std::string>(std::move(op_list)));
  WireCursor cursor(*lists_.back());
  while (cursor.next()) {
    const WireField& field = cursor.field();
    if (field.number == fields::OpList::kOp) {
      spans_.push_back({last_bytes(field.bytes, fields::OpDef::kName), field.bytes, from_model});
    }
    if (from_model) continue;
    if (field.number == kGraphVersion) graph_version_ = static_cast<int>(field.value);
    if (field.number == kTensorflowVersion) tensorflow_version_ = std::string(field.bytes);
  }
  if (!cursor.ok()) {
    return failure("malformed-message", "expected an OpList; the bytes are not a valid message");
  }
  // The first of a name counts: TensorFlow's before the model's, and as they stand in a list.
  const auto by_name = [](const Span& a, const Span& b) {
    if (a.name != b.name) return a.name < b.name;
    if (a.from_model != b.from_model) return b.from_model;
    return a.bytes.data() < b.bytes.data();
  };
  const auto same_name = [](const Span& a, const Span& b) { return a.name == b.name; };
  sort(spans_, by_name);
  spans_.erase(std::unique(spans_.begin(), spans_.end(), same_name), spans_.end());
  return Unit{};
}

std::vector<std::string_view> OpRegistry::names() const {
  std::vector<std::string_view> names;
  for (const Span& span : spans_) names.push_back(span.name);
  return names;
}

const OpRegistry::Span* OpRegistry::span_of(std::string_view name) const {
  const auto found = std::lower_bound(
      spans_.begin(), spans_.end(), name,
      [](const Span& span, std::string_view wanted) { return span.name < wanted; });
  return found != spans_.end() && found->name == name ? &*found : nullptr;
}

const OpDef* OpRegistry::find(std::string_view name) const {
  const Span* span = span_of(name);
  if (!span) return nullptr;
  const auto cached = cache_->find(span->name);
  if (cached != cache_->end()) return &cached->second;
  return &cache_->emplace(span->name, read_op_def(span->bytes)).first->second;
}

bool OpRegistry::is_registered(std::string_view name) const {
  const Span* span = span_of(name);
  return span && !span->from_model;
}

}  // namespace cryo
