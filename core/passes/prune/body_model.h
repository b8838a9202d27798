#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "graph/edges.h"
#include "model/model.h"
#include "validate/graph/library.h"

namespace cryo {

// A library function's body as the main graph of a model, for passes that know only those, and
// back:
//
//     f(a, p) -> b = out:output:0          a: _Arg   p: _Arg   out: If(p, a:0)   b: _Retval(out)
//       out: If(p, a)                <-->  rest: ControlTrigger(^print)
//       print: PrintV2(a)
//
// An argument's node represents the argument, whatever a pass makes of it. `rest` waits for nodes
// without consumers, because a function runs those too.
class BodyModel {
 public:
  // nullopt if an argument is a list of tensors, or if the body names missing nodes. REQUIRES: the
  // function's graph outlives it.
  static std::optional<BodyModel> of(const Function& function, KnownOps& ops,
                                     const std::shared_ptr<Payloads>& payloads);

  const Model& model() const { return model_; }
  size_t arg_count() const { return args_.size(); }
  std::string_view arg(size_t place) const { return args_[place]; }

  // Returns the nodes that must be kept: returns, and `rest`.
  const std::vector<std::string>& ends() const { return ends_; }

  // Keeps the nodes that the ends need, and those that change variables. REQUIRES: made of model().
  Result<Model> pruned(const Model& model) const;

  // Returns the FunctionDef of a graph that was made of model()'s; nullopt if a return was removed.
  std::optional<std::string> function_def(const Graph& graph) const;

 private:
  struct End {
    std::string_view key;
    std::string node;
  };
  using Port = std::pair<std::string, uint32_t>;  // a node's output

  explicit BodyModel(const Function& function) : function_(&function) {}
  bool read(KnownOps& ops);
  bool add_nodes(GraphBuilder& builder, KnownOps& ops);
  std::string add_end(GraphBuilder& builder, std::string_view op, std::string_view input);
  bool add_ends(GraphBuilder& builder, KnownOps& ops);
  std::optional<std::string> flat(std::string_view input, KnownOps& ops);
  uint32_t port_of(std::string_view output, std::string_view op, KnownOps& ops) const;
  std::string text_of(std::string_view input, const std::vector<Node>& nodes,
                      const NodeNames& names) const;
  std::vector<std::string> inputs_of(const Node& node, const std::vector<Node>& nodes,
                                     const NodeNames& names) const;

  const Function* function_;
  Model model_;
  std::vector<std::string_view> args_;
  std::unordered_set<std::string_view> is_arg_;
  std::vector<End> returns_;
  std::vector<End> controls_;
  std::vector<std::string> ends_;
  std::unordered_map<std::string_view, std::string_view> ops_;  // of each node of the body
  std::map<std::string, std::string> flats_;                    // "out:output:0" -> "out"
  std::map<Port, std::string> texts_;                           // the other way
  std::unordered_set<std::string_view> taken_;                  // nodes with consumers
};

}  // namespace cryo
