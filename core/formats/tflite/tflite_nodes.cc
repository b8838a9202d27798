#include "formats/tflite/tflite_nodes.h"

#include <algorithm>

#include "base/text.h"
#include "formats/tflite/tflite_constants.h"
#include "graph/node_editor.h"
#include "graph/rewrite/rewrite_nodes.h"
#include "wire/elide.h"
#include "wire/fields.h"

namespace cryo {
namespace {

// Small contents are stored in the graph, as in files of TensorFlow.
Result<std::string> proto_of(const Tensor& tensor, Payloads& payloads) {
  const bool is_small = tensor.dtype != DType::kString && tensor.count > 0 &&
                        tensor.content.size() <= kBulkTensorBytes;
  if (!is_small) return const_tensor(tensor.dtype, tensor.shape, tensor.content, payloads);
  const Result<std::string> content = tensor.content.read_all();
  if (!content) return const_tensor(tensor.dtype, tensor.shape, tensor.content, payloads);
  std::string proto = tensor_of_zeros(tensor.dtype, tensor.shape);
  put_bytes_field(proto, fields::TensorProto::kTensorContent, *content);
  return proto;
}

}  // namespace

const Tensor* TfliteNodes::constant(const std::string& name) const {
  const auto found = constants_.find(name);
  return found == constants_.end() ? nullptr : &found->second.tensor;
}

void TfliteNodes::add_constant(const std::string& name, Tensor tensor) {
  constants_[name].tensor = std::move(tensor);
}

void TfliteNodes::use(const std::string& name) {
  const auto found = constants_.find(name);
  if (found == constants_.end() || found->second.is_node) return;
  found->second.is_node = true;
  const Tensor& tensor = found->second.tensor;
  Result<std::string> proto = proto_of(tensor, payloads_);
  if (!proto) {
    if (!fault_) fault_ = proto.error();
    return;
  }
  nodes_.push_back(constant_node(name, tensor.dtype, *proto).finish());
}

void TfliteNodes::add_node(const std::vector<std::string>& inputs, std::string node_def) {
  for (const std::string& input : inputs) use(input);
  nodes_.push_back(std::move(node_def));
}

std::string TfliteNodes::name_of(const RewriteNode& made) {
  if (made.output && *made.output < outputs_.size()) return outputs_[*made.output];
  const bool is_plain = made.suffix.empty();
  const std::string_view suffix = is_plain ? std::string_view("constant") : made.suffix;
  return names_.take(cat(outputs_.at(0), "/", suffix));
}

// Returns a constant that needs no node; nullopt if the node is one.
std::optional<Tensor> TfliteNodes::computed(const RewriteNode& made) const {
  const Tensor* from = made.inputs.empty() ? nullptr : constant(made.inputs[0]);
  if (from == nullptr) return {};
  if (made.op == "Identity") return *from;
  if (made.op == "Cast") {
    const auto to = std::find_if(made.attrs.begin(), made.attrs.end(),
                                 [](const auto& attr) { return attr.first == "DstT"; });
    if (to == made.attrs.end()) return {};
    return cast(*from, static_cast<DType>(to->second.numbers.at(0)));
  }
  const Tensor* by = made.inputs.size() < 2 ? nullptr : constant(made.inputs[1]);
  if (by == nullptr || (made.op != "Transpose" && made.op != "Reshape")) return {};
  const auto numbers = integers_of(*by);
  if (!numbers) return {};
  return made.op == "Transpose" ? transposed(*from, *numbers) : reshaped(*from, *numbers);
}

std::vector<std::string> TfliteNodes::add(const RewriteNode& made) {
  if (made.op.empty()) {
    const std::string name = name_of(made);
    Tensor tensor{made.dtype, shape_of_constant(made.constant)};
    tensor.count = made.constant.numbers.size() + made.constant.reals.size();
    tensor.content = Splice(fresh(content_of_constant(made.constant, made.dtype)));
    add_constant(name, std::move(tensor));
    return {name};
  }
  if (auto tensor = computed(made)) {
    std::string key = cat(made.op, "(", made.inputs[0]);
    if (made.inputs.size() > 1) key += *constant(made.inputs[1])->content.read_all();
    const auto known = made_of_.find(key);
    if (known != made_of_.end() && !made.output) return {known->second};
    const std::string name = name_of(made);
    if (!made.output) made_of_.emplace(std::move(key), name);
    add_constant(name, std::move(*tensor));
    return {name};
  }
  const std::string name = name_of(made);
  NodeEditor editor(name, made.op);
  editor.set_inputs(made.inputs);
  if (made.takes_controls && !control_.empty()) editor.add_input(control_);
  for (const auto& [key, value] : made.attrs) editor.set_attr(key, attr_message(value));
  add_node(made.inputs, editor.finish());
  std::vector<std::string> outputs = {name};
  for (size_t i = 1; i < made.outputs; ++i) outputs.push_back(cat(name, ":", i));
  return outputs;
}

Result<std::vector<std::string>> TfliteNodes::finish() {
  if (fault_) return *fault_;
  return std::move(nodes_);
}

}  // namespace cryo
