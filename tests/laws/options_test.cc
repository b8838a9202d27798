// Laws of the options that rewrite a graph: twice is once, a graph that TensorFlow imports stays
// one, and nodes that the report does not name keep their ops and attributes byte for byte.

#include <functional>
#include <set>

#include "laws.h"

namespace cryo::laws {
namespace {

struct Rewrite {
  const char* name;
  const char* pass;
  std::function<void(PassOptions&)> set;
  // Ops of nodes that follow what the report names: branches of a switch, weights of a layer.
  std::set<std::string_view> follow = {};
};

const Rewrite kRewrites[] = {
    {"--inference", "freeze", [](PassOptions& o) { o.inference = true; }, {"Switch", "Merge"}},
    {"--inference", "prune", [](PassOptions& o) { o.inference = true; }, {"Switch", "Merge"}},
    {"--fold-batch-norm", "freeze", [](PassOptions& o) { o.fold_batch_norm = true; }, {"Const"}},
    {"--fold-constants", "freeze", [](PassOptions& o) { o.fold_constants = true; }},
    {"--merge-duplicates", "freeze", [](PassOptions& o) { o.merge_duplicates = true; }},
    {"--quantize-weights", "freeze", [](PassOptions& o) { o.quantize_weights = true; }},
    {"--drop-checks", "prune", [](PassOptions& o) { o.drop_checks = true; }},
    {"--splice-identities", "prune", [](PassOptions& o) { o.splice_identities = true; }},
    {"--clear-devices", "prune", [](PassOptions& o) { o.clear_devices = true; }},
    {"--strip-defaults", "prune", [](PassOptions& o) { o.strip_defaults = true; }},
};

std::string print_name(const testing::TestParamInfo<Rewrite>& info) {
  std::string name = cat(info.param.pass, "_", info.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// Names in a report: of nodes, or of tensors of theirs.
std::set<std::string> named_in(const PassLog& log) {
  std::set<std::string> names;
  for (const GraphChange& each : log.changes) names.insert(each.node);
  for (const Conversion& each : log.converted) names.insert(each.name);
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
                                          const PassLog& log, const Rewrite& rewrite) {
  const auto named = named_in(log);
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

void PrintTo(const Rewrite& rewrite, std::ostream* out) { *out << rewrite.pass << rewrite.name; }

class Rewriting : public testing::TestWithParam<Rewrite> {
 protected:
  // Returns every third model, others for the next rewrite: each meets some of all kinds.
  static std::vector<Case> share() {
    constexpr size_t kStep = 3;
    std::vector<Case> some;
    size_t place = std::string_view(GetParam().name).size() % kStep;
    for (; place < cases().size(); place += kStep) some.push_back(cases()[place]);
    return some;
  }
};

TEST_P(Rewriting, IsOnceWhatItIsTwiceAndNamesWhatItChanges) {
  const auto& [name, pass, set, follow] = GetParam();
  Tally tally(cat(pass, " ", name, ", twice, is once"));
  for (const Case& each : share()) {
    const Opened opened(each);
    PassOptions options;
    options.outputs = each.outputs;
    set(options);
    PassLog log;
    const auto once = run(pass, *opened.model, options, log);
    if (!once) {
      tally.skip(once.error().code);
      continue;
    }
    const Status good = check_made(*find_pass(pass), *opened.model, *once, &ops());
    EXPECT_TRUE(good.ok()) << each.name() << ": " << to_text(good.error());
    PassOptions plain;
    plain.outputs = each.outputs;
    PassLog unnamed;
    const auto without = run(pass, *opened.model, plain, unnamed);
    if (without && !options.strip_defaults) {
      EXPECT_EQ(changed_silently(*without, *once, log, GetParam()), std::vector<std::string>())
          << each.name();
    }
    if (!log.outputs.empty()) options.outputs = log.outputs;
    PassLog again;
    const auto twice = run(pass, *once, options, again);
    ASSERT_TRUE(twice.ok()) << each.name() << ": " << to_text(twice.error());
    EXPECT_TRUE(twice->graph.skeleton() == once->graph.skeleton()) << each.name();
    tally.held();
  }
}

// Returns the text: a message has several encodings, and an empty library says nothing.
std::string text_of(const Model& model) {
  constexpr std::string_view kEmpty = "library {\n}\n";
  std::string text;
  for (const auto& [name, content] : written(model, "pbtxt")) text += content;
  const size_t at = text.find(kEmpty);
  return at == std::string::npos ? text : text.erase(at, kEmpty.size());
}

TEST(Renaming, ThereAndBackChangesNothing) {
  Tally tally("renamed under a scope and back, a graph says the same");
  for (size_t i = 0; i < cases().size(); i += 3) {
    const Case& each = cases()[i];
    const Opened opened(each);
    PassLog log;
    PassOptions there;
    there.rename = {"**=law_scope/**"};
    const auto moved = run("edit", *opened.model, there, log);
    if (!moved) {
      tally.skip(moved.error().code);
      continue;
    }
    PassOptions back;
    back.rename = {"law_scope/**=**"};
    const auto made = run("edit", *moved, back, log);
    ASSERT_TRUE(made.ok()) << each.name() << ": " << to_text(made.error());
    EXPECT_TRUE(text_of(*made) == text_of(*opened.model)) << each.name();
    tally.held();
  }
  EXPECT_GT(tally.count(), 40);
}

INSTANTIATE_TEST_SUITE_P(Options, Rewriting, testing::ValuesIn(kRewrites), print_name);

}  // namespace
}  // namespace cryo::laws
