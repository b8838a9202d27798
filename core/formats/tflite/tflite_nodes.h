#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "graph/fresh_names.h"
#include "graph/rewrite/rewrite.h"
#include "tensor/content.h"

namespace cryo {

// Stores the nodes of translated operators. A constant becomes a node when one takes it. What only
// gives a constant another layout, type or shape is no node, but a constant of its own:
//
//     filter: Const [O,H,W,I]     kernel: Transpose(filter, [1,2,3,0])
//     kernel: Const [H,W,I,O]     whose content is computed while it is read
class TfliteNodes final : public RewriteTarget {
 public:
  // REQUIRES: all outlive it.
  TfliteNodes(Payloads& payloads, FreshNames& names) : payloads_(payloads), names_(names) {}

  // Sets the operator that is translated: the names below which its nodes are, and those of the
  // nodes that give its outputs. `control`: the control input of those; empty for none.
  void begin(std::vector<std::string> outputs, std::string control = {}) {
    outputs_ = std::move(outputs);
    control_ = std::move(control);
  }

  std::vector<std::string> add(const RewriteNode& made) override;

  // Adds a constant, which is no node yet.
  void add_constant(const std::string& name, Tensor tensor);

  // Makes nodes of the constants among the inputs, and adds a node.
  void add_node(const std::vector<std::string>& inputs, std::string node_def);
  bool is_constant(const std::string& name) const { return constants_.contains(name); }

  // Fails with the first fault of a constant's content.
  Result<std::vector<std::string>> finish();

 private:
  struct Constant {
    Tensor tensor = {};
    bool is_node = false;
  };

  std::string name_of(const RewriteNode& made);
  std::optional<Tensor> computed(const RewriteNode& made) const;
  const Tensor* constant(const std::string& name) const;
  void use(const std::string& name);

  Payloads& payloads_;
  FreshNames& names_;
  std::vector<std::string> outputs_;
  std::string control_;
  std::map<std::string, Constant> constants_;
  // Constants made of others, by those and how.
  std::map<std::string, std::string> made_of_;
  std::vector<std::string> nodes_;
  std::optional<Diagnostic> fault_;
};

}  // namespace cryo
