#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "graph/evaluate/known_tensor.h"
#include "validate/shape/shape_call.h"
#include "validate/shape/shape_check.h"
#include "validate/shape/shape_rules.h"

namespace cryo {

// Each shape once: a graph of a million tensors has few.
struct ShapeHash {
  size_t operator()(const Shape& shape) const;
};
using ShapePool = std::unordered_set<Shape, ShapeHash>;

// The shared state of the walks of one validation, over the main graph and over bodies.
struct ShapeWork {
  const BodyGraphs& bodies;
  KnownOps& ops;
  const Payloads& payloads;
  int producer;
  uint64_t steps = 0;  // nodes of bodies that were walked over
  std::set<std::pair<std::string_view, std::string_view>> reported = {};  // function, node
  ShapePool pool = {};
  // Results of calls, by the function and the shapes of its arguments.
  std::map<std::pair<const BodyGraph*, std::vector<const Shape*>>, std::vector<const Shape*>>
      returned = {};
  std::unordered_map<const KnownOp*, ShapeRule> rules = {};

  // Returns the rule of an op, searched for once.
  ShapeRule rule_of(const KnownOp& known, std::string_view op);
};

// The contents of a resource handle: a variable's value, an array's elements.
struct BehindHandle {
  Shape shape = {};
  DType dtype = DType::kInvalid;  // not known
};

// One walk along a graph, node after node, by the rules of their ops.
class ShapeWalk {
 public:
  // REQUIRES: all outlive it.
  ShapeWalk(const ShapeGraph& graph, ShapeWork& work, const Reporter& reporter)
      : graph_(graph), work_(work), reporter_(reporter), places_(graph.nodes.size()) {}

  void run();

  std::span<const Edge> inputs_of(uint32_t node) const { return graph_.edges.inputs(node); }
  const Shape& shape_of(const Edge& edge) const;
  const BehindHandle* behind(const Edge& edge) const;

  // Returns the value of a tensor if it can be computed without running the graph.
  // `broken`: set if the constant is invalid; may be null.
  std::optional<KnownInts> ints(const Edge& edge, bool* broken = nullptr) const;
  // Returns the shape that a tensor's value gives, of which sizes may be unknown: a constant, the
  // shape of another tensor, or a combination.
  Shape as_shape(const Edge& edge) const;
  std::optional<KnownConstant> constant(const Edge& edge) const;

 private:
  // A node's outputs, in shapes_.
  struct OutputRange {
    size_t start = 0;
    uint32_t count = 0;  // 0: nothing is known
  };

  struct CurrentNode {
    NodeAttrs attrs = {};
    std::vector<const Shape*> inputs = {};
    std::vector<Shape> outputs = {};
  };

  // The call of the body that is walked along.
  struct OuterCall {
    const BodyGraph* body = nullptr;  // nullptr: of a main graph
    const ShapeWalk* walk = nullptr;
    uint32_t node = kNoNode;                   // of that walk
    std::vector<size_t> argument_starts = {};  // places of arguments among the call's inputs
    int depth = 0;
  };

  // Values of nodes that were needed; nullopt for those that cannot be computed.
  struct ComputedValues {
    std::unordered_map<uint32_t, std::optional<KnownTensor>> values = {};
    size_t elements = 0;         // of all values
    bool asked_outside = false;  // for an argument's value
  };

  // A body's, at a call.
  ShapeWalk(const BodyGraph& body, const ShapeWalk& outer, uint32_t call, const Reporter& reporter);
  void take_arguments();
  std::optional<Edge> argument(const Edge& edge) const;

  void visit(uint32_t node);
  bool infer(uint32_t node, const KnownOp& known);
  bool call_rule(uint32_t node, const KnownOp& known);
  const BodyGraphs::value_type* called(const Node& node, const KnownOp& known) const;
  void follow(const BodyGraphs::value_type& called, uint32_t call);
  bool reads_right_type(uint32_t node);
  void annotate(uint32_t node);
  bool note_handle(uint32_t node);
  void remember_handle(uint32_t node, const ShapeCall& call);
  void keep(uint32_t node);
  std::string call_text(uint32_t node) const;

  std::optional<Edge> source_of(const Edge& edge) const;
  std::optional<KnownTensor> value_of(const Edge& edge) const;
  bool is_computed(const Edge& edge) const;
  void compute(uint32_t node) const;
  std::optional<KnownTensor> computed(uint32_t node) const;
  Shape shape_at(const Edge& edge, int& parts) const;
  Shape cast_shape(uint32_t node, int& parts) const;
  Shape concatenated(uint32_t node, int& parts) const;
  Shape packed(uint32_t node) const;
  Shape sliced(uint32_t node, int& parts) const;

  template <typename... Pieces>
  void error(std::string_view code, const GraphPlace& spot, const Pieces&... pieces) {
    if (outer_.walk && !work_.reported.emplace(reporter_.function(), spot.node).second) return;
    reporter_.error(code, spot, pieces...);
  }

  const ShapeGraph graph_;
  ShapeWork& work_;
  const Reporter& reporter_;
  std::vector<OutputRange> places_;           // of each node
  std::vector<const Shape*> shapes_;          // of outputs, in the pool
  std::map<uint64_t, BehindHandle> handles_;  // by node and port
  CurrentNode current_;
  OuterCall outer_;
  mutable ComputedValues computed_;
};

}  // namespace cryo
