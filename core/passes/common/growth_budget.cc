#include "passes/common/growth_budget.h"

#include "base/text.h"
#include "base/utf8.h"

namespace cryo {
namespace {

constexpr uint64_t kTimes = 60;
constexpr uint64_t kLeast = uint64_t{8} << 20;

uint64_t size_of(const Graph& graph) {
  uint64_t size = 0;
  for (const Node& node : graph.nodes()) size += node.bytes.size();
  for (const Function& function : graph.functions()) size += function.bytes.size();
  return size;
}

}  // namespace

GrowthBudget::GrowthBudget(const Graph& graph)
    : most_(kTimes * size_of(graph) + kLeast), left_(most_) {}

Status GrowthBudget::spend(uint64_t bytes, std::string_view node, uint64_t times) {
  if (times == 0 || bytes <= left_ / times) {
    left_ -= bytes * times;
    return Unit{};
  }
  return failure("too-large",
                 cat("with ", quoted(printable(node, 100)),
                     " inlined, the graph would grow by more than ", human_bytes(most_)),
                 {.node = std::string(node)},
                 "choose outputs that need less of it, or keep the calls of functions");
}

}  // namespace cryo
