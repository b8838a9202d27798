#include "releases/op_histories.h"

#include "base/suggestions.h"
#include "base/text.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// The fields of core/data/op_histories.bin (scripts/op_histories.py).
constexpr uint32_t kRelease = 1, kHistory = 2;
constexpr uint32_t kName = 1, kDefinition = 2, kKernels = 3;
constexpr uint32_t kGraphVersion = 2, kTypes = 3, kFirstRule = 4;
constexpr uint32_t kSince = 1, kSame = 2, kOp = 3, kKernel = 2;
// tensorflow.KernelDef
constexpr uint32_t kConstraint = 3, kConstraintName = 1, kAllowedValues = 2;

constexpr bool Release::*kRules[] = {
    &Release::refuses_unknown_attrs, &Release::refuses_function_nodes,
    &Release::refuses_uses_of_named, &Release::refuses_more_output_shapes,
    &Release::refuses_angles,        &Release::checks_bodies};

uint64_t bit_of(int64_t type) { return type >= 0 && type < 64 ? uint64_t{1} << type : 0; }

Release read_release(std::string_view message) {
  Release release;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == kName) release.name = std::string(field.bytes);
    if (field.number == kGraphVersion) release.graph_version = static_cast<int>(field.value);
    if (field.number == kTypes) {
      std::string_view packed = field.bytes;
      for (uint64_t type = 0; take_varint(packed, type);) {
        release.types |= bit_of(static_cast<int64_t>(type));
      }
    }
    const size_t rule = field.number - kFirstRule;
    if (field.number >= kFirstRule && rule < std::size(kRules)) {
      release.*kRules[rule] = field.value != 0;
    }
  }
  return release;
}

AttrLimits read_kernel(std::string_view message) {
  AttrLimits kernel;
  for (WireCursor cursor(message); cursor.next();) {
    if (cursor.field().number != kConstraint) continue;
    const std::string_view constraint = cursor.field().bytes;
    AttrLimit limit{std::string(last_bytes(constraint, kConstraintName))};
    const AttrValue allowed(last_bytes(constraint, kAllowedValues));
    allowed.each_number(AttrKind::kType, [&](int64_t type) { limit.types |= bit_of(type); });
    kernel.push_back(std::move(limit));
  }
  return kernel;
}

OpKernels read_kernels(std::string_view message) {
  OpKernels kernels;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == kSince) kernels.release = static_cast<size_t>(field.value);
    if (field.number == kKernel) kernels.kernels.push_back(read_kernel(field.bytes));
  }
  return kernels;
}

}  // namespace

std::string Release::target() const { return cat("tensorflow-", name); }

bool Release::knows(DType type) const { return (types & bit_of(static_cast<int>(type))) != 0; }

const OpDef* OpHistory::at(size_t release) const {
  const OpDef* found = nullptr;
  for (const OpDefinition& each : definitions) {
    if (each.release <= release) found = each.op;
  }
  return found;
}

const std::vector<AttrLimits>* OpHistory::kernels_at(size_t release) const {
  const std::vector<AttrLimits>* found = nullptr;
  for (const OpKernels& each : kernels) {
    if (each.release <= release) found = &each.kernels;
  }
  return found;
}

Result<size_t> OpHistories::place_of(std::string_view target) const {
  std::vector<std::string> targets;
  for (const Release& each : releases_) {
    targets.push_back(each.target());
    if (targets.back() == target) return targets.size() - 1;
  }
  return failure("bad-option",
                 cat("there is no release '", target, "'",
                     did_you_mean(target, {targets.begin(), targets.end()})),
                 {}, cat("name one of ", join(targets, ", ")));
}

Result<OpHistories> OpHistories::parse(std::string_view data, const OpRegistry& ops) {
  OpHistories histories;
  histories.latest_ = &ops;
  WireCursor cursor(data);
  while (cursor.next()) {
    const WireField& field = cursor.field();
    if (field.number == kRelease) histories.releases_.push_back(read_release(field.bytes));
    if (field.number == kHistory) {
      histories.messages_.emplace(last_bytes(field.bytes, kName), field.bytes);
    }
  }
  if (!cursor.ok()) {
    return failure("malformed-message",
                   "expected the histories of ops; the bytes are not a valid message");
  }
  return histories;
}

OpHistory OpHistories::read(std::string_view message, std::string_view op) const {
  OpHistory history;
  for (WireCursor cursor(message); cursor.next();) {
    const WireField& field = cursor.field();
    if (field.number == kKernels) history.kernels.push_back(read_kernels(field.bytes));
    if (field.number != kDefinition) continue;
    OpDefinition definition;
    for (WireCursor parts(field.bytes); parts.next();) {
      const WireField& part = parts.field();
      if (part.number == kSince) definition.release = static_cast<size_t>(part.value);
      if (part.number == kSame) definition.op = latest_->find(op);
      if (part.number != kOp) continue;
      definition.op = &old_.emplace(part.bytes, read_op_def(part.bytes)).first->second;
    }
    history.definitions.push_back(definition);
  }
  return history;
}

const OpHistory* OpHistories::find(std::string_view op) const {
  const auto cached = read_.find(op);
  if (cached != read_.end()) return &cached->second;
  const auto found = messages_.find(op);
  if (found == messages_.end()) return nullptr;
  return &read_.emplace(found->first, read(found->second, op)).first->second;
}

}  // namespace cryo
