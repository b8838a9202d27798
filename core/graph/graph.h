#pragma once

#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "graph/function.h"
#include "graph/index.h"

namespace cryo {

// `function` computes the gradient of the library function `of`; a registered one that of nodes in
// bodies whose attribute _gradient_op_type is `of`.
struct Gradient {
  std::string_view of = {};
  std::string_view function = {};
};

// A GraphDef as an immutable value: spans over the bytes it was read from and over fresh bytes of
// nodes that a pass changed. Copies share the bytes. A graph that no pass has rebuilt is written
// verbatim, whatever the order of its fields.
class Graph {
 public:
  Graph() = default;

  // `skeleton`: a GraphDef, bulk elided. Several graph_def fields of one message merge, as protobuf
  // merges them: pass them joined.
  static Result<Graph> parse(std::string skeleton);

  // REQUIRES for what these return: a copy of the graph outlives it.
  const std::vector<Node>& nodes() const { return index_->nodes(); }
  const GraphIndex& index() const { return *index_; }

  const std::vector<Function>& functions() const { return functions_; }

  // GradientDefs, in the library's order.
  std::vector<Gradient> gradients() const;
  std::vector<Gradient> registered_gradients() const;

  // Returns true if no pass has rebuilt it: it is written verbatim.
  bool is_as_read() const { return !whole_.empty(); }

  // The GraphDef message, bulk elided: expand() makes a file of it.
  std::string skeleton() const;

  // Returns `versions.producer`; 0 if it is missing.
  int producer() const;
  int min_consumer() const;
  std::vector<int> bad_consumers() const;

 private:
  friend class GraphBuilder;
  using Block = std::list<std::string>;  // strings that never move

  std::vector<std::shared_ptr<const Block>> storage_;
  std::shared_ptr<const GraphIndex> index_ = std::make_shared<const GraphIndex>();
  std::vector<Function> functions_;
  std::string library_rest_;     // gradients and the unknown
  std::string rest_;             // versions and all other fields, verbatim
  std::string_view whole_ = {};  // the skeleton this was parsed from, until it is rebuilt
};

// Makes a graph out of another's parts and of new ones:
//
//     GraphBuilder builder(graph);
//     for (const Node& node : graph.nodes()) builder.add(node);   // or change, or skip
//     return builder.finish();
class GraphBuilder {
 public:
  // Copies all fields other than nodes and functions: versions, gradients, unknown fields.
  // Gradients of functions that are not added are removed.
  explicit GraphBuilder(const Graph& base);

  void add(const Node& node) { nodes_.push_back(node); }  // of the base
  void add(std::string node_def);                         // a new NodeDef message
  void add(const Function& function) { graph_.functions_.push_back(function); }
  void add_function(std::string function_def);
  void add_functions_of(const Graph& base);

  // Adds GradientDefs, and registered gradients.
  void add_gradients(const std::vector<Gradient>& gradients,
                     const std::vector<Gradient>& registered);

  // Replaces the versions by a new VersionDef message.
  void set_versions(std::string_view version_def);

  Graph finish();

 private:
  void drop_gradients();

  std::vector<Function> base_functions_;
  std::vector<Node> nodes_;
  std::shared_ptr<Graph::Block> fresh_ = std::make_shared<Graph::Block>();
  Graph graph_;
};

}  // namespace cryo
