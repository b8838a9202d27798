#include "model/function_restores.h"

#include <charconv>
#include <unordered_map>

#include "graph/op_def.h"

namespace cryo {
namespace {

constexpr uint32_t kSignature = 1;                         // function.proto
constexpr uint32_t kFunctionAttr = 10, kFunctionName = 1;  // attr_value.proto
constexpr int kMaxCalls = 16;                              // nested
constexpr int kMaxSteps = 16;                              // handing a value on

const Function* find_function(const Graph& graph, std::string_view name) {
  for (const Function& function : graph.functions()) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

// "node:tensors:5" -> 5.
uint32_t output_index(std::string_view input) {
  const std::string_view digits = input.substr(input.rfind(':') + 1);
  uint32_t index = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), index);
  return index;
}

std::string_view node_name(std::string_view input) { return input.substr(0, input.find(':')); }

class FunctionReader {
 public:
  FunctionReader(const Graph& graph, RestoreOps& restores, int depth)
      : graph_(graph), restores_(restores), depth_(depth) {}

  std::vector<RestoredArg> run(const Function& function);

 private:
  void assign(const std::vector<std::string_view>& inputs);
  void call(const Node& node, const std::vector<std::string_view>& inputs);
  const Node* find(std::string_view input) const;
  std::string_view source_of(std::string_view input) const;

  const Graph& graph_;
  RestoreOps& restores_;
  int depth_;
  std::vector<Node> nodes_;
  std::unordered_map<std::string_view, uint32_t> names_;
  std::unordered_map<std::string_view, size_t> args_;
  std::vector<RestoredArg> found_;
};

const Node* FunctionReader::find(std::string_view input) const {
  const auto found = names_.find(node_name(input));
  return found == names_.end() ? nullptr : &nodes_[found->second];
}

std::string_view FunctionReader::source_of(std::string_view input) const {
  for (int step = 0; step < kMaxSteps; ++step) {
    const Node* node = find(input);
    if (node == nullptr || !hands_value_on(node->op) || node->input_count == 0) break;
    input = *node->inputs().begin();
  }
  return input;
}

// AssignVariableOp(handle, value).
void FunctionReader::assign(const std::vector<std::string_view>& inputs) {
  if (inputs.size() < 2) return;
  const auto arg = args_.find(node_name(source_of(inputs[0])));
  const std::string_view value = source_of(inputs[1]);
  const Node* restore = find(value);
  if (arg == args_.end() || restore == nullptr || !is_restore(restore->op)) return;
  const Node* constants[2] = {nullptr, nullptr};  // names, slices
  int place = 0;
  for (const std::string_view input : restore->inputs()) {
    if (place == 1 || place == 2) constants[place - 1] = find(input);
    ++place;
  }
  auto from = restores_.read(*restore, output_index(value), constants[0], constants[1]);
  if (from) found_.push_back({arg->second, std::move(*from)});
}

void FunctionReader::call(const Node& node, const std::vector<std::string_view>& inputs) {
  const Function* called = find_function(graph_, called_function(node));
  if (called == nullptr || depth_ == kMaxCalls) return;
  for (RestoredArg& each : FunctionReader(graph_, restores_, depth_ + 1).run(*called)) {
    if (each.arg >= inputs.size()) continue;
    const auto arg = args_.find(node_name(source_of(inputs[each.arg])));
    if (arg != args_.end()) found_.push_back({arg->second, std::move(each.from)});
  }
}

std::vector<RestoredArg> FunctionReader::run(const Function& function) {
  Result<std::vector<Node>> nodes = body_nodes(function);
  if (!nodes) return {};
  nodes_ = std::move(*nodes);
  for (uint32_t i = 0; i < nodes_.size(); ++i) names_.emplace(nodes_[i].name, i);
  const OpDef signature = read_op_def(last_bytes(function.bytes, kSignature));
  for (size_t i = 0; i < signature.inputs.size(); ++i) args_.emplace(signature.inputs[i].name, i);
  for (const Node& node : nodes_) {
    const bool assigns = node.op == "AssignVariableOp";
    if (!assigns && called_function(node).empty()) continue;
    std::vector<std::string_view> inputs;
    for (const std::string_view input : node.inputs()) inputs.push_back(input);
    assigns ? assign(inputs) : call(node, inputs);
  }
  return std::move(found_);
}

}  // namespace

std::string_view called_function(const Node& node) {
  if (node.op != "PartitionedCall" && node.op != "StatefulPartitionedCall") return {};
  const auto f = find_attr(node, "f");
  return f ? last_bytes(last_bytes(*f, kFunctionAttr), kFunctionName) : std::string_view();
}

std::vector<RestoredArg> restores_of_function(const Graph& graph, std::string_view name,
                                              RestoreOps& restores) {
  const Function* function = find_function(graph, name);
  if (function == nullptr) return {};
  return FunctionReader(graph, restores, 0).run(*function);
}

}  // namespace cryo
