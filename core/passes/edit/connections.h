#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "model/model.h"

namespace cryo {

class OpRegistry;

// A tensor of one of two models that a placeholder of the other one takes.
struct Connection {
  bool into_first = true;  // the placeholder is of the first model
  std::string tensor = {};
  uint32_t placeholder = kNoNode;
  DType dtype = DType::kInvalid;
  Shape shape = {};  // as inferred
};

// The two models, of which no node has the name of another. `scope`: of all nodes of the second;
// empty for none.
struct JoinedPair {
  const Model& first;
  const Model& second;
  std::string scope = {};
};

// Reads "TENSOR=PLACEHOLDER", one of each model:
//
//     "Identity=image"       the second model's Identity to the first one's image, or else
//                            the first one's Identity to the second one's image
//     "pre/Identity=image"   with a scope "pre", in front of names of the second model
//     "features=head/x"
//
// Reports a text that can be read both ways.
//
// Fails with "bad-option", "not-in-graph", "not-a-placeholder", "unknown-type"; with
// "connect-mismatch" if types differ, or shapes that cannot be equal.
Result<std::vector<Connection>> read_connections(const JoinedPair& models,
                                                 const std::vector<std::string>& connect,
                                                 const OpRegistry* ops, Diagnostics& diagnostics);

}  // namespace cryo
