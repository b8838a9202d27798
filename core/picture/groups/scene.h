#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/edges.h"
#include "graph/functions/function_body.h"
#include "graph/graph.h"

namespace cryo {

constexpr uint32_t kOutermost = 0;

// The nodes of one call of a function within a scene: those from `first` on, `count` of them.
struct SceneBody {
  uint32_t outer = kOutermost;     // the body that has the call
  const Node* call = nullptr;      // null for the outermost
  std::string_view function = {};  // empty for a main graph
  std::string_view branch = {};    // of While, If, Case: the attribute that names the function
  uint32_t caller = kNoNode;       // the call, as a node of the outermost
  uint32_t first = 0;
  uint32_t count = 0;
};

// The nodes of a picture: a graph with the bodies of the functions that it calls in place of the
// calls, or one function's body. A call, and the arguments of a body, are no nodes of the scene;
// edges lead through them:
//
//     x -> call(f) -> y       f: a -> MatMul -> b        --->    x -> MatMul -> y
//
// While, If and Case stay as nodes next to their bodies and take the condition alone. A function
// that calls itself, and calls beyond a limit of nodes, stay calls. REQUIRES: the graph outlives
// it.
class Scene {
 public:
  explicit Scene(const Graph& graph);
  // The body of a function. Its arguments are nodes.
  static Result<Scene> of_function(const Graph& graph, const Function& function);

  size_t size() const { return nodes_.size(); }
  const Node& node(uint32_t at) const { return *nodes_[at]; }
  const Edges& edges() const { return *edges_; }
  const Consumers& consumers() const { return *consumers_; }
  const std::vector<SceneBody>& bodies() const { return bodies_; }

  // The node that gives a tensor of the outermost body: "probabilities", "Split:1". Of a call it is
  // a node of the called function. kNoNode: there is none.
  uint32_t source_of(std::string_view tensor) const;

 private:
  Scene() = default;
  friend class SceneBuilder;

  std::list<FunctionBody> views_;  // of the functions that have a body here
  std::vector<const Node*> nodes_;
  std::vector<SceneBody> bodies_;
  std::unordered_map<std::string_view, uint32_t> places_;  // of the outermost body's nodes
  // The sources of the outputs of calls of the outermost body, by name.
  std::unordered_map<std::string_view, std::vector<uint32_t>> results_;
  std::optional<Edges> edges_;
  std::optional<Consumers> consumers_;
};

}  // namespace cryo
