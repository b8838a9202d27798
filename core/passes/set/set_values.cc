#include "passes/set/set_values.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/reference.h"
#include "base/text.h"
#include "base/utf8.h"
#include "graph/roles.h"
#include "graph/tensor_info.h"
#include "model/meta.h"
#include "model/string_tensor.h"
#include "passes/common/graph_editor.h"
#include "passes/common/select_outputs.h"
#include "passes/inline/inline.h"
#include "passes/set/fold_branches.h"
#include "passes/set/fold_branches_in_functions.h"
#include "passes/set/set_variables.h"
#include "tensor/content.h"
#include "tensor/number_text.h"
#include "tensor/value_text.h"
#include "validate/graph/library.h"

namespace cryo {
namespace {

// A value of the type, for advice.
std::string_view example_of(DType dtype) {
  if (dtype == DType::kBool) return "is_training=false";
  return is_floating(dtype) ? "keep_prob=1.0" : "batch_size=1";
}

Failure bad_value(std::string_view expected, const std::string& text,
                  std::string_view example = "is_training=false") {
  return failure("bad-option", cat("expected ", expected, "; found ", quoted(text)), {},
                 cat("write NAME=VALUE: ", example));
}

// Returns the expected value, for messages.
std::string expected_of(DType dtype) {
  return cat("a value of type ", dtype_name(dtype), dtype == DType::kBool ? ": true or false" : "");
}

// The shape that a placeholder's value is to have. PlaceholderV2 and old graphs write an unknown
// one as a shape without dimensions too.
Shape asked_shape(const Graph& graph, const Node& node) {
  const int producer = node.op == "PlaceholderV2" ? kScalarsAreUnknown : graph.producer();
  return placeholder_shape(output_shape(node, 0), producer);
}

Status check_shape(const Node& node, const Shape& declared, const Shape& found,
                   const std::string& text, std::string_view fix) {
  if (is_compatible(declared, found)) return Unit{};
  return failure(found.dims.empty() ? "not-a-scalar" : "wrong-shape",
                 cat("'", node.name, "' is of shape ", to_text(declared), "; ", quoted(text),
                     " is of shape ", to_text(found)),
                 {.node = node.name}, std::string(fix));
}

// Returns the shape that a value of the node is to have.
Shape declared_shape(const Graph& graph, const Node& node) {
  return is_placeholder(node.op) ? asked_shape(graph, node) : output_shape(node, 0);
}

Status set_node_to(const Model& model, uint32_t index, const std::string& text, GraphEditor& editor,
                   Conversions& converted) {
  const Node& node = model.graph.nodes()[index];
  const bool variable = is_variable(node.op);
  if (!variable && !is_placeholder(node.op) && node.op != "Const") {
    return failure("not-a-placeholder",
                   cat("expected a placeholder, a variable or a constant to set; '", node.name,
                       "' is a ", node.op),
                   {.node = node.name}, LIST("placeholders", "inputs"));
  }
  TRY(value, value_for(node, declared_shape(model.graph, node), text, *model.payloads));
  if (variable) {
    redirect_reads(model, index, value.proto, editor);
  } else {
    NodeEditor& constant = editor.node_as_read(index);
    if (is_placeholder(node.op)) constant.set_op("Const").set_inputs({}).erase_attr("shape");
    constant.set_attr("value", tensor_value(value.proto));
  }
  const auto dtype = static_cast<DType>(type_attr(node, "dtype").value_or(0));
  TRY(count, element_count(value.shape));
  converted.push_back({std::string(node.name), std::string(node.op), "Const", dtype, value.shape,
                       count * find_dtype(dtype)->size});
  return Unit{};
}

Model with_graph(const Model& model, Graph graph) {
  Model changed = model;
  changed.graph = std::move(graph);
  return changed;
}

void trim_signatures(Model& model, const std::set<uint32_t>& set, const NodeNames& names) {
  if (model.meta.empty()) return;
  tensorflow::MetaGraphDef meta = parse_meta(model);
  for (auto& entry : *meta.mutable_signature_def()) {
    auto& inputs = *entry.mutable_value()->mutable_inputs();
    const auto is_set = [&](const auto& input) {
      return set.contains(names.find(parse_tensor_name(input.value().name()).node));
    };
    inputs.erase(std::remove_if(inputs.begin(), inputs.end(), is_set), inputs.end());
  }
  set_meta(model, std::move(meta));
}

// Puts the values in their places; what depends on them stays.
Result<Model> with_constants(const Model& model, const std::vector<std::string>& set,
                             Conversions& converted) {
  const NodeNames& names = model.graph.index().names();
  GraphEditor editor(model.graph);
  std::set<uint32_t> nodes;
  for (const std::string& text : set) {
    const std::string_view name = set_node(text);
    if (name.empty() || text.find('=') == std::string::npos) return bad_value("NAME=VALUE", text);
    TRY(place, find_endpoint(model, names, std::string(name)));
    if (!nodes.insert(place.node).second) return bad_value("each name once", text);
    CHECK_OK(set_node_to(model, place.node, text, editor, converted));
  }
  Model changed = with_graph(model, editor.finish());
  trim_signatures(changed, nodes, names);
  return changed;
}

// Fails if an input of the verb is set.
Status check_ends(const Selection& ends, const std::string& text) {
  for (const std::string& input : ends.inputs) {
    if (parse_tensor_name(input).node == set_node(text)) {
      return bad_value(cat("no ", setting("--inputs", input), " next to it"), text);
    }
  }
  return Unit{};
}

// Returns the calls that are inlined later and that may be needed by name: the ends that were
// requested or that signatures name, and nodes without consumers.
std::vector<std::string> ends_among(const Model& model, const Selection& ends,
                                    const std::vector<std::string>& calls) {
  std::set<std::string_view> named;
  for (const auto* names : {&ends.outputs, &ends.inputs}) {
    for (const std::string& name : *names) named.insert(parse_tensor_name(name).node);
  }
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  for (const auto& signature : meta.signature_def()) {
    for (const auto& output : signature.value().outputs()) {
      named.insert(parse_tensor_name(output.value().name()).node);
    }
  }
  std::set<std::string_view> taken;
  for (const Node& node : model.graph.nodes()) {
    for (const std::string_view input : node.inputs()) taken.insert(parse_tensor_name(input).node);
  }
  std::vector<std::string> needed;
  for (const std::string& call : calls) {
    if (named.contains(call) || !taken.contains(call)) needed.push_back(call);
  }
  return needed;
}

// Returns the model with these calls inlined; nullopt if one cannot be.
std::optional<Model> with_inlined(const Model& model, const std::vector<std::string>& calls,
                                  const Selection& ends, const OpRegistry& ops,
                                  Diagnostics& diagnostics) {
  Diagnostics inner;
  const Ends needed = only_outputs(ends_among(model, ends, calls));
  Result<Model> inlined = inline_only(model, calls, needed, ops, inner);
  if (!inlined) return std::nullopt;
  for (const Diagnostic& each : inner.all()) diagnostics.add(each);
  return std::move(*inlined);
}

// Returns the plain calls whose functions read variables that are set.
std::vector<std::string> calls_that_read(const Model& model, const std::vector<std::string>& set) {
  std::vector<std::string> variables;
  for (const std::string& text : set) variables.emplace_back(set_node(text));
  std::vector<std::string> calls = values_taken_of(model.graph, variables);
  const Library library(model.graph);
  std::erase_if(calls, [&](const std::string& call) {
    const Node& node = model.graph.nodes()[model.graph.index().names().find(call)];
    return inlinable_function(node, library, model.graph) == nullptr;
  });
  return calls;
}

// Calls that are inlined where branches are folded from the constants in `set`.
std::vector<std::string> calls_to_inline(const Model& model, const std::vector<std::string>& set,
                                         const OpRegistry& ops) {
  std::vector<std::string> calls = calls_with_folded_branches(model, set, ops);
  return calls.empty() ? calls_that_read(model, set) : calls;
}

// A branch that is taken always becomes the nodes of its function, in which more may be decided:
// what only the other branch and the gradient needed (captured weights, Optional outputs) can then
// be pruned, and what is left has a gradient. So do calls in whose bodies branches are decided, or
// set variables read. A call that cannot be inlined stays a call.
Result<Model> without_branches(Model model, const std::vector<std::string>& set,
                               const Selection& ends, bool inlines_calls, const OpRegistry* ops,
                               Diagnostics& diagnostics) {
  for (;;) {
    TRY(folded, fold_branches(model, set, ends, diagnostics));
    model = std::move(folded.model);
    std::vector<std::string> calls = std::move(folded.calls);
    if (ops == nullptr) return model;
    if (calls.empty() && inlines_calls) calls = calls_to_inline(model, set, *ops);
    if (calls.empty()) return model;
    const auto inlined = with_inlined(model, calls, ends, *ops, diagnostics);
    if (!inlined) return model;
    TRY(read, with_set_variables(*inlined, set));
    model = std::move(read);
  }
}

}  // namespace

Result<SetValue> value_for(const Node& node, const Shape& declared, const std::string& text,
                           Payloads& payloads) {
  const auto dtype = static_cast<DType>(type_attr(node, "dtype").value_or(0));
  const std::string value = text.substr(text.find('=') + 1);
  if (dtype == DType::kString) {
    CHECK_OK(check_shape(node, declared, Shape{}, text, "feed its texts where the model runs"));
    return SetValue{Shape{}, string_scalar(value)};
  }
  if (!has_number_text(dtype)) {
    return failure(
        "unsupported-dtype",
        cat("'", node.name, "' is of type ", dtype_name(dtype),
            ": expected a bool, a whole number, a float of 16, 32 or 64 bits, or a string"),
        {.node = node.name}, "set no value for it, and feed it where the model runs");
  }
  std::optional<WrittenTensor> parsed = parse_value(dtype, value);
  if (!parsed) return bad_value(expected_of(dtype), text, example_of(dtype));
  CHECK_OK(check_shape(node, declared, parsed->shape, text,
                       declared.dims.empty() ? cat("write one value: ", example_of(dtype))
                                             : "write a list of its shape: image_size=[224,224]"));
  TRY(proto,
      const_tensor(dtype, parsed->shape, Splice(fresh(std::move(parsed->content))), payloads));
  return SetValue{std::move(parsed->shape), std::move(proto)};
}

std::string_view set_node(std::string_view text) {
  return parse_tensor_name(text.substr(0, text.find('='))).node;
}

Result<Model> with_set_values(const Model& model, const std::vector<std::string>& set,
                              const Selection& ends, bool inlines_calls, const OpRegistry* ops,
                              Conversions& converted, Diagnostics& diagnostics) {
  if (set.empty()) return model;
  for (const std::string& text : set) CHECK_OK(check_ends(ends, text));
  TRY(constant, with_constants(model, set, converted));
  TRY(plain, without_branches(std::move(constant), set, ends, inlines_calls, ops, diagnostics));
  return ops == nullptr ? plain : fold_branches_in_functions(plain, set, *ops);
}

Result<Model> with_set_variables(const Model& model, const std::vector<std::string>& set) {
  GraphEditor editor(model.graph);
  const std::vector<Node>& nodes = model.graph.nodes();
  for (const std::string& text : set) {
    const uint32_t node = model.graph.index().names().find(set_node(text));
    if (node == kNoNode || !is_variable(nodes[node].op)) continue;
    TRY(value, value_for(nodes[node], output_shape(nodes[node], 0), text, *model.payloads));
    redirect_reads(model, node, value.proto, editor);
  }
  return editor.is_changed() ? with_graph(model, editor.finish()) : model;
}

Result<Model> with_constant_branches(const Model& model, const Selection& ends,
                                     const OpRegistry* ops, Diagnostics& diagnostics) {
  Model made = model;
  for (;;) {
    TRY(folded, fold_constant_branches(made, ends, diagnostics));
    made = std::move(folded.model);
    if (folded.calls.empty() || ops == nullptr) return made;
    auto inlined = with_inlined(made, folded.calls, ends, *ops, diagnostics);
    if (!inlined) return made;
    made = std::move(*inlined);
  }
}

}  // namespace cryo
