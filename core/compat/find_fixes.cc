#include "compat/find_fixes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/reference.h"
#include "base/text.h"
#include "compat/cut_points.h"
#include "passes/freeze/for_release.h"
#include "releases/node_faults.h"
#include "verbs/freeze.h"

namespace cryo {
namespace {

// An option of freeze, as a fix names it.
struct FixOption {
  std::string_view fix;
  void (*set)(FreezeOptions&);
};

// In the order in which a fix names them. Those of folding are last, and each has all before it.
constexpr FixOption kFixOptions[] = {
    {kFixByLowering, [](FreezeOptions& options) { options.lower_control_flow = true; }},
    {kFixByDropping, [](FreezeOptions& options) { options.cleanup.drop_checks = true; }},
    {kFixByClearing, [](FreezeOptions& options) { options.cleanup.clear_devices = true; }},
    {kFixBySplicing, [](FreezeOptions& options) { options.cleanup.splice_identities = true; }},
    {kFixByStripping, [](FreezeOptions& options) { options.cleanup.strip_defaults = true; }},
    {kFixByFolding, [](FreezeOptions& options) { options.optimization.fold_constants = true; }},
    {kFixByFoldingAll,
     [](FreezeOptions& options) {
       options.optimization.fold_constants = true;
       options.optimization.fold_batch_norm = true;
     }},
    {kFixByInference, [](FreezeOptions& options) { options.inference = true; }},
};

// Fixes of the table above.
using Fixes = std::set<std::string_view>;

const FixOption* find_option(std::string_view fix) {
  const auto* found = std::find_if(std::begin(kFixOptions), std::end(kFixOptions),
                                   [&](const FixOption& each) { return each.fix == fix; });
  return found == std::end(kFixOptions) ? nullptr : found;
}

// A cause in whichever function: inlining changes that and the node's name.
using Cause = std::pair<std::string_view, std::string_view>;

Cause cause_of(const Blocker& blocker) {
  return {blocker.op, blocker.op.empty() ? blocker.why : blocker.attr};
}

// Returns a blocker of the cause, one without a fix if there is such; null if there is none.
const Blocker* find_cause(const TargetVerdict& verdict, const Cause& cause) {
  const Blocker* found = nullptr;
  for (const Blocker& each : verdict.blockers) {
    if (cause_of(each) != cause) continue;
    if (found == nullptr || each.fix.empty()) found = &each;
  }
  return found;
}

// Returns true if --for gives the node an older form.
bool is_fitted(const Blocker& blocker) { return blocker.fix == kFixByForm; }

// A target's verdict on the model that freeze makes with some options.
struct Trial {
  Fixes fixes = {};
  TargetVerdict verdict = {};

  // Returns true if nothing stops the target.
  bool helps() const {
    return std::all_of(verdict.blockers.begin(), verdict.blockers.end(), is_fitted);
  }
};

// A target: its verdicts on what freeze makes of the model.
struct Search {
  size_t place = 0;
  Trial plain = {};                     // without options
  Trial last = {};                      // with all that the blockers name
  std::optional<Trial> inference = {};  // the same with --inference
  std::optional<Trial> settled = {};    // that leaves nothing
};

struct Frozen {
  Model model;
  std::vector<std::string> outputs;
};

// The model and what freeze made of it.
struct Job {
  const Model& model;
  const Targets& targets;
  const OpRegistry& ops;
};

std::optional<Frozen> frozen_with(const Job& job, const Fixes& fixes, const CutPoints& points) {
  FreezeOptions options;
  options.selection.inputs = points.inputs;
  options.selection.outputs = points.outputs;
  options.no_record = true;
  for (const FixOption& each : kFixOptions) {
    if (fixes.contains(each.fix)) each.set(options);
  }
  Diagnostics unused;
  auto frozen = freeze(job.model, options, {&job.ops}, unused);
  if (!frozen) return std::nullopt;
  return Frozen{std::move(frozen->model), std::move(frozen->selection.outputs)};
}

// Returns the fixes that the blockers name, with those that were made. For a release the calls are
// lowered whose nodes or bodies it refuses, as --for does.
Fixes next_fixes(const Trial& trial, const Graph& graph, bool is_release) {
  Fixes next = trial.fixes;
  for (const Blocker& each : trial.verdict.blockers) {
    if (const FixOption* option = find_option(each.fix)) next.insert(option->fix);
  }
  if (is_release && needs_lowering(graph, trial.verdict)) next.insert(kFixByLowering);
  return next;
}

// Returns true if a trial has a blocker without a fix of which an earlier one did not have the
// cause: an option adds nodes that the target refuses.
bool is_worse(const Trial& trial, const Trial& before) {
  return std::any_of(trial.verdict.blockers.begin(), trial.verdict.blockers.end(),
                     [&](const Blocker& each) {
                       return !is_fitted(each) && find_option(each.fix) == nullptr &&
                              find_cause(before.verdict, cause_of(each)) == nullptr;
                     });
}

// Freezes the model with the fixes, then with those that blockers of the result name as well, until
// they name no more. Calls `each(target, trial)` for each result of each target, which returns
// false to go no further with it. `places`: of the targets. `outputs`: those that the result must
// have; empty for any.
template <typename Each>
void try_fixes(const Job& job, const Fixes& first, const CutPoints& points,
               const std::vector<size_t>& places, const std::vector<std::string>& outputs,
               Each each) {
  std::map<Fixes, std::vector<size_t>> waiting;
  if (!places.empty()) waiting.emplace(first, places);
  while (!waiting.empty()) {
    auto now = waiting.extract(waiting.begin());
    std::sort(now.mapped().begin(), now.mapped().end());
    const auto frozen = frozen_with(job, now.key(), points);
    if (!frozen || (!outputs.empty() && frozen->outputs != outputs)) continue;
    std::vector<TargetVerdict> verdicts =
        judge_model(frozen->model, job.targets, now.mapped(), frozen->outputs, job.ops);
    for (size_t i = 0; i < verdicts.size(); ++i) {
      const Trial trial{now.key(), std::move(verdicts[i])};
      if (!each(now.mapped()[i], trial, *frozen)) continue;
      Fixes next = next_fixes(trial, frozen->model.graph, job.targets.is_release(now.mapped()[i]));
      if (next != now.key()) waiting[std::move(next)].push_back(now.mapped()[i]);
    }
  }
}

bool needs_forms(const Trial& trial) {
  return std::any_of(trial.verdict.blockers.begin(), trial.verdict.blockers.end(), is_fitted);
}

// Returns true if --for does the same, too.
bool is_part_of_forms(std::string_view fix) {
  return fix == kFixByLowering || fix == kFixByStripping;
}

// Returns "freeze with --a and --b": the options of a trial and of its target.
std::string fix_text(const Trial& trial, const std::vector<std::string>& ends = {}) {
  std::vector<std::string> options;
  if (needs_forms(trial)) options.push_back(option("--for", trial.verdict.name));
  for (const FixOption& each : kFixOptions) {
    if (!trial.fixes.contains(each.fix)) continue;
    if (needs_forms(trial) && is_part_of_forms(each.fix)) continue;
    if (each.fix == kFixByFolding && trial.fixes.contains(kFixByFoldingAll)) continue;
    options.emplace_back(each.fix.substr(kFreezeWith.size()));
  }
  options.insert(options.end(), ends.begin(), ends.end());
  return options.empty() ? std::string(kFixByFreezing) : cat(kFreezeWith, join(options, " and "));
}

std::string cut_text(const Trial& trial, const CutPoints& points) {
  std::vector<std::string> ends;
  if (!points.inputs.empty()) ends.push_back(setting("--inputs", join(points.inputs, ",")));
  if (!points.outputs.empty()) ends.push_back(setting("--outputs", join(points.outputs, ",")));
  return cat(points.remainder(), ": ", fix_text(trial, ends));
}

// Names what removes each blocker.
void name_fixes(const Search& search, TargetVerdict& verdict) {
  const Trial& end = search.settled ? *search.settled : search.last;
  const bool is_by_forms =
      needs_forms(end) && std::all_of(end.fixes.begin(), end.fixes.end(), is_part_of_forms);
  for (Blocker& each : verdict.blockers) {
    const Cause cause = cause_of(each);
    if (const Blocker* left = find_cause(end.verdict, cause)) {
      each.fix = find_option(left->fix) == nullptr ? left->fix : "";  // it did not help
    } else if (find_cause(search.plain.verdict, cause) == nullptr) {
      each.fix = kFixByFreezing;
    } else if (!end.fixes.contains(each.fix)) {
      each.fix = is_by_forms ? kFixByForm : fix_text({end.fixes, {}});
    }
  }
}

std::vector<size_t> unsettled(const std::vector<Search>& searches) {
  std::vector<size_t> places;
  for (const Search& each : searches) {
    if (!each.settled) places.push_back(each.place);
  }
  return places;
}

Search& search_of(std::vector<Search>& searches, size_t place) {
  return *std::find_if(searches.begin(), searches.end(),
                       [&](const Search& each) { return each.place == place; });
}

// Tries the fixes 1 and 2. Returns the outputs of the frozen model; none if it cannot be frozen.
std::vector<std::string> try_plain(const Job& job, std::vector<Search>& searches) {
  std::vector<std::string> outputs;
  try_fixes(job, {}, {}, unsettled(searches), {},
            [&](size_t place, const Trial& trial, const Frozen& frozen) {
              outputs = frozen.outputs;
              Search& search = search_of(searches, place);
              if (trial.fixes.empty()) search.plain = trial;
              if (is_worse(trial, search.plain)) return false;
              search.last = trial;
              if (trial.helps()) search.settled = trial;
              return true;
            });
  return outputs;
}

// Tries a further option on the targets that have no fix yet.
void try_further(const Job& job, std::string_view fix, const std::vector<std::string>& outputs,
                 std::vector<Search>& searches) {
  std::vector<size_t> places = unsettled(searches);
  if (fix != kFixByInference) {
    std::erase_if(places, [&](size_t place) {
      return job.targets.is_release(place) ||
             job.targets.runtimes[place - job.targets.releases.size()].folds_constants;
    });
  }
  try_fixes(job, {fix}, {}, places, outputs, [&](size_t place, const Trial& trial, const Frozen&) {
    Search& search = search_of(searches, place);
    if (fix == kFixByInference) search.inference = trial;
    if (trial.helps()) search.settled = trial;
    return true;
  });
}

// The cut of a target, and the options that it needs.
struct Cut {
  CutPoints points;
  Fixes fixes;
};

// The nodes of a verdict's blockers without a fix.
using Unfixed = std::pair<std::vector<uint32_t>, std::set<std::pair<std::string, std::string>>>;

Unfixed unfixed_of(const TargetVerdict& verdict) {
  Unfixed unfixed = {verdict.unfixed, {}};
  for (const Blocker& each : verdict.blockers) {
    if (each.fix.empty()) unfixed.second.emplace(each.function, each.node);
  }
  return unfixed;
}

// Cuts by the options and nodes for which they were looked for: many targets have the same.
using KnownCuts = std::map<std::pair<Fixes, Unfixed>, std::optional<CutPoints>>;

std::optional<Cut> find_cut(const Job& job, const Search& search, KnownCuts& known) {
  const bool is_less = search.inference && search.inference->verdict.unfixed.size() <
                                               search.last.verdict.unfixed.size();
  const Trial& trial = is_less ? *search.inference : search.last;
  const auto [found, is_new] = known.try_emplace({trial.fixes, unfixed_of(trial.verdict)});
  if (is_new) {
    if (const auto frozen = frozen_with(job, trial.fixes, {})) {
      found->second = find_cut_points(frozen->model.graph, trial.verdict, frozen->outputs, job.ops);
    }
  }
  if (!found->second) return std::nullopt;
  return Cut{*found->second, is_less ? Fixes{kFixByInference} : Fixes{}};
}

void try_cuts(const Job& job, const std::vector<Search>& searches,
              std::vector<TargetVerdict>& verdicts) {
  KnownCuts known;
  std::map<std::tuple<Fixes, std::vector<std::string>, std::vector<std::string>>,
           std::pair<Cut, std::vector<size_t>>>
      cuts;
  for (const Search& each : searches) {
    if (each.settled) continue;
    const auto cut = find_cut(job, each, known);
    if (!cut) continue;
    auto& [of, places] = cuts[{cut->fixes, cut->points.inputs, cut->points.outputs}];
    of = *cut;
    places.push_back(each.place);
  }
  for (const auto& [key, group] : cuts) {
    const Cut& cut = group.first;
    try_fixes(job, cut.fixes, cut.points, group.second, {},
              [&](size_t place, const Trial& trial, const Frozen&) {
                if (trial.helps()) {
                  verdicts[place].cut = cut_text(trial, cut.points);
                }
                return true;
              });
  }
}

}  // namespace

void find_fixes(const Model& model, const Targets& targets, const OpRegistry& ops,
                std::vector<TargetVerdict>& verdicts) {
  const Job job{model, targets, ops};
  std::vector<Search> searches;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    if (!verdicts[i].runs()) searches.push_back({.place = i});
  }
  const std::vector<std::string> outputs = try_plain(job, searches);
  if (outputs.empty()) return;
  for (const char* fix : {kFixByFolding, kFixByFoldingAll, kFixByInference}) {
    try_further(job, fix, outputs, searches);
  }
  for (const Search& each : searches) {
    TargetVerdict& verdict = verdicts[each.place];
    name_fixes(each, verdict);
    if (each.settled) verdict.fix = fix_text(*each.settled);
  }
  try_cuts(job, searches, verdicts);
}

}  // namespace cryo
