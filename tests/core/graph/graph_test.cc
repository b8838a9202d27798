#include "graph/graph.h"

#include <gtest/gtest.h>

#include "files.h"
#include "graphs.h"
#include "wire_message.h"

namespace cryo {
namespace {

WireMessage function(const std::string& name, const std::vector<std::string>& body = {}) {
  WireMessage def = WireMessage().message(1, WireMessage().bytes(1, name));
  for (const std::string& each : body) def.bytes(3, each);
  return def;
}

WireMessage gradient(const std::string& of, const std::string& by) {
  return WireMessage().bytes(1, of).bytes(2, by);
}

// Fields in an order in which no writer has them.
std::string odd_graph() {
  const WireMessage versions =
      WireMessage().varint(1, 24).varint(2, 12).varint(3, 5).bytes(3, "\x06\x07");
  return serialise(WireMessage()
                       .message(4, versions)
                       .bytes(1, node("b", "Identity", {"a"}))
                       .message(2, WireMessage()
                                       .message(2, gradient("f", "g"))
                                       .message(1, function("f", {node("n", "Op")})))
                       .varint(99, 5)
                       .bytes(1, node("a", "Const"))
                       .message(2, WireMessage().message(1, function("g")).varint(3, 1)));
}

Graph parsed(const std::string& bytes) {
  auto graph = Graph::parse(bytes);
  EXPECT_TRUE(graph.ok());
  return *graph;
}

TEST(Graph, HoldsNodesFunctionsVersionsAndGradients) {
  const Graph graph = parsed(odd_graph());
  EXPECT_EQ(described(graph), (Lines{"b = Identity(a)", "a = Const()"}));
  ASSERT_EQ(graph.functions().size(), 2U);
  EXPECT_EQ(graph.functions()[0].name, "f");
  EXPECT_EQ(graph.functions()[1].name, "g");
  EXPECT_EQ(described((*body_nodes(graph.functions()[0]))[0]), "n = Op()");
  EXPECT_EQ(graph.producer(), 24);
  EXPECT_EQ(graph.min_consumer(), 12);
  EXPECT_EQ(graph.bad_consumers(), (std::vector<int>{5, 6, 7}));
  ASSERT_EQ(graph.gradients().size(), 1U);
  EXPECT_EQ(graph.gradients()[0].of, "f");
  EXPECT_EQ(graph.gradients()[0].function, "g");
}

TEST(Graph, ThatNothingRebuiltIsWrittenAsItLay) {
  EXPECT_EQ(parsed(odd_graph()).skeleton(), odd_graph());
  EXPECT_EQ(parsed("").skeleton(), "");
  EXPECT_EQ(Graph().skeleton(), "");
}

TEST(Graph, OutlivesTheOneItWasCopiedFrom) {
  Graph copy;
  {
    const Graph graph = parsed(odd_graph());
    copy = graph;
  }
  EXPECT_EQ(described(copy).front(), "b = Identity(a)");
  EXPECT_EQ(copy.skeleton(), odd_graph());
}

TEST(Graph, ThatIsMalformedIsRefused) {
  for (const char* digits : {"0A", "0A 03 0A 02 61", "12 02 0A 05", "08"}) {
    EXPECT_EQ(Graph::parse(unhex(digits)).ok(), false) << digits;
  }
}

// Every part is there, in the order of field numbers.
TEST(GraphBuilder, KeepsUnknownFieldsAndAllThatIsNeitherNodeNorFunction) {
  const Graph graph = parsed(odd_graph());
  GraphBuilder builder(graph);
  for (const Node& each : graph.nodes()) builder.add(each);
  builder.add_functions_of(graph);
  const Graph rebuilt = builder.finish();
  EXPECT_EQ(described(rebuilt), described(graph));
  EXPECT_EQ(rebuilt.producer(), 24);
  EXPECT_EQ(rebuilt.gradients().size(), 1U);
  const Graph read = parsed(rebuilt.skeleton());
  EXPECT_EQ(described(read), described(graph));
  EXPECT_EQ(read.functions().size(), 2U);
  EXPECT_EQ(read.gradients().size(), 1U);
  EXPECT_EQ(read.bad_consumers(), graph.bad_consumers());
  EXPECT_NE(rebuilt.skeleton().find(serialise(WireMessage().varint(99, 5))), std::string::npos);
  EXPECT_EQ(read.skeleton(), rebuilt.skeleton());
}

TEST(GraphBuilder, WritesACanonicalGraphAsItLay) {
  const std::string bytes = file_bytes(fixture("call/frozen.pb"));
  const Graph graph = parsed(bytes);
  GraphBuilder builder(graph);
  for (const Node& each : graph.nodes()) builder.add(each);
  builder.add_functions_of(graph);
  EXPECT_TRUE(builder.finish().skeleton() == bytes);
}

TEST(GraphBuilder, MixesOldNodesAndNew) {
  const Graph base = graph_of({node("a", "Const"), node("b", "Identity", {"a"})});
  GraphBuilder builder(base);
  builder.add(node("new", "NoOp", {"^a"}));
  builder.add(base.nodes()[1]);
  builder.add_function(serialise(function("f")));
  const Graph graph = builder.finish();
  EXPECT_EQ(described(graph), (Lines{"new = NoOp(^a)", "b = Identity(a)"}));
  EXPECT_EQ(graph.functions()[0].name, "f");
  EXPECT_EQ(described(base), (Lines{"a = Const()", "b = Identity(a)"}));
}

// A field of the library's numbers but of another wire type is an unknown field, and stays one.
TEST(GraphBuilder, KeepsALibrarysOddFields) {
  const std::string odd = serialise(WireMessage().message(2, WireMessage().varint(1, 5)));
  const Graph graph = parsed(odd);
  EXPECT_TRUE(graph.functions().empty());
  GraphBuilder builder(graph);
  builder.add_functions_of(graph);
  EXPECT_EQ(builder.finish().skeleton(), odd);
}

}  // namespace
}  // namespace cryo
