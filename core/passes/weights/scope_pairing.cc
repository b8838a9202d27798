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

class ScopePairing {
 public:
  ScopePairing(WeightPairing& pairing, const std::vector<NamedWeight>& from,
               const std::vector<NamedWeight>& into)
      : pairing_(pairing), from_(from), into_(into) {}

  void run(Diagnostics& diagnostics);

 private:
  void collect();
  size_t count(const std::vector<Candidate>& candidates) const;
  bool is_open(const Candidate& each) const {
    return !pairing_.is_used(each.from) && pairing_.from_of(each.into) == WeightPairing::kNone;
  }
  bool clash(const std::vector<Candidate>& a, const std::vector<Candidate>& b) const;
  void take(const Scope& scope, const std::vector<Candidate>& candidates);

  WeightPairing& pairing_;
  const std::vector<NamedWeight>& from_;
  const std::vector<NamedWeight>& into_;
  std::map<Scope, std::vector<Candidate>> scopes_;
};

// each(what is below, the scope above it), from the outermost scope on.
template <typename Each>
void for_each_scope(std::string_view name, Each each) {
  size_t slash = name.find('/');
  for (int depth = 0; depth < kMaxDepth && slash != std::string_view::npos; ++depth) {
    each(name.substr(slash + 1), name.substr(0, slash + 1));
    slash = name.find('/', slash + 1);
  }
}

void ScopePairing::collect() {
  const std::vector<uint32_t> from = pairing_.open_from();
  const std::vector<uint32_t> into = pairing_.open_into();
  std::unordered_map<std::string_view, uint32_t> from_names;
  std::unordered_map<std::string_view, uint32_t> into_names;
  for (const uint32_t i : from) from_names.emplace(plain_weight_name(from_[i].name), i);
  for (const uint32_t i : into) into_names.emplace(plain_weight_name(into_[i].name), i);
  for (const uint32_t i : into) {
    for_each_scope(plain_weight_name(into_[i].name), [&](auto below, auto scope) {
      const auto found = from_names.find(below);
      if (found != from_names.end()) scopes_[{false, scope}].push_back({found->second, i});
    });
  }
  for (const uint32_t i : from) {
    for_each_scope(plain_weight_name(from_[i].name), [&](auto below, auto scope) {
      const auto found = into_names.find(below);
      if (found != into_names.end()) scopes_[{true, scope}].push_back({i, found->second});
    });
  }
}

// How many of them can still be paired, and fit.
size_t ScopePairing::count(const std::vector<Candidate>& candidates) const {
  size_t count = 0;
  for (const Candidate& each : candidates) {
    if (is_open(each) && WeightPairing::fits(from_[each.from], into_[each.into])) ++count;
  }
  return count;
}

// Returns true if they pair the same weights.
bool ScopePairing::clash(const std::vector<Candidate>& a, const std::vector<Candidate>& b) const {
  std::set<uint32_t> from;
  std::set<uint32_t> into;
  for (const Candidate& each : a) {
    from.insert(each.from);
    into.insert(each.into);
  }
  for (const Candidate& each : b) {
    if (is_open(each) && (from.contains(each.from) || into.contains(each.into))) return true;
  }
  return false;
}

void ScopePairing::take(const Scope& scope, const std::vector<Candidate>& candidates) {
  for (const Candidate& each : candidates) {
    if (!is_open(each)) continue;
    pairing_.pair(each.from, each.into,
                  cat("same name below ", scope.path, scope.of_from ? " there" : " here"));
  }
}

void ScopePairing::run(Diagnostics& diagnostics) {
  collect();
  for (int round = 0; round < kMaxRounds; ++round) {
    auto best = scopes_.end();
    size_t most = 0;
    for (auto scope = scopes_.begin(); scope != scopes_.end(); ++scope) {
      const size_t pairs = count(scope->second);
      if (pairs > most) best = scope;
      most = std::max(most, pairs);
    }
    if (best == scopes_.end()) return;
    auto rival = std::next(best);
    while (rival != scopes_.end() &&
           (count(rival->second) < most || !clash(best->second, rival->second))) {
      ++rival;
    }
    if (rival == scopes_.end()) {
      take(best->first, best->second);
    } else {
      diagnostics.note("ambiguous-scope",
                       cat("names agree below ", quoted(best->first.path), " as well as below ",
                           quoted(rival->first.path), ": taken as neither"),
                       {}, "say which is meant: " SETTING("--rename", "**=SCOPE/**"));
      scopes_.erase(rival);
    }
    scopes_.erase(best);
  }
}

}  // namespace

void pair_below_scopes(WeightPairing& pairing, const std::vector<NamedWeight>& from,
                       const std::vector<NamedWeight>& into, Diagnostics& diagnostics) {
  ScopePairing(pairing, from, into).run(diagnostics);
}

}  // namespace cryo
