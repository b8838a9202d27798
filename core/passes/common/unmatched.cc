#include "passes/common/unmatched.h"

#include <algorithm>

#include "base/pattern/weight_name.h"
#include "base/reference.h"
#include "base/suggestions.h"
#include "base/text.h"
#include "base/utf8.h"
#include "checkpoint/object_graph.h"
#include "graph/roles.h"

namespace cryo {
namespace {

constexpr std::string_view kSeeNames = LIST("names", "weights");

// Names that a misspelt one is compared with.
constexpr size_t kMaxNear = 2000;

std::string near(std::string_view wanted, const std::vector<std::string>& names) {
  const std::vector<std::string_view> first(
      names.begin(), names.begin() + static_cast<ptrdiff_t>(std::min(names.size(), kMaxNear)));
  return did_you_mean(plain_weight_name(wanted), first);
}

void add_constants(const std::vector<Node>& nodes, std::vector<std::string>& names) {
  for (const Node& node : nodes) {
    if (node.op == "Const") names.emplace_back(node.name);
  }
}

void add_all_constants(const Model& model, std::vector<std::string>& names) {
  add_constants(model.graph.nodes(), names);
  for (const Function& function : model.graph.functions()) {
    const Result<std::vector<Node>> nodes = body_nodes(function);
    if (nodes) add_constants(*nodes, names);
  }
}

}  // namespace

std::vector<std::string> weight_names(const Model& model) {
  std::vector<std::string> names;
  for (const Node& node : model.graph.nodes()) {
    if (is_variable(node.op)) names.emplace_back(node.name);
  }
  add_all_constants(model, names);
  if (model.checkpoint == nullptr) return names;
  for (const CheckpointEntry& entry : model.checkpoint->entries) {
    names.push_back(plain_key(entry.key));
  }
  return names;
}

Status check_globs(const Globs& globs, std::string_view option, std::string_view noun,
                   const std::vector<std::string>& names) {
  std::vector<bool> used(globs.size(), false);
  for (const std::string& name : names) {
    globs.any_candidate(name, [&](uint32_t i) {
      used[i] = used[i] || names_weight(globs[i], name);
      return false;
    });
  }
  const auto unused = std::find(used.begin(), used.end(), false);
  if (unused == used.end()) return Unit{};
  const std::string& text = globs[static_cast<size_t>(unused - used.begin())].text();
  return failure("glob-unused",
                 cat("no ", noun, " is named by ", option, " ", quoted(text), near(text, names)),
                 {}, kSeeNames);
}

Globs named_constants(const WeightSelection& selection) {
  Globs named;
  for (const Glob& glob : selection.constants) {
    if (glob.text() != "auto") named.push_back(glob);
  }
  return named;
}

Status check_chosen_constants(const Model& model, const WeightSelection& selection) {
  if (selection.constants.empty() && selection.exclude.empty()) return Unit{};
  std::vector<std::string> names;
  add_all_constants(model, names);
  CHECK_OK(check_globs(named_constants(selection), OPTION("--constants", ""), "constant", names));
  return check_globs(selection.exclude, OPTION("--exclude", ""), "constant", names);
}

Status check_rules(const std::vector<RenameRule>& rules, const std::set<const RenameRule*>& used,
                   const std::vector<std::string>& names, const std::vector<std::string>& wanted) {
  for (const RenameRule& rule : rules) {
    if (used.contains(&rule)) continue;
    std::string suggestion = near(rule.from.text(), names);
    for (size_t i = 0; i < names.size() && i < kMaxNear && suggestion.empty(); ++i) {
      const Renamed to = renamed(rule, names[i]);
      if (to.rule != nullptr && !wanted.empty()) suggestion = near(to.name, wanted);
      if (to.rule != nullptr) break;
    }
    return failure("rename-unused",
                   cat(OPTION("--rename", "") " ", rule.text, " matches no ",
                       wanted.empty() ? "weight" : "variable", suggestion),
                   {}, kSeeNames);
  }
  return Unit{};
}

}  // namespace cryo
