#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "model/restores.h"

namespace cryo {

// Reads what the restore ops of a graph take from where, each list of names once.
class RestoreOps {
 public:
  // REQUIRES: the payloads and all nodes outlive it.
  explicit RestoreOps(const Payloads& payloads) : payloads_(payloads) {}

  // Returns the source of output `port` of a restore op. `keys` and `slices` are the nodes of its
  // inputs 1 and 2, null if there are none; nullopt if they are not constants.
  std::optional<RestoredFrom> read(const Node& restore, uint32_t port, const Node* keys,
                                   const Node* slices);

 private:
  using Names = std::vector<std::string>;
  const Names& strings_of(const Node* node);

  const Payloads& payloads_;
  std::map<const char*, Names> strings_;  // by the address of the Const
};

// RestoreV2(prefix, tensor_names, shape_and_slices); the older ops have one name and one slice
// each, at the same places.
bool is_restore(std::string_view op);

// Nodes that hand their first input's value on.
bool hands_value_on(std::string_view op);

}  // namespace cryo
