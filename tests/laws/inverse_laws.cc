// Law 2: un-freezing what was frozen gives back the variables; freezing what was un-frozen gives
// back the graph.

#include <gtest/gtest.h>

#include <set>

#include "base/text.h"
#include "graph/node_editor.h"
#include "laws.h"
#include "model/meta.h"
#include "model/variables.h"
#include "passes/common/freeze_record.h"
#include "road.h"
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
std::map<std::string, std::string> values_of(const Model& model, const MadeModel& frozen) {
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
Options all_of(const MadeModel& frozen, const char* style) {
  Options options;
  options.unfreeze.style = style;
  for (const Conversion& each : frozen.converted) {
    options.unfreeze.weights.constants.push_back(each.name);
  }
  return options;
}

void gives_back_the_variables(Road& road, Tally& tally) {
  const auto& [frozen, report] = road.frozen();
  EXPECT_TRUE(frozen.ok() || !road.of().known) << to_text(frozen.error());
  if (!frozen) return tally.skip(frozen.error().code);
  if (report.converted.empty()) return tally.skip("no variables");
  const auto expected = values_of(road.model(), report);
  EXPECT_EQ(expected.size(), report.converted.size());
  for (const char* style : {"ref", "resource"}) {
    MadeModel planned;
    const auto again = run("unfreeze", *frozen, all_of(report, style), planned);
    ASSERT_TRUE(again.ok()) << style << ": " << to_text(again.error());
    EXPECT_TRUE(values_of(*again, report) == expected) << style;
  }
  ++tally.held;
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
void gives_back_kinds_partitions_and_collections(Road& road, Tally& tally) {
  const auto& [frozen, report] = road.frozen();
  std::set<std::string> constants;
  for (const Conversion& conversion : report.converted) {
    if (conversion.to == "Const") constants.insert(conversion.name);
  }
  if (!frozen) return tally.skip(frozen.error().code);
  if (constants.empty()) return tally.skip("no variables");
  const Result<Model>& again = road.unfrozen_again().model;
  ASSERT_TRUE(again.ok()) << to_text(again.error());
  std::map<std::string, Nature> before = natures_of(road.model());
  std::set<std::string> found;
  for (const auto& [name, nature] : natures_of(*again)) {
    found.insert(name);
    EXPECT_EQ(nature.kind, before[name].kind) << name;
    EXPECT_EQ(nature.part, before[name].part) << name;
    if (before[name].collections.empty()) continue;
    EXPECT_EQ(nature.collections, before[name].collections) << name;
  }
  EXPECT_EQ(found, constants);
  ++tally.held;
}

// Counts the variables that un-freezing finds by itself.
void finds_the_weights(Road& road, Tally& tally) {
  Options options = with_outputs(road.of().outputs);
  options.freeze.no_record = true;
  MadeModel report;
  const auto frozen = run("freeze", road.model(), options, report);
  if (!frozen) return tally.skip(frozen.error().code);
  if (report.converted.empty()) return tally.skip("no variables");
  MadeModel planned;
  (void)run("unfreeze", *frozen, Options(), planned);
  std::set<std::string> names;
  for (const Conversion& conversion : planned.converted) names.insert(conversion.name);
  for (const Conversion& conversion : report.converted) {
    ++(names.contains(conversion.name) ? tally.held : tally.missed);
  }
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

void gives_back_the_graph(Road& road, Tally& tally) {
  if (road.of().path.find("/invalid/") != std::string::npos) return;  // pruning removes such faults
  const auto& [pruned, pruning] = road.pruned();
  if (!pruned) return tally.skip(pruned.error().code);
  if (!variables_of(*pruned).empty()) return tally.skip("it has variables");
  for (const char* style : {"ref", "resource"}) {
    Options options;
    options.unfreeze.style = style;
    MadeModel report;
    const auto planned = run("unfreeze", *pruned, options, report);
    if (!planned) return tally.skip(planned.error().code);
    const auto frozen = run("freeze", *planned, pruning.outputs);
    ASSERT_TRUE(frozen.ok()) << style << ": " << to_text(frozen.error());
    expect_same_graph(*frozen, *pruned, style);
    ++tally.held;
  }
}

}  // namespace

std::vector<Law> inverse_laws() {
  return {
      {"unfreeze(freeze(m)) has the variables of m", 25, gives_back_the_variables},
      {"unfreeze(freeze(m)) has the kinds, partitions and collections of m, and no more", 25,
       gives_back_kinds_partitions_and_collections},
      {"unfreeze(freeze(m)) finds a weight without its record", 100, finds_the_weights, 1.0 / 9},
      {"freeze(unfreeze(g)) == g", 20, gives_back_the_graph}};
}

}  // namespace cryo::laws
