#include "code_pairs.h"

namespace cryo {
namespace {

// Adds a node to a few healthy ones, once with the fault and once without.
void add(CodePairs& pairs, std::string_view code, const std::string& faulty,
         const std::string& healthy) {
  const auto with = [](const std::string& node) { return as_model(base_with("", {node})); };
  pairs.push_back(CodePair{code, with(faulty), with(healthy)});
}

std::string on_device(const std::string& device) {
  NodeEditor editor("n", "NoOp");
  editor.set_device(device);
  return editor.finish();
}

std::string sum(const Lines& inputs) { return node("sum", "AddV2", inputs, kFloats); }

std::string all_reduce(const std::string& op) {
  return node("n", op, {"x"},
              {{"T", type_value(kFloat32)},
               {"num_devices", int_value(1)},
               {"reduction", string_value("min")},
               {"shared_name", string_value("")}});
}

std::string colocated(const std::string& with) {
  return node("n", "NoOp", {}, {{"_class", string_list_value({with})}});
}

void add_names_and_inputs(CodePairs& pairs) {
  add(pairs, "bad-node-name", node("a b", "NoOp"), node("a_b", "NoOp"));
  add(pairs, "duplicate-node-name", node("b", "NoOp"), node("B", "NoOp"));
  add(pairs, "not-utf8", node("n", "NoOp", {}, {{"_f", func_value("\xC3")}}),
      node("n", "NoOp", {}, {{"_f", func_value("\xC3\xA9")}}));
  add(pairs, "unknown-input-node", sum({"b", "nope"}), sum({"b", "b"}));
  add(pairs, "bad-output-port", sum({"b", "b:1"}), sum({"b", "b:0"}));
  add(pairs, "control-port", sum({"b", "b:4294967295"}), sum({"b", "b:4294967296"}));
  add(pairs, "control-input-order", sum({"b", "^x", "b"}), sum({"b", "b", "^x"}));
  add(pairs, "duplicate-control-input", sum({"b", "b", "^x", "^x"}), sum({"b", "b", "^x", "^w"}));
  add(pairs, "input-count", sum({"b"}), sum({"b", "b"}));
  add(pairs, "input-type", node("n", "Identity", {"b"}, {{"T", type_value(2)}}),
      node("n", "Identity", {"b"}, kFloats));
}

void add_ops_and_places(CodePairs& pairs) {
  add(pairs, "no-op", node("n", ""), node("n", "NoOp"));
  add(pairs, "unknown-op", node("n", "NoSuchOp"), node("n", "NoOp"));
  add(pairs, "no-kernel", all_reduce("NcclAllReduce"), node("n", "Identity", {"x"}, kFloats));
  const Attrs python = {{"token", string_value("pyfunc_0")},
                        {"Tin", type_list_value({})},
                        {"Tout", type_list_value({kFloat32})}};
  add(pairs, "python-function", node("n", "PyFunc", {}, python), node("n", "NoOp"));
  add(pairs, "bad-device", on_device("garbage"), on_device("/job:w/task:1/device:GPU:0"));
  add(pairs, "device-elsewhere", on_device("/job:w"), on_device("/job:localhost/task:0/cpu:0"));
  add(pairs, "unknown-colocation", colocated("loc:@nope"), colocated("loc:@b"));
}

// A graph with these versions: producer 1, min_consumer 2, bad_consumers 3.
Model of_version(uint32_t field, uint64_t value, const std::vector<std::string>& nodes = {}) {
  Parts parts{nodes};
  put_varint_field(parts.versions, field, value);
  return as_model(parts);
}

void add_versions(CodePairs& pairs) {
  pairs.push_back(
      CodePair{"producer-too-old", of_version(1, static_cast<uint64_t>(-1)), of_version(1, 0)});
  pairs.push_back(CodePair{"newer-producer", of_version(1, 9999), of_version(1, 1000)});
  pairs.push_back(CodePair{"consumer-too-old", of_version(2, 9999), of_version(2, 1000)});
  pairs.push_back(CodePair{"consumer-refused", of_version(3, 2474), of_version(3, 2473)});
  const std::vector<std::string> switched = {placeholder("is_training")};
  pairs.push_back(
      CodePair{"old-producer", of_version(1, 21, switched), of_version(1, 22, switched)});
  const std::vector<std::string> old =
      base_with("", {placeholder("image", {1, 8, 8, 3}),
                     node("n", "BatchNormWithGlobalNormalization", {"image", "b", "b", "b", "b"},
                          {{"T", type_value(kFloat32)},
                           {"variance_epsilon", std::string("\x25\0\0\0\0", 5)},
                           {"scale_after_normalization", bool_value(true)}})});
  pairs.push_back(CodePair{"op-removed", of_version(1, 9, old), of_version(1, 8, old)});
  pairs.push_back(CodePair{"op-deprecated", of_version(1, 8, old), of_version(1, 9, old)});
}

}  // namespace

void add_node_pairs(CodePairs& pairs) {
  add_names_and_inputs(pairs);
  add_ops_and_places(pairs);
  add_versions(pairs);
}

void add_attr_pairs(CodePairs& pairs) {
  const auto mat_mul = [](const std::string& key, const std::string& value) {
    Attrs attrs = {{"T", type_value(kFloat32)},
                   {"transpose_a", bool_value(false)},
                   {"transpose_b", bool_value(false)},
                   {"grad_a", bool_value(false)},
                   {"grad_b", bool_value(false)}};
    attrs.erase(std::remove_if(attrs.begin(), attrs.end(),
                               [&](const auto& each) { return each.first == key; }),
                attrs.end());
    if (!value.empty() || key == "grad_a") attrs.emplace_back(key, value);
    return node("n", "MatMul", {"x", "w"}, attrs);
  };
  const std::string good = mat_mul("T", type_value(kFloat32));
  const std::string axis = node("axis", "Placeholder", {}, {{"dtype", type_value(3)}});
  const auto split = [&](int64_t count) {
    return as_model(std::vector<std::string>{
        axis, placeholder("x"),
        node("n", "Split", {"axis", "x"},
             {{"T", type_value(kFloat32)}, {"num_split", int_value(count)}})});
  };
  const auto sum = [](const Lines& inputs) {
    return node(
        "n", "AddN", inputs,
        {{"T", type_value(kFloat32)}, {"N", int_value(static_cast<int64_t>(inputs.size()))}});
  };
  add(pairs, "attr-missing", mat_mul("T", ""), good);
  add(pairs, "attr-empty", mat_mul("grad_a", ""), good);
  add(pairs, "attr-wrong-kind", mat_mul("grad_b", int_value(1)), good);
  add(pairs, "attr-invalid-type", mat_mul("T", type_value(9999)), good);
  add(pairs, "attr-ref-type", mat_mul("T", type_value(101)), good);
  add(pairs, "attr-not-allowed", mat_mul("T", type_value(7)), good);
  add(pairs, "attr-below-minimum", sum({}), sum({"b"}));
  pairs.push_back(CodePair{"attr-not-a-count", split(int64_t{1} << 40), split(2)});
  add(pairs, "attr-unknown", node("n", "NoOp", {}, {{"foo", int_value(1)}}),
      node("n", "NoOp", {}, {{"_foo", int_value(1)}}));
  const std::vector<std::string> sources = {
      node("x", "Placeholder", {},
           {{"dtype", type_value(kFloat32)}, {"shape", shape_value(shape_bytes({2, 2}))}})};
  const auto alone = [&](const std::string& each) {
    return as_model(std::vector<std::string>{sources[0], each});
  };
  pairs.push_back(CodePair{"attr-default-missing", alone(node("n", "MatMul", {"x", "x"}, kFloats)),
                           alone(node("n", "Tanh", {"x"}, kFloats))});
}

}  // namespace cryo
