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

  // By key, where one side is a checkpoint without a graph, which knows no other names. By name:
  // the same; one of the other names; the same but for what TensorFlow puts behind a variable's
  // name; the same below a scope that one side has in front:
  //
  //     conv/w    conv/w                               "same name"
  //     conv/w    conv/w:0, conv/w/read, ...           "same name, but for what is behind it"
  //     conv/w    net/conv/w                           "same name below net/"
  //
  // The last by scope_pairing.h. Types and shapes of the others are not compared: a name says what
  // is meant, fits() whether it can be.
  void by_name(Diagnostics& diagnostics);

  // What is left, by equal bytes of one type and shape. Reads, in bounded steps, those of equal
  // size whose checksums are not known or equal. Fails as reading does.
  Status by_value();

  // What is left, by type and shape: where it is the only one of its shape on both sides, or as
  // many on both sides stand in one place of their graphs (weight_places.h), in the graphs' order.
  void by_shape(const Graph& from_graph, const Graph& into_graph);

  // What `match` asks for of these: "value", "shape"; "bad-option" for another word.
  Status match(const std::vector<std::string>& how, const Graph& from_graph,
               const Graph& into_graph);

  // Leaves one alone from now on, and with it the one that it is paired with.
  void close(uint32_t into) { closed_[into] = true; }

  static constexpr uint32_t kNone = 0xFFFFFFFF;
  uint32_t from_of(uint32_t into) const { return from_of_[into]; }  // kNone: not paired
  const std::string& why(uint32_t into) const { return why_[into]; }
  bool is_used(uint32_t from) const { return used_[from]; }

  // Whether the one's value can be the other's: type and shape.
  static bool fits(const NamedWeight& from, const NamedWeight& into);

  // What may still be paired; of `from` without those that only a name makes weights.
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
