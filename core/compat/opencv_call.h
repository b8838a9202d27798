#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "compat/opencv_graph.h"

namespace cryo {

// A node of a graph, and what its rule asks of it. A question that is answered with no has the
// fault as its text: the first one counts.
//
//     return call.has_inputs(3) && call.is_integers(1) && call.is_integers(2);
class OpencvCall {
 public:
  // REQUIRES: the graph outlives it.
  OpencvCall(const OpencvGraph& graph, uint32_t node) : graph_(graph), node_(node) {}

  const OpencvGraph& graph() const { return graph_; }
  std::string_view op() const { return graph_[node_].op; }
  const Node& definition() const { return graph_.definition(node_); }
  const std::vector<OpencvInput>& inputs() const { return graph_[node_].inputs; }

  const std::vector<uint32_t>& pattern_values() const { return graph_[node_].values; }

  // Returns the nodes of an op that read it.
  std::vector<uint32_t> readers(std::string_view op) const;

  // Return the inputs that are constants: their places, and what one is. REQUIRES, for the latter:
  // has_constant().
  std::vector<size_t> constants() const;
  bool has_constant(size_t place) const;
  const OpencvConstant& constant(size_t place) const {
    return graph_.constant(inputs()[place].node);
  }

  // Returns how many axes an input has; nullopt if that is not known.
  std::optional<size_t> rank(size_t place) const { return graph_.rank(node_, place); }

  bool has_inputs(size_t count);
  bool has_attr(std::string_view attr);

  // A constant of numbers that it can read: float16, float32, float64, int32.
  bool is_numbers(size_t place);
  bool is_integers(size_t place);
  bool is_integers(size_t place, uint64_t stored);
  // A constant of one int32 in int_val: an axis is never looked for in tensor_content.
  bool is_axis(size_t place);
  bool is_floats(size_t place);
  // A constant of floats that are all stored: no last one is repeated.
  bool is_weights(size_t place);

  // Returns false.
  template <Piece... Pieces>
  bool fail(const Pieces&... pieces) {
    if (fault_.empty()) fault_ = cat(pieces...);
    return false;
  }
  const std::string& fault() const { return fault_; }

  // The option that removes the fault; empty if none does.
  void set_fix(std::string_view fix) { fix_ = fix; }
  const std::string& fix() const { return fix_; }

 private:
  const OpencvGraph& graph_;
  uint32_t node_;
  std::string fault_;
  std::string fix_;
};

}  // namespace cryo
