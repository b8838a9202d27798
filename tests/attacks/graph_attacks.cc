#include "attacks.h"
#include "files.h"
#include "graphs.h"
#include "wire_message.h"

namespace cryo::attacks {
namespace {

using Nodes = std::vector<std::string>;

laws::Files pb(const std::string& graph) { return laws::Files().put("m.pb", graph); }

// Nodes of a valid graph, added so that recognition does not stop the attack.
const Nodes kValid = {placeholder("x", {1}),
                      node("valid", "Identity", {"x"}, {{"T", type_value(1)}})};

laws::Files graph(Nodes nodes) {
  nodes.insert(nodes.begin(), kValid.begin(), kValid.end());
  return pb(graph_of(nodes).skeleton());
}

laws::Files with_field(const std::string& bytes) { return pb(graph_of(kValid).skeleton() + bytes); }

laws::Files length_past_parent() { return with_field(unhex("0A FFFFFFFFFFFFFFFF7F 0A01")); }
laws::Files length_of_64_bits() { return with_field(unhex("0A FFFFFFFFFFFFFFFFFF01 0A01")); }
laws::Files length_wraps_32_bits() { return with_field(unhex("0A 8080808010 0A01")); }
laws::Files groups() { return with_field(std::string(1'000'000, '\x0B')); }

laws::Files nested_functions() {
  std::string list;
  for (int i = 0; i < 2000; ++i) {
    std::string value;
    put_bytes_field(value, 10, list);
    std::string attr;
    put_bytes_field(attr, 1, "f");
    put_bytes_field(attr, 2, value);
    list.clear();
    put_bytes_field(list, 2, attr);
  }
  std::string value;
  put_bytes_field(value, 10, list);
  return graph({node("n", "NoOp", {}, {{"f", value}})});
}

// A tensor in a variant in a tensor ...
laws::Files nested_tensors() {
  std::string tensor;
  for (int i = 0; i < 2000; ++i) {
    std::string variant;
    put_bytes_field(variant, 3, tensor);
    tensor.clear();
    put_bytes_field(tensor, 15, variant);
  }
  return graph({node("n", "Const", {}, {{"value", tensor_value(tensor)}})});
}

std::string typed_constant(std::string_view name, int dtype, const std::string& shape,
                           const WireMessage& values) {
  WireMessage tensor = WireMessage().varint(1, static_cast<uint64_t>(dtype)).bytes(2, shape);
  tensor.fields.insert(tensor.fields.end(), values.fields.begin(), values.fields.end());
  return node(name, "Const", {},
              {{"dtype", type_value(dtype)}, {"value", tensor_value(serialise(tensor))}});
}

std::string int_constant(std::string_view name) {
  return typed_constant(name, 3, "", WireMessage().varint(7, 0));
}

std::string weight_use(std::string_view name, const std::string& weight) {
  return node(name, "MatMul", {"x", weight}, {{"T", type_value(1)}});
}

// Two handles that nobody gave out.
laws::Files forged_handle() {
  const WireMessage values =
      WireMessage().varint(kPayloadField, 0).varint(kPayloadField, 1'000'000'000);
  return graph({typed_constant("w", 1, shape_bytes({2, 2}), values), weight_use("y", "w")});
}

const WireMessage kOneFloat = WireMessage().bytes(5, std::string(4, '\1'));

laws::Files huge_constant() {
  return graph(
      {typed_constant("w", 1, shape_bytes({int64_t{1} << 40}), kOneFloat), weight_use("y", "w")});
}
laws::Files huge_constant_of_varints() {
  return graph({typed_constant("w", 3, shape_bytes({int64_t{1} << 50}), WireMessage().varint(7, 5)),
                node("w/read", "Identity", {"w"}, {{"T", type_value(3)}})});
}
laws::Files overflowing_constant() {
  return graph(
      {typed_constant("w", 1, shape_bytes({int64_t{1} << 62, int64_t{1} << 62}), kOneFloat),
       weight_use("y", "w")});
}
laws::Files shape_of_100000_dimensions() {
  std::string shape;
  for (int i = 0; i < 100'000; ++i) put_bytes_field(shape, 2, unhex("0801"));
  return graph({typed_constant("w", 1, shape, kOneFloat), weight_use("y", "w")});
}

// Shapes of 256 sizes, each of which is 290 steps away from a constant.
laws::Files far_sizes() {
  const Attrs whole = {{"T", type_value(3)}};
  std::vector<std::string> nodes = {placeholder("two", {2}), int_constant("c0")};
  for (int i = 0; i < 290; ++i) {
    nodes.push_back(node(cat("c", i + 1), "Neg", {cat("c", i)}, whole));
  }
  const Lines sizes(256, "c290");
  nodes.push_back(node("sizes", "Pack", sizes, {{"N", int_value(256)}, {"T", type_value(3)}}));
  for (int i = 0; i < 2000; ++i) {
    nodes.push_back(node(cat("r", i), "Reshape", {"two", "sizes"}, {{"T", type_value(1)}}));
  }
  return graph(nodes);
}

// The names that a saver restores: 2^40 times the same one.
laws::Files huge_list_of_names() {
  const std::string names =
      typed_constant("names", 7, shape_bytes({int64_t{1} << 40}), WireMessage().bytes(8, "w"));
  return graph({variable("w", {1}), names,
                node("restore", "RestoreV2", {"names", "names", "names"}),
                node("assign", "Assign", {"w", "restore:5"})});
}

// 60 million empty strings, a byte each as content and 32 as strings in memory.
laws::Files many_empty_names() {
  const std::string names =
      typed_constant("names", 7, shape_bytes({60'000'000}), WireMessage().bytes(8, ""));
  return graph({variable("w", {1}), names,
                node("restore", "RestoreV2", {"names", "names", "names"}),
                node("assign", "Assign", {"w", "restore:5"})});
}

// Each below 2 GiB, a terabyte together.
laws::Files many_large_constants() {
  Nodes nodes;
  for (int i = 0; i < 600; ++i) {
    nodes.push_back(typed_constant(cat("w", i), 1, shape_bytes({500'000'000}), kOneFloat));
    nodes.push_back(weight_use(cat("y", i), cat("w", i)));
  }
  return graph(std::move(nodes));
}

laws::Files port_of_2_billion() {
  return graph({node("y", "Identity", {"x:2147483647"}, {{"T", type_value(1)}})});
}
laws::Files outputs_of_2_billion() {
  return graph({int_constant("axis"),
                node("s", "Split", {"axis", "x"},
                     {{"T", type_value(1)}, {"num_split", int_value(2147483647)}}),
                node("y", "Identity", {"s:2147483646"}, {{"T", type_value(1)}})});
}
laws::Files inputs_of_2_billion() {
  return graph(
      {node("y", "Pack", {"x", "x"},
            {{"N", int_value(2147483647)}, {"T", type_value(1)}, {"axis", int_value(0)}})});
}

laws::Files equal_names() {
  return graph(Nodes(10'000, node("v", "VarHandleOp", {}, {{"dtype", type_value(1)}})));
}
laws::Files name_with_nul() { return graph({node(std::string_view("a\0b\n\x1B[31m", 9), "NoOp")}); }
laws::Files name_of_a_megabyte() { return graph({node(std::string(1'000'000, 'n'), "NoOp")}); }
laws::Files name_that_is_not_text() { return graph({node("\xFF\xFE", "NoOp")}); }

laws::Files long_chain() {
  Nodes nodes;
  for (int i = 0; i < 30'000; ++i) {
    nodes.push_back(node(cat("n", i), "Identity", {i == 0 ? std::string("x") : cat("n", i - 1)},
                         {{"T", type_value(1)}}));
  }
  return graph(std::move(nodes));
}
laws::Files long_cycle() {
  Nodes nodes;
  for (int i = 0; i < 30'000; ++i)
    nodes.push_back(
        node(cat("n", i), "Identity", {cat("n", (i + 1) % 30'000)}, {{"T", type_value(1)}}));
  return graph(std::move(nodes));
}
laws::Files many_inputs() {
  return graph({node("y", "NoOp", std::vector<std::string>(300'000, "^x"))});
}

// 400 inputs a node, six nodes deep: 400^6 ways from the constant to the end.
laws::Files many_ways() {
  Nodes nodes = {constant("w0", {1, 2}, {2})};
  for (int i = 1; i < 6; ++i) {
    nodes.push_back(node(cat("w", i), "Pack", std::vector<std::string>(400, cat("w", i - 1)),
                         {{"N", int_value(400)}, {"T", type_value(1)}, {"axis", int_value(0)}}));
  }
  return graph(std::move(nodes));
}

// 3000 constants to one list, 3000 takers of it.
laws::Files many_constants_and_takers() {
  Nodes nodes;
  std::vector<std::string> all;
  for (int i = 0; i < 3000; ++i) {
    all.push_back(cat("c", i));
    nodes.push_back(constant(all.back(), {1, 2}, {2}));
  }
  nodes.push_back(node("list", "Pack", all,
                       {{"N", int_value(3000)}, {"T", type_value(1)}, {"axis", int_value(0)}}));
  for (int i = 0; i < 3000; ++i)
    nodes.push_back(node(cat("y", i), "Softmax", {"list"}, {{"T", type_value(1)}}));
  return graph(std::move(nodes));
}

laws::Files gather_without_indices() {
  std::string meta;
  put_bytes_field(meta, 1, "");
  put_bytes_field(meta, 2,
                  graph_of({variable("v", {1}, "VarHandleOp"),
                            node("y", "ResourceGather", {"v"}, {{"dtype", type_value(1)}})})
                      .skeleton());
  return laws::Files().put("m.meta", meta).put("m.index", "");
}

}  // namespace

std::vector<Attack> graph_attacks() {
  return {
      {"length-past-parent", length_past_parent, "malformed-message"},
      {"length-of-64-bits", length_of_64_bits, "malformed-message"},
      {"length-wraps-32-bits", length_wraps_32_bits, "malformed-message"},
      {"groups-a-million-deep", groups, "malformed-message"},
      {"functions-nested-in-attributes", nested_functions, "malformed-message"},
      {"tensors-nested-in-variants", nested_tensors, "malformed-message"},
      {"forged-handle", forged_handle, ""},
      {"constant-of-2-to-the-40", huge_constant, "too-large"},
      {"varints-of-2-to-the-50", huge_constant_of_varints, "too-large"},
      {"constant-that-overflows", overflowing_constant, "bad-shape"},
      {"shape-of-100000-dimensions", shape_of_100000_dimensions, "bad-shape"},
      {"sizes-290-steps-away", far_sizes, "shape-mismatch"},
      {"names-of-2-to-the-40", huge_list_of_names, ""},
      {"names-of-60-million", many_empty_names, ""},
      {"constants-of-a-terabyte", many_large_constants, "too-large"},
      {"port-of-2-billion", port_of_2_billion, "bad-output-port"},
      {"outputs-of-2-billion", outputs_of_2_billion, ""},
      {"inputs-of-2-billion", inputs_of_2_billion, "input-count"},
      {"equal-names", equal_names, "duplicate-node-name"},
      {"name-with-nul", name_with_nul, "bad-node-name"},
      {"name-of-a-megabyte", name_of_a_megabyte, ""},
      {"name-that-is-not-text", name_that_is_not_text, "bad-node-name"},
      {"chain-of-30000", long_chain, ""},
      {"cycle-of-30000", long_cycle, "cycle"},
      {"inputs-of-one-node", many_inputs, ""},
      {"ways-of-400-to-the-6", many_ways, "no-weights"},
      {"constants-times-takers", many_constants_and_takers, "no-weights"},
      {"gather-without-indices", gather_without_indices, ""},
  };
}

}  // namespace cryo::attacks
