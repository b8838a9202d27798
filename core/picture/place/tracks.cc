#include "picture/place/tracks.h"

#include <algorithm>
#include <utility>

#include "base/sort.h"

namespace cryo {
namespace {

constexpr double kPitch = 9;
constexpr double kTurnGap = 8;  // between turns of different nets at one height

// A net's turn between two rows.
struct Turn {
  EdgeRoute* route;
  double left;
  double right;
  bool goes_right;
};

void widen(Turn& turn, double x, double& sum) {
  turn.left = std::min(turn.left, x);
  turn.right = std::max(turn.right, x);
  sum += x;
}

std::vector<Turn> turns_below(std::vector<EdgeRoute>& routes, size_t row) {
  std::vector<Turn> turns;
  for (EdgeRoute& route : routes) {
    if (row < route.first) continue;
    const size_t at = row - route.first;
    if (at >= route.xs.size()) continue;
    const double from = route.xs[at];
    Turn turn{&route, from, from, true};
    double sum = 0;
    double count = 0;
    if (at + 1 < route.xs.size()) {
      widen(turn, route.xs[at + 1], sum);
      ++count;
    }
    for (const EdgeRoute::Sink& sink : route.sinks) {
      if (sink.row != row + 1 || sink.unit == kBorder) continue;
      widen(turn, sink.x, sum);
      ++count;
    }
    turn.goes_right = sum >= from * count;
    route.turns.resize(std::max(route.turns.size(), at + 1), 0);
    if (turn.right > turn.left) turns.push_back(turn);
  }
  return turns;
}

// Orders turns so that lines do not cross: to the right, the rightmost turns first; to the left,
// the leftmost.
bool precedes(const Turn& a, const Turn& b) {
  if (a.goes_right != b.goes_right) return a.goes_right;
  return a.goes_right ? a.left > b.left : a.right < b.right;
}

}  // namespace

double lay_tracks(std::vector<EdgeRoute>& routes, size_t row, double top, const TrackRoom& room) {
  std::vector<Turn> turns = turns_below(routes, row);
  sort(turns, precedes);
  std::vector<std::vector<std::pair<double, double>>> tracks;
  for (const Turn& turn : turns) {
    size_t at = 0;
    for (; at < tracks.size(); ++at) {
      const bool free = std::none_of(tracks[at].begin(), tracks[at].end(), [&](const auto& taken) {
        return turn.left < taken.second + kTurnGap && taken.first < turn.right + kTurnGap;
      });
      if (free) break;
    }
    if (at == tracks.size()) tracks.emplace_back();
    tracks[at].emplace_back(turn.left, turn.right);
    turn.route->turns[row - turn.route->first] =
        top + room.above + kPitch * static_cast<double>(at);
  }
  const double turning = tracks.empty() ? 0 : kPitch * static_cast<double>(tracks.size() - 1);
  return room.above + turning + room.below;
}

}  // namespace cryo
