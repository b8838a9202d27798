#include "formats/tfjs/tfjs_topology.h"

#include <algorithm>
#include <unordered_map>

#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"
#include "bytes/coding.h"
#include "bytes/joined_source.h"
#include "bytes/splice_builder.h"
#include "formats/tfjs/tfjs_defaults.h"
#include "formats/tfjs/tfjs_types.h"
#include "graph/fresh_names.h"
#include "graph/functions/function_editor.h"
#include "graph/node_editor.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "model/string_tensor.h"
#include "proto/tensor.pb.h"
#include "tensor/content.h"
#include "tensor/views/converted_source.h"
#include "wire/elide.h"
#include "wire/fields.h"
#include "wire/forward_reader.h"

namespace cryo {
namespace {

struct TopologyChecks {
  uint64_t compared = 0;  // bytes, by tfjs_type()
  std::vector<std::string> narrowed = {};
};

// A small file can announce a huge tensor (a shape and one value).
constexpr uint64_t kMaxWeight = kMaxMessageBytes;
constexpr uint64_t kMaxRepeated = uint64_t{1} << 20;  // for strings, which are held in memory

Status take_length(ForwardReader& window, uint64_t& length) {
  std::string_view ahead = window.peek(kMaxVarint64);
  const size_t available = ahead.size();
  if (!take_varint(ahead, length)) return window.error();
  window.skip(available - ahead.size());
  return Unit{};
}

// Plain strings (tensor/content.h) with each length before its bytes.
Result<Splice> with_lengths(const Tensor& tensor) {
  constexpr uint64_t kChecksum = 4;
  const Slice slice = as_slice(tensor.content);
  uint64_t length = 0;
  ForwardReader bytes(slice);
  for (uint64_t i = 0; i < tensor.count; ++i) CHECK_OK(take_length(bytes, length));
  bytes.skip(kChecksum);
  ForwardReader lengths(slice);
  SpliceBuilder out;
  for (uint64_t i = 0; i < tensor.count; ++i) {
    CHECK_OK(take_length(lengths, length));
    put_fixed32(out.bytes(), static_cast<uint32_t>(length));
    if (length > kBulkTensorBytes) {
      out.add(tensor.content.sub(bytes.position(), length));
    } else {
      const std::string_view ahead = bytes.peek(length);
      if (!bytes.ok()) return bytes.error();
      out.bytes() += ahead.substr(0, static_cast<size_t>(length));
    }
    bytes.skip(length);
  }
  return out.finish();
}

using Renamed = std::unordered_map<std::string_view, std::string>;

// "w:output:0" or "^w" of a body, its node under its new name.
std::string renamed_input(std::string_view input, const Renamed& names) {
  const size_t begin = input.starts_with('^') ? 1 : 0;
  const size_t end = std::min(input.find(':'), input.size());
  const auto found = names.find(input.substr(begin, end - begin));
  if (found == names.end()) return std::string(input);
  return cat(input.substr(0, begin), found->second, input.substr(end));
}

// {key "out", value "w:output:0"}
std::string renamed_entry(std::string_view entry, const Renamed& names) {
  std::string out;
  for (WireCursor cursor(entry); cursor.next();) {
    if (cursor.field().number == fields::MapEntry::kValue) {
      put_bytes_field(out, fields::MapEntry::kValue, renamed_input(cursor.field().bytes, names));
    } else {
      out += cursor.field().record;
    }
  }
  return out;
}

std::string renamed_node(const Node& node, const Renamed& names) {
  NodeEditor editor(node);
  for (std::string& input : editor.inputs()) input = renamed_input(input, names);
  for (const std::string_view other : colocations(node)) {
    if (names.contains(other)) editor.erase_attr("_class");
  }
  return editor.finish();
}

// The constant's content as TensorFlow.js stores it.
Result<Splice> stored_content(const Model& model, const Tensor& tensor, DType as, const Node& node,
                              TfjsTopology& topology, TopologyChecks& checks) {
  const bool strings = tensor.dtype == DType::kString;
  const uint64_t most =
      strings
          ? stored_bytes(tensor_attr(node, "value").value_or(""), *model.payloads) + kMaxRepeated
          : kMaxWeight;
  if (tensor.content.size() > most ||
      topology.content.size() + tensor.content.size() > kMaxTfjsWeights) {
    return failure("too-large",
                   cat("the constant is ", human_bytes(tensor.content.size()),
                       ", more than TensorFlow.js could load"),
                   {.node = node.name}, "write another form: " SETTING("--as", "pb"));
  }
  if (strings) return with_lengths(tensor);
  if (as == tensor.dtype) return tensor.content;
  const ElementConversion conversion{tensor.dtype, 1, 0, as, as};
  checks.narrowed.push_back(cat(quoted(node.name), " (", dtype_name(tensor.dtype), ")"));
  Splice narrow;
  if (tensor.count > 0) narrow.append(converted(tensor.content, conversion));
  return narrow;
}

Status add_weight(const Model& model, const Node& node, const std::string& name,
                  TfjsTopology& topology, TopologyChecks& checks) {
  Result<Tensor> tensor = read_tensor(tensor_attr(node, "value").value_or(""), *model.payloads);
  if (!tensor) {
    Diagnostic error = tensor.error();
    error.where.node = node.name;
    return error;
  }
  TRY(as, tfjs_type(*tensor, node.name, checks.compared));
  TRY(content, stored_content(model, *tensor, as, node, topology, checks));
  topology.weights.object("name", name, "shape", tensor->shape.dims, "dtype", dtype_name(as));
  if (tensor->count > 0) topology.content.append(content);
  return Unit{};
}

// Returns true if a placeholder has the shape [] of an early release. TensorFlow.js takes it for
// that of a scalar.
bool states_unknown_shape(const Model& model, const Node& node) {
  return model.graph.producer() <= kScalarsAreUnknown && is_placeholder(node.op) && is_scalar(node);
}

// A NodeDef under a new name; of a Const, type and shape alone.
Status write_node(const Model& model, const Node& node, const std::string& name, std::string& out,
                  TfjsTopology& topology, TopologyChecks& checks) {
  if (!is_utf8(name)) {
    return failure("malformed-message", cat("the name ", quoted(name), " is not UTF-8"));
  }
  if (node.op != "Const") {
    out = with_tfjs_defaults(node);
    if (states_unknown_shape(model, node)) {
      TRY(made, scan_node(out));
      const std::string any_shape = shape_value(to_proto(Shape{true, {}}).SerializeAsString());
      out = NodeEditor(made).set_attr("shape", any_shape).finish();
    }
    return Unit{};
  }
  CHECK_OK(add_weight(model, node, name, topology, checks));
  std::string tensor;
  for (WireCursor cursor(tensor_attr(node, "value").value_or("")); cursor.next();) {
    if (cursor.field().number <= 2) tensor += cursor.field().record;
  }
  out = NodeEditor(node).set_name(name).set_attr("value", tensor_value(tensor)).finish();
  return Unit{};
}

// Returns "f/w"; a constant read from TensorFlow.js already has such a name.
std::string name_of(const std::string& function, std::string_view constant,
                    FreshNames& weight_names) {
  const std::string first = constant.starts_with(cat(function, "/")) ? std::string(constant)
                                                                     : cat(function, "/", constant);
  return weight_names.take(first);
}

Result<std::string> write_function(const Model& model, const Function& function,
                                   TfjsTopology& topology, FreshNames& weight_names,
                                   TopologyChecks& checks) {
  TRY(nodes, body_nodes(function));
  Renamed names;
  for (const Node& node : nodes) {
    if (node.op != "Const") continue;
    names.emplace(node.name, name_of(std::string(function.name), node.name, weight_names));
  }
  FunctionEditor editor(function);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const auto renamed = names.find(nodes[i].name);
    std::string made;
    CHECK_OK(write_node(model, nodes[i],
                        renamed == names.end() ? std::string(nodes[i].name) : renamed->second, made,
                        topology, checks));
    TRY(again, scan_node(made));
    editor.nodes[i] = renamed_node(again, names);
  }
  for (std::string& entry : editor.returns) entry = renamed_entry(entry, names);
  for (std::string& entry : editor.control_returns) entry = renamed_entry(entry, names);
  return editor.finish();
}

// Returns the library verbatim, except for its functions.
Result<std::string> write_library(const Model& model, TfjsTopology& topology,
                                  FreshNames& weight_names, TopologyChecks& checks) {
  std::string out;
  for (const Function& each : model.graph.functions()) {
    Result<std::string> made = write_function(model, each, topology, weight_names, checks);
    if (!made) {
      Diagnostic error = made.error();
      error.where.function = each.name;
      return error;
    }
    put_bytes_field(out, fields::FunctionDefLibrary::kFunction, *made);
  }
  const std::string skeleton = model.graph.skeleton();
  for (WireCursor graph(skeleton); graph.next();) {
    if (graph.field().number != fields::GraphDef::kLibrary) continue;
    for (WireCursor cursor(graph.field().bytes); cursor.next();) {
      if (cursor.field().number != fields::FunctionDefLibrary::kFunction)
        out += cursor.field().record;
    }
  }
  return out;
}

void report_narrowed(const TopologyChecks& checks, Diagnostics& diagnostics) {
  if (checks.narrowed.empty()) return;
  diagnostics.note("stored-narrower",
                   cat("TensorFlow.js computes with float32, int32 and complex64: these constants "
                       "are stored so, which holds every value of them: ",
                       join(checks.narrowed, ", ", 10)));
}

}  // namespace

Result<TfjsTopology> tfjs_topology(const Model& model, Diagnostics& diagnostics) {
  TfjsTopology topology;
  FreshNames weight_names;
  TopologyChecks checks;
  for (const Node& each : model.graph.nodes()) {
    if (each.op == "Const") weight_names.set_taken(std::string(each.name));
  }
  for (const Node& each : model.graph.nodes()) {
    std::string made;
    CHECK_OK(write_node(model, each, std::string(each.name), made, topology, checks));
    put_bytes_field(topology.skeleton, fields::GraphDef::kNode, made);
  }
  TRY(library_made, write_library(model, topology, weight_names, checks));
  if (!library_made.empty())
    put_bytes_field(topology.skeleton, fields::GraphDef::kLibrary, library_made);
  const std::string skeleton = model.graph.skeleton();
  for (WireCursor cursor(skeleton); cursor.next();) {
    const uint32_t number = cursor.field().number;
    if (number != fields::GraphDef::kNode && number != fields::GraphDef::kLibrary)
      topology.skeleton += cursor.field().record;
  }
  report_narrowed(checks, diagnostics);
  return topology;
}

}  // namespace cryo
