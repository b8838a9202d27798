// Law 3, idempotence; truth; and determinism.

#include <gtest/gtest.h>

#include "base/text.h"
#include "laws.h"
#include "road.h"
#include "validate/repair.h"
#include "validate/validate.h"
#include "verbs/check_made.h"

namespace cryo::laws {
namespace {

void pruned_twice_is_pruned_once(Road& road, Tally& tally) {
  const auto& [once, report] = road.pruned();
  if (!once) return tally.skip(once.error().code);
  const auto twice = run("prune", *once, report.outputs);
  ASSERT_TRUE(twice.ok()) << to_text(twice.error());
  EXPECT_TRUE(twice->graph.skeleton() == once->graph.skeleton());
  EXPECT_TRUE(twice->meta == once->meta);
  ++tally.held;
}

void repaired_twice_is_repaired_once(Road& road, Tally& tally) {
  const Model& model = road.model();
  std::vector<Repaired> repaired;
  const Model once = repair(model, &ops(), repaired);
  repaired.clear();
  const Model twice = repair(once, &ops(), repaired);
  EXPECT_EQ(repaired.size(), 0U);
  EXPECT_TRUE(twice.graph.skeleton() == once.graph.skeleton());
  Diagnostics before;
  Diagnostics after;
  EXPECT_LE(validate(model, &ops(), before), validate(once, &ops(), after));
  for (const Diagnostic& left : after.all()) EXPECT_FALSE(left.fixable);
  ++tally.held;
}

void frozen_twice_is_frozen_once(Road& road, Tally& tally) {
  const auto& [once, report] = road.frozen();
  if (!once) return tally.skip(once.error().code);
  const auto twice = run("freeze", *once, report.outputs);
  ASSERT_TRUE(twice.ok()) << to_text(twice.error());
  EXPECT_TRUE(twice->graph.skeleton() == once->graph.skeleton());
  ++tally.held;
}

// Debug builds check this after every pass.
void stays_importable(Road& road, Tally& tally) {
  const auto check = [&](const char* pass, const Result<Model>& made) {
    if (!made) return tally.skip(made.error().code);
    const Status good = check_made(pass, road.model(), *made, &ops());
    EXPECT_TRUE(good.ok()) << to_text(good.error());
    ++tally.held;
  };
  check("prune", road.pruned().model);
  check("freeze", road.frozen().model);
  check("unfreeze", road.unfrozen().model);
}

// All bytes of all outputs on a road.
Written outputs_of(Road& road) {
  Written all;
  const auto keep = [&](const char* name, const Result<Model>& model, const char* form) {
    all[name] = model ? "" : model.error().message;
    if (!model) return;
    for (const auto& file : written(*model, form)) all[cat(name, "/", file.first)] = file.second;
  };
  keep("pruned", road.pruned().model, "pb");
  keep("frozen", road.frozen().model, "pb");
  if (road.frozen().model) keep("unfrozen", road.unfrozen_again().model, "checkpoint");
  return all;
}

void written_twice_is_the_same(Road& road, Tally& tally) {
  EXPECT_TRUE(outputs_of(road) == outputs_of(road.second()));
  ++tally.held;
}

}  // namespace

std::vector<Law> pass_laws() {
  return {{"prune(prune(m)) == prune(m)", 100, pruned_twice_is_pruned_once},
          {"repair(repair(m)) == repair(m), and nothing fixable is left", 100,
           repaired_twice_is_repaired_once},
          {"freeze(freeze(m)) == freeze(m)", 100, frozen_twice_is_frozen_once},
          {"what a pass makes of a graph that TensorFlow would import, it would import", 200,
           stays_importable},
          {"two runs write the same bytes", 100, written_twice_is_the_same}};
}

}  // namespace cryo::laws
