// Law 2: un-freezing what was frozen gives back the variables; freezing what was un-frozen gives
// back the graph.

#include <set>

#include "graph/node_editor.h"
#include "laws.h"
#include "model/meta.h"
#include "model/variables.h"
#include "passes/common/freeze_record.h"
#include "tensor/content.h"

namespace cryo::laws {
namespace {

std::string content_of(const Result<Tensor>& tensor) {
  if (!tensor) return tensor.error().code;
  const auto bytes = tensor->content.read_all();
  return cat(dtype_name(tensor->dtype), " ", to_text(tensor->shape), " ",
             bytes ? *bytes : bytes.error().code);
}

// Names of variables, and their types, shapes and bits.
std::map<std::string, std::string> values_of(const Model& model, const PassLog& frozen) {
  std::map<std::string, std::string> wanted;
  for (const Conversion& each : frozen.converted) wanted[each.name] = "";
  std::map<std::string, std::string> values;
  for (const Variable& variable : variables_of(model)) {
    if (wanted.contains(variable.name))
      values[variable.name] = content_of(value_of(model, variable));
  }
  return values;
}

// The options that unfreeze all variables that freezing made constants.
PassOptions all_of(const PassLog& frozen, const char* style) {
  PassOptions options;
  options.style = style;
  for (const Conversion& each : frozen.converted) options.constants.push_back(each.name);
  return options;
}

TEST(Inverse, UnfreezingWhatWasFrozenGivesBackTheVariables) {
  Tally tally("unfreeze(freeze(m)) has the variables of m");
  for (const Case& each : cases()) {
    const Opened opened(each);
    PassLog log;
    const auto frozen = run("freeze", *opened.model, each.outputs, log);
    EXPECT_TRUE(frozen.ok() || !each.known) << each.name() << ": " << to_text(frozen.error());
    if (!frozen || log.converted.empty()) {
      tally.skip(frozen ? "no variables" : frozen.error().code);
      continue;
    }
    for (const char* style : {"ref", "resource"}) {
      PassLog planned;
      const auto again = run("unfreeze", *frozen, all_of(log, style), planned);
      ASSERT_TRUE(again.ok()) << each.name() << " " << style << ": " << to_text(again.error());
      const auto expected = values_of(*opened.model, log);
      EXPECT_EQ(expected.size(), log.converted.size()) << each.name();
      EXPECT_TRUE(values_of(*again, log) == expected) << each.name() << " " << style;
    }
    tally.held();
  }
  EXPECT_GT(tally.count(), 25);
}

// A variable's properties other than its value: its kind, its part of a partitioned one, and the
// collections that list it.
struct Nature {
  std::string kind = {};
  std::string part = {};
  std::set<std::string> collections = {};
};

std::map<std::string, Nature> natures_of(const Model& model) {
  std::map<std::string, Nature> natures;
  for (const Variable& each : variables_of(model)) {
    Nature& nature = natures[each.name];
    nature.kind = model.graph.nodes()[each.node].op;
    if (!each.slice.empty()) nature.part = cat(each.key, " ", each.slice);
  }
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  for (const auto& entry : meta.collection_def()) {
    if (!is_variable_collection(entry.key())) continue;
    for (const auto& def : variable_defs(meta, entry.key())) {
      const auto found = natures.find(std::string(parse_tensor_name(def.variable_name()).node));
      if (found != natures.end()) found->second.collections.insert(entry.key());
    }
  }
  return natures;
}

// With the records that freezing leaves there is nothing to search, and no style is requested.
TEST(Inverse, UnfreezingByRecordsGivesBackKindsPartitionsAndCollections) {
  Tally tally("unfreeze(freeze(m)) has the kinds, partitions and collections of m, and no more");
  for (const Case& each : cases()) {
    const Opened opened(each);
    PassLog log;
    const auto frozen = run("freeze", *opened.model, each.outputs, log);
    std::set<std::string> constants;
    for (const Conversion& conversion : log.converted) {
      if (conversion.to == "Const") constants.insert(conversion.name);
    }
    if (!frozen || constants.empty()) {
      tally.skip(frozen ? "no variables" : frozen.error().code);
      continue;
    }
    PassLog planned;
    const auto again = run("unfreeze", *frozen, PassOptions(), planned);
    ASSERT_TRUE(again.ok()) << each.name() << ": " << to_text(again.error());
    std::map<std::string, Nature> before = natures_of(*opened.model);
    std::set<std::string> found;
    for (const auto& [name, nature] : natures_of(*again)) {
      found.insert(name);
      EXPECT_EQ(nature.kind, before[name].kind) << each.name() << " " << name;
      EXPECT_EQ(nature.part, before[name].part) << each.name() << " " << name;
      if (before[name].collections.empty()) continue;
      EXPECT_EQ(nature.collections, before[name].collections) << each.name() << " " << name;
    }
    EXPECT_EQ(found, constants) << each.name();
    tally.held();
  }
  EXPECT_GT(tally.count(), 25);
}

// Counts the variables that un-freezing finds by itself.
TEST(Inverse, UnfreezingFindsTheWeightsOfTheFixtures) {
  uint64_t found = 0;
  uint64_t all = 0;
  for (const Case& each : cases()) {
    const Opened opened(each);
    PassOptions options;
    options.outputs = each.outputs;
    options.no_record = true;
    PassLog log;
    const auto frozen = run("freeze", *opened.model, options, log);
    if (!frozen || log.converted.empty()) continue;
    PassLog planned;
    (void)run("unfreeze", *frozen, PassOptions(), planned);
    std::map<std::string, bool> names;
    for (const Conversion& conversion : planned.converted) names[conversion.name] = true;
    for (const Conversion& conversion : log.converted) found += names.count(conversion.name);
    all += log.converted.size();
  }
  std::cout << "weights found by themselves: " << found << " of " << all << std::endl;
  EXPECT_GT(found * 10, all * 9);
}

std::string value_bytes(const Node& node, const Payloads& payloads) {
  return content_of(read_tensor(tensor_attr(node, "value").value_or(""), payloads));
}

// The fields of a constant but its value and the record; maps have no order.
std::multiset<std::string> all_but_value(const Node& node) {
  const std::string bytes = NodeEditor(node).erase_attr("value").erase_attr(kRecordAttr).finish();
  std::multiset<std::string> fields;
  for (WireCursor cursor(bytes); cursor.next();) fields.emplace(cursor.field().record);
  return fields;
}

// Node for node; a constant that was not in tensor_content is equal in type, shape and value.
void expect_same_graph(const Model& model, const Model& expected, const std::string& where) {
  const auto& nodes = model.graph.nodes();
  const auto& others = expected.graph.nodes();
  ASSERT_EQ(nodes.size(), others.size()) << where;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const bool same = nodes[i].bytes == others[i].bytes;
    const bool constants = nodes[i].op == "Const" && others[i].op == "Const";
    if (same && !constants) continue;
    ASSERT_EQ(nodes[i].name, others[i].name) << where;
    ASSERT_TRUE(constants) << where << ": " << nodes[i].name << " is " << nodes[i].op << ", was "
                           << others[i].op;
    ASSERT_TRUE(value_bytes(nodes[i], *model.payloads) ==
                value_bytes(others[i], *expected.payloads))
        << where << ": " << nodes[i].name;
    ASSERT_EQ(all_but_value(nodes[i]), all_but_value(others[i])) << where << ": " << nodes[i].name;
  }
}

TEST(Inverse, FreezingWhatWasUnfrozenGivesBackTheGraph) {
  Tally tally("freeze(unfreeze(g)) == g");
  for (const Case& each : cases()) {
    if (each.path.find("/invalid/") != std::string::npos) continue;  // pruning removes such faults
    const Opened opened(each);
    PassLog pruning;
    const auto pruned = run("prune", *opened.model, each.outputs, pruning);
    if (!pruned || !variables_of(*pruned).empty()) {
      tally.skip(pruned ? "it has variables" : pruned.error().code);
      continue;
    }
    for (const char* style : {"ref", "resource"}) {
      PassOptions options;
      options.style = style;
      PassLog log;
      const auto planned = run("unfreeze", *pruned, options, log);
      if (!planned) {
        tally.skip(planned.error().code);
        break;
      }
      const auto frozen = run("freeze", *planned, pruning.outputs);
      ASSERT_TRUE(frozen.ok()) << each.name() << " " << style << ": " << to_text(frozen.error());
      expect_same_graph(*frozen, *pruned, cat(each.name(), " ", style));
      tally.held();
    }
  }
  EXPECT_GT(tally.count(), 20);
}

}  // namespace
}  // namespace cryo::laws
