#include "picture/groups/scene.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "graph/functions/function_callers.h"
#include "graph/roles.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// Bodies are put in place of calls until the scene has so many nodes.
constexpr size_t kMaxDrawnNodes = 100'000;

// An edge is followed through so many calls and arguments.
constexpr int kMaxSceneSteps = 1'000;

// A function that a node runs, and the attribute that names it.
struct NamedBody {
  std::string_view attr;
  std::string_view function;
};

std::vector<NamedBody> bodies_of(const Node& node) {
  std::vector<NamedBody> bodies;
  if (is_call(node.op)) return {{"", called_function(node)}};
  if (!is_functional_control_flow(node.op)) return bodies;
  for (const Attr& attr : attrs_of(node)) {
    const AttrValue value(attr.value);
    if (value.kind() == AttrKind::kFunc)
      bodies.push_back({attr.key, last_bytes(value.bytes(), fields::NameAttrList::kName)});
    value.each_bytes(AttrKind::kFunc, [&](std::string_view func) {
      bodies.push_back({attr.key, last_bytes(func, fields::NameAttrList::kName)});
    });
  }
  return bodies;
}

}  // namespace

// Puts bodies in place of calls, then follows every edge.
class SceneBuilder {
 public:
  SceneBuilder(const Graph& graph, Scene& scene) : scene_(scene) {
    for (const Function& each : graph.functions()) functions_.emplace(each.name, &each);
  }

  void build_graph(const std::vector<Node>& nodes, Edges edges) {
    outermost_nodes_ = &nodes;
    outermost_edges_.emplace(std::move(edges));
    locals_.emplace_back();
    scene_.bodies_.emplace_back();
    run();
  }

 private:
  // A body while it is built: its nodes by their place in the function.
  struct Local {
    const FunctionBody* view = nullptr;
    uint32_t call = kNoNode;                                  // place in the outer body
    std::vector<uint32_t> places = {};                        // in the scene; kNoNode: not there
    std::map<uint32_t, std::vector<uint32_t>> children = {};  // bodies by their call
  };
  struct BodyTensor {
    uint32_t body;
    uint32_t node;
    uint32_t port;
    bool control;
  };

  void run() {
    for (uint32_t body = 0; body < locals_.size() && !functions_.empty(); ++body) expand(body);
    for (uint32_t body = 0; body < locals_.size(); ++body) number(body);
    for (uint32_t at = 0; at < outermost_nodes_->size(); ++at) keep_source(at);
    if (locals_.size() == 1) {
      scene_.edges_ = std::move(outermost_edges_);
      return;
    }
    std::vector<std::vector<Edge>> inputs;
    inputs.reserve(scene_.nodes_.size());
    for (uint32_t body = 0; body < locals_.size(); ++body) {
      for (uint32_t node = 0; node < locals_[body].places.size(); ++node) {
        if (locals_[body].places[node] != kNoNode) inputs.push_back(inputs_of(body, node));
      }
    }
    scene_.edges_.emplace(inputs);
  }

  const std::vector<Node>& nodes_of(uint32_t body) const {
    return body == kOutermost ? *outermost_nodes_ : locals_[body].view->nodes;
  }
  std::span<const Edge> edges_of(uint32_t body, uint32_t node) const {
    if (body == kOutermost) return outermost_edges_->inputs(node);
    return locals_[body].view->edges.inputs(node);
  }
  bool is_argument(uint32_t body, uint32_t node) const {
    return body != kOutermost && node < locals_[body].view->arg_count;
  }

  bool runs_within(uint32_t body, std::string_view function) const {
    for (; body != kOutermost; body = scene_.bodies_[body].outer) {
      if (scene_.bodies_[body].function == function) return true;
    }
    return false;
  }

  // The nodes of a function, read once; null for what is no function of the graph.
  const FunctionBody* view_of(std::string_view name) {
    const auto known = views_.find(name);
    if (known != views_.end()) return known->second;
    const auto found = functions_.find(name);
    const FunctionBody* view = nullptr;
    if (found != functions_.end()) {
      if (auto read = resolve_body(*found->second)) {
        scene_.views_.push_back(std::move(*read));
        view = &scene_.views_.back();
      }
    }
    return views_.emplace(name, view).first->second;
  }

  void expand(uint32_t body) {
    const auto count = static_cast<uint32_t>(nodes_of(body).size());
    for (uint32_t at = 0; at < count; ++at) {
      const Node& node = nodes_of(body)[at];
      if (!is_functional_control_flow(node.op) && !is_call(node.op)) continue;
      for (const NamedBody& named : bodies_of(node)) {
        const FunctionBody* view =
            runs_within(body, named.function) ? nullptr : view_of(named.function);
        if (view == nullptr || pending_ + view->nodes.size() > kMaxDrawnNodes) continue;
        pending_ += view->nodes.size();
        const uint32_t caller = body == kOutermost ? at : scene_.bodies_[body].caller;
        locals_[body].children[at].push_back(static_cast<uint32_t>(locals_.size()));
        locals_.push_back({view, at});
        scene_.bodies_.push_back({body, &node, named.function, named.attr, caller});
      }
    }
  }

  void number(uint32_t body) {
    Local& local = locals_[body];
    const std::vector<Node>& nodes = nodes_of(body);
    local.places.assign(nodes.size(), kNoNode);
    scene_.bodies_[body].first = static_cast<uint32_t>(scene_.nodes_.size());
    for (uint32_t at = 0; at < nodes.size(); ++at) {
      const bool replaced = is_call(nodes[at].op) && local.children.contains(at);
      if (is_argument(body, at) || replaced) continue;
      local.places[at] = static_cast<uint32_t>(scene_.nodes_.size());
      scene_.nodes_.push_back(&nodes[at]);
    }
    scene_.bodies_[body].count =
        static_cast<uint32_t>(scene_.nodes_.size()) - scene_.bodies_[body].first;
  }

  std::vector<Edge> inputs_of(uint32_t body, uint32_t node) {
    std::vector<Edge> found;
    const Local& local = locals_[body];
    const auto children = local.children.find(node);
    const bool has_bodies = children != local.children.end();
    const bool loops = has_bodies && is_while(nodes_of(body)[node].op);
    uint32_t at = 0;
    for (const Edge& edge : edges_of(body, node)) {
      const bool taken = !has_bodies || edge.control || (at == 0 && !loops);
      if (taken) follow({body, edge.node, edge.port, edge.control}, found);
      ++at;
    }
    if (loops) {
      for (const uint32_t child : children->second) {
        if (scene_.bodies_[child].branch == "cond")
          follow_return(child, {body, 0, 0, false}, found);
      }
    }
    return found;
  }

  void keep_source(uint32_t at) {
    const std::string_view name = (*outermost_nodes_)[at].name;
    const Local& local = locals_[kOutermost];
    if (local.places[at] != kNoNode) scene_.places_.emplace(name, local.places[at]);
    const auto children = local.children.find(at);
    if (children == local.children.end()) return;
    const size_t count = locals_[children->second.front()].view->returns.size();
    std::vector<uint32_t>& results = scene_.results_[name];
    for (uint32_t port = 0; port < count; ++port) {
      std::vector<Edge> found;
      follow({kOutermost, at, port, false}, found);
      results.push_back(found.empty() ? kNoNode : found.front().node);
    }
  }

  // Adds the nodes of the scene that a tensor comes from.
  void follow(const BodyTensor& from, std::vector<Edge>& found) {
    open_.assign(1, from);
    drain(found);
  }
  void follow_return(uint32_t body, const BodyTensor& from, std::vector<Edge>& found) {
    open_.clear();
    push_return(body, from);
    drain(found);
  }
  void drain(std::vector<Edge>& found) {
    for (int steps = 0; !open_.empty() && steps < kMaxSceneSteps; ++steps) {
      const BodyTensor at = open_.back();
      open_.pop_back();
      step(at, found);
    }
  }

  void step(const BodyTensor& at, std::vector<Edge>& found) {
    if (at.node == kNoNode) return;
    if (is_argument(at.body, at.node)) return push_argument(at);
    const Local& local = locals_[at.body];
    const auto children = local.children.find(at.node);
    const uint32_t place = local.places[at.node];
    if (children == local.children.end() || (at.control && place != kNoNode)) {
      found.push_back({place, at.port, at.control});
      return;
    }
    for (const uint32_t child : children->second) {
      if (scene_.bodies_[child].branch != "cond") push_return(child, at);
    }
  }

  // Pushes the tensor that a call passes to the argument.
  void push_argument(const BodyTensor& at) {
    const uint32_t outer = scene_.bodies_[at.body].outer;
    const uint32_t call = locals_[at.body].call;
    const size_t input = at.node + (is_branch(nodes_of(outer)[call].op) ? 1 : 0);
    const std::span<const Edge> inputs = edges_of(outer, call);
    if (input >= inputs.size() || inputs[input].control) return;
    open_.push_back({outer, inputs[input].node, inputs[input].port, at.control});
  }

  void push_return(uint32_t body, const BodyTensor& at) {
    const std::vector<Edge>& returns = locals_[body].view->returns;
    const uint32_t port = at.control ? 0 : at.port;
    if (port < returns.size())
      open_.push_back({body, returns[port].node, returns[port].port, at.control});
  }

  Scene& scene_;
  std::unordered_map<std::string_view, const Function*> functions_;
  std::unordered_map<std::string_view, const FunctionBody*> views_;
  const std::vector<Node>* outermost_nodes_ = nullptr;
  std::optional<Edges> outermost_edges_;
  std::vector<Local> locals_;
  std::vector<BodyTensor> open_;
  size_t pending_ = 0;
};

uint32_t Scene::source_of(std::string_view tensor) const {
  const TensorName name = parse_tensor_name(tensor);
  const auto results = results_.find(name.node);
  const auto port = static_cast<size_t>(name.port);
  if (results != results_.end() && port < results->second.size()) return results->second[port];
  const auto place = places_.find(name.node);
  return place == places_.end() ? kNoNode : place->second;
}

Scene::Scene(const Graph& graph) {
  SceneBuilder(graph, *this).build_graph(graph.nodes(), graph.index().edges());
  consumers_.emplace(*edges_);
}

Result<Scene> Scene::of_function(const Graph& graph, const Function& function) {
  TRY(view, resolve_body(function));
  Scene scene;
  scene.views_.push_back(std::move(view));
  const FunctionBody& body = scene.views_.back();
  SceneBuilder(graph, scene).build_graph(body.nodes, body.edges);
  scene.bodies_[kOutermost].function = function.name;
  scene.consumers_.emplace(*scene.edges_);
  return scene;
}

}  // namespace cryo
