#include "passes/weights/scope_pairing.h"

#include <map>
#include <unordered_map>

#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"

namespace cryo {
namespace {

// So many scopes are taken off the front of a name; so many scopes are found in one model.
constexpr int kMaxDepth = 16;
constexpr int kMaxRounds = 16;

struct Candidate {
  uint32_t from;
  uint32_t into;
};

// A scope in front of the names of one side.
struct Scope {
  bool of_from = false;
  std::string_view path = {};  // "net/"
  bool operator<(const Scope& other) const {
    return of_from == other.of_from ? path < other.path : other.of_from;
  }
};

using CandidatesByScope = std::map<Scope, std::vector<Candidate>>;

// each(what is below, the scope above it), from the outermost scope on.
template <typename Each>
void for_each_scope(std::string_view name, Each each) {
  size_t slash = name.find('/');
  for (int depth = 0; depth < kMaxDepth && slash != std::string_view::npos; ++depth) {
    each(name.substr(slash + 1), name.substr(0, slash + 1));
    slash = name.find('/', slash + 1);
  }
}

bool is_open(const WeightPairing& pairing, const Candidate& each) {
  return !pairing.is_used(each.from) && pairing.from_of(each.into) == WeightPairing::kNone;
}

void collect_candidates(const std::vector<NamedWeight>& sources,
                        const std::vector<NamedWeight>& targets, WeightPairing& pairing,
                        CandidatesByScope& scopes) {
  const std::vector<uint32_t> from = pairing.open_from();
  const std::vector<uint32_t> into = pairing.open_into();
  std::unordered_map<std::string_view, uint32_t> from_names;
  std::unordered_map<std::string_view, uint32_t> into_names;
  for (const uint32_t i : from) from_names.emplace(plain_weight_name(sources[i].name), i);
  for (const uint32_t i : into) into_names.emplace(plain_weight_name(targets[i].name), i);
  for (const uint32_t i : into) {
    for_each_scope(plain_weight_name(targets[i].name), [&](auto below, auto scope) {
      const auto found = from_names.find(below);
      if (found != from_names.end()) scopes[{false, scope}].push_back({found->second, i});
    });
  }
  for (const uint32_t i : from) {
    for_each_scope(plain_weight_name(sources[i].name), [&](auto below, auto scope) {
      const auto found = into_names.find(below);
      if (found != into_names.end()) scopes[{true, scope}].push_back({i, found->second});
    });
  }
}

// How many of them can still be paired, and fit.
size_t count_open(const WeightPairing& pairing, const std::vector<NamedWeight>& sources,
                  const std::vector<NamedWeight>& targets,
                  const std::vector<Candidate>& candidates) {
  size_t count = 0;
  for (const Candidate& each : candidates) {
    if (is_open(pairing, each) && WeightPairing::fits(sources[each.from], targets[each.into]))
      ++count;
  }
  return count;
}

// Returns true if they pair the same weights.
bool scopes_clash(const WeightPairing& pairing, const std::vector<Candidate>& a,
                  const std::vector<Candidate>& b) {
  std::set<uint32_t> from;
  std::set<uint32_t> into;
  for (const Candidate& each : a) {
    from.insert(each.from);
    into.insert(each.into);
  }
  for (const Candidate& each : b) {
    if (is_open(pairing, each) && (from.contains(each.from) || into.contains(each.into)))
      return true;
  }
  return false;
}

void take_scope(const Scope& scope, const std::vector<Candidate>& candidates,
                WeightPairing& pairing) {
  for (const Candidate& each : candidates) {
    if (!is_open(pairing, each)) continue;
    pairing.pair(each.from, each.into,
                 cat("same name below ", scope.path, scope.of_from ? " there" : " here"));
  }
}

}  // namespace

void pair_below_scopes(WeightPairing& pairing, const std::vector<NamedWeight>& sources,
                       const std::vector<NamedWeight>& targets, Diagnostics& diagnostics) {
  CandidatesByScope scopes;
  collect_candidates(sources, targets, pairing, scopes);
  for (int round = 0; round < kMaxRounds; ++round) {
    auto best = scopes.end();
    size_t most = 0;
    for (auto scope = scopes.begin(); scope != scopes.end(); ++scope) {
      const size_t pairs = count_open(pairing, sources, targets, scope->second);
      if (pairs > most) best = scope;
      most = std::max(most, pairs);
    }
    if (best == scopes.end()) return;
    auto rival = std::next(best);
    while (rival != scopes.end() && (count_open(pairing, sources, targets, rival->second) < most ||
                                     !scopes_clash(pairing, best->second, rival->second))) {
      ++rival;
    }
    if (rival == scopes.end()) {
      take_scope(best->first, best->second, pairing);
    } else {
      diagnostics.note("ambiguous-scope",
                       cat("names agree below ", quoted(best->first.path), " as well as below ",
                           quoted(rival->first.path), ": taken as neither"),
                       {}, "say which is meant: " SETTING("--rename", "**=SCOPE/**"));
      scopes.erase(rival);
    }
    scopes.erase(best);
  }
}

}  // namespace cryo
