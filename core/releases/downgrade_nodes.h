#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/fresh_names.h"
#include "graph/node_editor.h"

namespace cryo {

// Makes older forms that take further nodes. These have names below the node's and its device.
//
// A tensor is broadcast by ops that all releases have, with the same bits for every type:
//
//     padded: [1, ..., 1] and Shape(x), as long as the shape
//     Tile(Reshape(x, padded), shape / max(padded, 1))
class DowngradeNodes {
 public:
  // `editor` has the node as the newer op, and becomes the older one. REQUIRES: all outlive it.
  DowngradeNodes(const Node& node, NodeEditor& editor, FreshNames& names)
      : node_(node), editor_(editor), names_(names) {}

  // Returns true if all releases tile tensors of the type: their kernels are for any, and refuse
  // others when they run.
  static bool can_broadcast(std::optional<int> type);

  // DivNoNan as a Select of float32 or float64:
  //
  //     before  z: DivNoNan(x, y, ^c)
  //     after   z/quotient: RealDiv(x, y, ^c)        z/zeros: ZerosLike(z/quotient)
  //             z/is_zero: Equal(y, z/zeros)         z: Select(z/is_zero, z/zeros, z/quotient)
  void divide();

  // SelectV2 as a Select of broadcast inputs. `whole`: for each input, true if it has the shape of
  // the output.
  void select(const std::vector<bool>& whole);

  // BroadcastTo as a Tile.
  void broadcast();

  // BatchMatMulV2 as a BatchMatMul of inputs with broadcast batches. `whole`: for each input, true
  // if it has the batch of the output.
  void multiply(const std::vector<bool>& whole);

  // An attribute that gives an input another type than the older op takes: the input is converted.
  //
  //     Where(x)                        Where(NotEqual(x, ZerosLike(x)))
  //     SparseSegmentSum(x, i, ids)     SparseSegmentSum(x, i, Cast(ids)) of int32: each id is a
  //                                     row in memory
  static bool can_adapt(const Node& node, std::string_view attr);
  void adapt(std::string_view attr);

  // Returns the NodeDefs of the further nodes.
  std::vector<std::string> take() { return std::move(made_); }

 private:
  using Attrs = std::vector<std::pair<std::string_view, std::string>>;
  struct Tiling {
    std::string reshaped;
    std::string multiples;
  };

  std::string add(std::string_view suffix, std::string_view op, std::vector<std::string> inputs,
                  const Attrs& attrs);
  std::string add_numbers(std::string_view suffix, std::string_view op,
                          std::vector<std::string> inputs);
  std::string number(int32_t value);
  std::string vector_of(const std::string& scalar);
  std::string joined(std::string_view suffix, const std::string& one, const std::string& other);
  std::string shape_of(const std::string& input, const std::string& type);
  std::string sizes_without_rank(std::string_view suffix, const std::string& shape, int32_t rank);
  Tiling tiling_of(const std::string& input, const std::string& type, const std::string& shape);
  std::string broadcast_to(const std::string& input, const std::string& type,
                           const std::string& shape);
  std::string type(std::string_view key) const { return std::string(*find_attr(node_, key)); }

  const Node& node_;
  NodeEditor& editor_;
  FreshNames& names_;
  std::vector<std::string> made_;
  std::map<std::string, std::string> known_;  // names, by op, inputs and attributes
};

}  // namespace cryo
