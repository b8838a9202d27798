// Laws of the options that rewrite a graph: twice is once, a graph that TensorFlow imports stays
// one, and nodes that the report does not name keep their ops and attributes byte for byte.

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "base/text.h"
#include "laws.h"
#include "road.h"
#include "verbs/check_made.h"

namespace cryo::laws {
namespace {

struct Rewrite {
  const char* name;
  const char* pass;
  std::function<void(Options&)> set;
  // Ops of nodes that follow what the report names: branches of a switch, weights of a layer.
  std::set<std::string_view> follow = {};
};

const Rewrite kRewrites[] = {
    {"--inference", "freeze", [](Options& o) { o.freeze.inference = true; }, {"Switch", "Merge"}},
    {"--inference", "prune", [](Options& o) { o.prune.inference = true; }, {"Switch", "Merge"}},
    {"--fold-batch-norm",
     "freeze",
     [](Options& o) { o.freeze.optimization.fold_batch_norm = true; },
     {"Const"}},
    {"--fold-constants", "freeze", [](Options& o) { o.freeze.optimization.fold_constants = true; }},
    {"--merge-duplicates", "freeze",
     [](Options& o) { o.freeze.optimization.merge_duplicates = true; }},
    {"--quantize-weights", "freeze",
     [](Options& o) { o.freeze.optimization.quantize_weights = true; }},
    {"--drop-checks", "prune", [](Options& o) { o.prune.cleanup.drop_checks = true; }},
    {"--splice-identities", "prune", [](Options& o) { o.prune.cleanup.splice_identities = true; }},
    {"--clear-devices", "prune", [](Options& o) { o.prune.cleanup.clear_devices = true; }},
    {"--strip-defaults", "prune", [](Options& o) { o.prune.cleanup.strip_defaults = true; }},
};

// Names in a report: of nodes, or of tensors of theirs.
std::set<std::string> named_in(const MadeModel& report) {
  std::set<std::string> names;
  for (const GraphChange& each : report.changes) names.insert(each.node);
  for (const Conversion& each : report.converted) names.insert(each.name);
  return names;
}

// Without colocation, which follows the names of nodes.
std::string attributes(const Node& node) {
  std::string all;
  for (const Attr& attr : attrs_of(node)) {
    if (attr.key != "_class") all += cat(attr.key, "=", attr.value, ";");
  }
  return all;
}

// Returns the nodes of both graphs whose op or attributes differ, but for the named ones.
std::vector<std::string> changed_silently(const Model& before, const Model& after,
                                          const MadeModel& report, const Rewrite& rewrite) {
  const auto named = named_in(report);
  const NodeNames& names = before.graph.index().names();
  std::vector<std::string> changed;
  for (const Node& node : after.graph.nodes()) {
    const uint32_t old = names.find(node.name);
    if (old == kNoNode || named.contains(std::string(node.name))) continue;
    const Node& was = before.graph.nodes()[old];
    if (rewrite.follow.contains(was.op)) continue;
    if (was.op != node.op || attributes(was) != attributes(node)) changed.emplace_back(node.name);
  }
  return changed;
}

// Every third model, others for the next law: each meets some of all kinds.
bool is_in_share(const Road& road, size_t first) {
  constexpr size_t kStep = 3;
  return road.of().place % kStep == first % kStep;
}

void is_once_what_it_is_twice(const Rewrite& rewrite, Road& road, Tally& tally) {
  if (!is_in_share(road, std::string_view(rewrite.name).size())) return;
  Options options = with_outputs(road.of().outputs);
  rewrite.set(options);
  MadeModel report;
  const auto once = run(rewrite.pass, road.model(), options, report);
  if (!once) return tally.skip(once.error().code);
  const Status good = check_made(rewrite.pass, road.model(), *once, &ops());
  EXPECT_TRUE(good.ok()) << to_text(good.error());
  const bool pruning = std::string_view(rewrite.pass) == "prune";
  const Result<Model>& without = (pruning ? road.pruned() : road.frozen()).model;
  if (without && !options.prune.cleanup.strip_defaults) {
    EXPECT_EQ(changed_silently(*without, *once, report, rewrite), std::vector<std::string>());
  }
  Options same = report.outputs.empty() ? options : with_outputs(report.outputs);
  rewrite.set(same);
  MadeModel again;
  const auto twice = run(rewrite.pass, *once, same, again);
  ASSERT_TRUE(twice.ok()) << to_text(twice.error());
  EXPECT_TRUE(twice->graph.skeleton() == once->graph.skeleton());
  ++tally.held;
}

// Returns the text: a message has several encodings, and an empty library says nothing.
std::string text_of(const Model& model) {
  constexpr std::string_view kEmpty = "library {\n}\n";
  std::string text;
  for (const auto& [name, content] : written(model, "pbtxt")) text += content;
  const size_t at = text.find(kEmpty);
  return at == std::string::npos ? text : text.erase(at, kEmpty.size());
}

void renamed_there_and_back(Road& road, Tally& tally) {
  if (!is_in_share(road, 0)) return;
  MadeModel report;
  Options there;
  there.edit.rename = {"**=law_scope/**"};
  const auto moved = run("edit", road.model(), there, report);
  if (!moved) return tally.skip(moved.error().code);
  Options back;
  back.edit.rename = {"law_scope/**=**"};
  const auto made = run("edit", *moved, back, report);
  ASSERT_TRUE(made.ok()) << to_text(made.error());
  EXPECT_TRUE(text_of(*made) == text_of(road.model()));
  ++tally.held;
}

}  // namespace

std::vector<Law> option_laws() {
  std::vector<Law> laws;
  for (const Rewrite& rewrite : kRewrites) {
    laws.push_back(
        {cat(rewrite.pass, " ", rewrite.name, ", twice, is once, and names its changes"), 20,
         [&rewrite](Road& road, Tally& tally) { is_once_what_it_is_twice(rewrite, road, tally); }});
  }
  laws.push_back(
      {"renamed under a scope and back, a graph says the same", 40, renamed_there_and_back});
  return laws;
}

}  // namespace cryo::laws
