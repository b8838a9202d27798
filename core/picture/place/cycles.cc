#include "picture/place/cycles.h"

#include <algorithm>
#include <utility>

namespace cryo {
namespace {

constexpr uint32_t kUnseen = 0xFFFFFFFF;

class CycleFinder {
 public:
  CycleFinder(uint32_t count, const std::vector<LevelEdge>& edges)
      : next_(count), seen_at_(count, kUnseen), low_(count, 0), cycles_(count, kUnseen) {
    for (const LevelEdge& edge : edges) next_[edge.from].push_back(edge.to);
  }

  std::vector<uint32_t> find() {
    for (uint32_t unit = 0; unit < next_.size(); ++unit) {
      if (seen_at_[unit] == kUnseen) visit(unit);
    }
    return std::move(cycles_);
  }

 private:
  struct Visit {
    uint32_t unit;
    size_t next;
  };

  void enter(uint32_t unit) {
    seen_at_[unit] = low_[unit] = seen_++;
    open_.push_back(unit);
    visits_.push_back({unit, 0});
  }

  void visit(uint32_t first) {
    enter(first);
    while (!visits_.empty()) {
      const uint32_t unit = visits_.back().unit;
      if (visits_.back().next < next_[unit].size()) {
        const uint32_t to = next_[unit][visits_.back().next++];
        if (seen_at_[to] == kUnseen)
          enter(to);
        else if (cycles_[to] == kUnseen)
          low_[unit] = std::min(low_[unit], seen_at_[to]);
        continue;
      }
      visits_.pop_back();
      if (!visits_.empty())
        low_[visits_.back().unit] = std::min(low_[visits_.back().unit], low_[unit]);
      if (low_[unit] == seen_at_[unit]) close(unit);
    }
  }

  void close(uint32_t unit) {
    uint32_t last = kUnseen;
    while (last != unit) {
      last = open_.back();
      open_.pop_back();
      cycles_[last] = unit;
    }
  }

  std::vector<std::vector<uint32_t>> next_;
  std::vector<uint32_t> seen_at_;
  std::vector<uint32_t> low_;
  std::vector<uint32_t> cycles_;
  std::vector<uint32_t> open_;
  std::vector<Visit> visits_;
  uint32_t seen_ = 0;
};

}  // namespace

std::vector<uint32_t> cycles_of(uint32_t count, const std::vector<LevelEdge>& edges) {
  return CycleFinder(count, edges).find();
}

}  // namespace cryo
