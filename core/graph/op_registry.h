#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/op_def.h"

namespace cryo {

// The definitions of ops by name: those of a TensorFlow release (core/data/ops.bin, made by
// scripts/op_registry.py and supplied by the host on demand), and those in a model itself.
//
// Definitions are parsed on demand, which takes microseconds, whatever the number of ops.
class OpRegistry {
 public:
  // `op_list`: a serialized tensorflow.OpList, sorted by name or not.
  static Result<OpRegistry> parse(std::string op_list);

  // A registry that also has the ops of another list (a MetaGraphDef's stripped_op_list). Where
  // both have one, ours counts: it has the attributes' defaults.
  Result<OpRegistry> extended(std::string op_list) const;

  // nullptr if the op is not known. The definition lives as long as the registry or any copy of it.
  const OpDef* find(std::string_view name) const;

  // Known to the TensorFlow release, and not only to the model.
  bool is_registered(std::string_view name) const;

  size_t size() const { return spans_.size(); }

  // All names, sorted.
  std::vector<std::string_view> names() const;

  // Return the release's versions: 2474 and "2.21.0"; 0 and "" if the list has none.
  int graph_version() const { return graph_version_; }
  const std::string& tensorflow_version() const { return tensorflow_version_; }

 private:
  struct Span {
    std::string_view name;
    std::string_view bytes;  // the OpDef message
    bool from_model;
  };
  Status add(std::string op_list, bool from_model);
  const Span* span_of(std::string_view name) const;

  std::vector<std::shared_ptr<const std::string>> lists_;
  std::vector<Span> spans_;  // by name
  int graph_version_ = 0;
  std::string tensorflow_version_;
  // The requested definitions, parsed once. Shared by copies.
  using Cache = std::map<std::string_view, OpDef>;
  std::shared_ptr<Cache> cache_ = std::make_shared<Cache>();
};

}  // namespace cryo
