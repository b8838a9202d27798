#include "commands/node_columns.h"

#include <gtest/gtest.h>

#include "graphs.h"
#include "reports.h"

namespace cryo {
namespace {

// The nodes as list nodes has them.
Json rows_of(const NodeColumns& columns) {
  Json rows = Json::array();
  const auto name = [&](size_t node) {
    const uint32_t begin = node == 0 ? 0 : columns.name_ends[node - 1];
    return columns.names.substr(begin, columns.name_ends[node] - begin);
  };
  for (size_t i = 0; i < columns.name_ends.size(); ++i) {
    Json inputs = Json::array();
    for (uint32_t at = i == 0 ? 0 : columns.input_ends[i - 1]; at < columns.input_ends[i]; ++at) {
      const int32_t from = columns.inputs[at];
      if (from < 0) {
        inputs.push_back(columns.missing[static_cast<size_t>(-1 - from)]);
        continue;
      }
      const int32_t port = columns.ports[at];
      const std::string node = name(static_cast<size_t>(from));
      inputs.push_back(port < 0    ? "^" + node
                       : port == 0 ? node
                                   : node + ":" + std::to_string(port));
    }
    rows.push_back({{"name", name(i)},
                    {"op", columns.op_names[columns.ops[i]]},
                    {"inputs", inputs},
                    {"bytes", columns.bytes[i]}});
  }
  return rows;
}

TEST(NodeColumns, NameEachNodeItsOpAndItsInputs) {
  const Model model =
      model_of({placeholder("x"), constant("w", {1, 2, 3}, {3}), node("s", "Split", {"w", "x"}),
                node("y", "Add", {"s:1", "gone:2", "^x", "^never"})});
  const auto columns = node_columns(model, "");
  ASSERT_TRUE(columns.ok());
  EXPECT_EQ(to_string(rows_of(*columns)),
            R"([{"name":"x","op":"Placeholder","inputs":[],"bytes":0.0},)"
            R"({"name":"w","op":"Const","inputs":[],"bytes":12.0},)"
            R"({"name":"s","op":"Split","inputs":["w","x"],"bytes":0.0},)"
            R"({"name":"y","op":"Add","inputs":["s:1","gone:2","^x","^never"],"bytes":0.0}])");
  EXPECT_EQ(columns->device_names, std::vector<std::string>{""});
}

TEST(NodeColumns, OfNoNodesAreEmpty) {
  const auto columns = node_columns(Model(), "");
  ASSERT_TRUE(columns.ok());
  EXPECT_TRUE(columns->name_ends.empty());
}

TEST(NodeColumns, RefuseAFunctionThatIsNotThere) {
  EXPECT_EQ(node_columns(Model(), "f").error().code, "not-in-graph");
}

}  // namespace
}  // namespace cryo
