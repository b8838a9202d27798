#pragma once

#include <string>
#include <vector>

#include "base/pattern/weight_name.h"
#include "passes/weights/named_weights.h"

namespace cryo {

// Which weights of one model are which of another, and why: one to one. `from` and `into` are their
// dictionaries (named_weights.h); REQUIRES: both outlive the pairing.
class WeightPairing {
 public:
  WeightPairing(const std::vector<NamedWeight>& from, const std::vector<NamedWeight>& into);

  // Pairs by key if one side is a checkpoint without a graph, which has no other names. Pairs by
  // name: the same; one of the other names; the same without the suffixes that TensorFlow adds to a
  // variable's name; the same below a scope in front of one side:
  //
  //     conv/w    conv/w                               "same name"
  //     conv/w    conv/w:0, conv/w/read, ...           "same name, but for what is behind it"
  //     conv/w    net/conv/w                           "same name below net/"
  //
  // The last is in scope_pairing.h. Types and shapes of the others are not compared: a name
  // determines the intended pair, fits() if it is possible.
  void by_name(Diagnostics& diagnostics);

  // Pairs the rest by equal bytes of one type and shape. Reads, in bounded steps, those of equal
  // size whose checksums are not known or equal. Fails as reading does.
  Status by_value();

  // Pairs the rest by type and shape: if it is the only one of its shape on both sides, or if as
  // many on both sides have one place in their graphs (weight_places.h), in the graphs' order.
  void by_shape(const Graph& from_graph, const Graph& into_graph);

  // Applies the methods in `match`: "value", "shape"; fails with "bad-option" for another word.
  Status match(const std::vector<std::string>& how, const Graph& from_graph,
               const Graph& into_graph);

  // Leaves one alone from now on, and with it the one that it is paired with.
  void close(uint32_t into) { closed_[into] = true; }

  static constexpr uint32_t kNone = 0xFFFFFFFF;
  uint32_t from_of(uint32_t into) const { return from_of_[into]; }  // kNone: not paired
  const std::string& why(uint32_t into) const { return why_[into]; }
  bool is_used(uint32_t from) const { return used_[from]; }

  // Returns true if type and shape allow the one's value to be the other's.
  static bool fits(const NamedWeight& from, const NamedWeight& into);

  // Returns the weights that may still be paired; of `from` without those that are weights only by
  // name.
  std::vector<uint32_t> open_from() const;
  std::vector<uint32_t> open_into() const;
  void pair(uint32_t from, uint32_t into, std::string why);

 private:
  bool is_open(uint32_t into) const { return from_of_[into] == kNone && !closed_[into]; }
  void by_keys();
  void by_whole_names();
  void by_plain_names();
  void by_unique_shape();

  const std::vector<NamedWeight>& from_;
  const std::vector<NamedWeight>& into_;
  std::vector<uint32_t> from_of_;
  std::vector<std::string> why_;
  std::vector<char> used_;
  std::vector<char> closed_;
};

}  // namespace cryo
