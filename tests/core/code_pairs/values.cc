#include "code_pairs.h"

namespace cryo {
namespace {

std::string dims(const std::vector<int64_t>& sizes) { return shape_bytes(sizes); }

// A Const of `bytes` zeros, which says this type and that of its value.
std::string zeros(const std::vector<int64_t>& sizes, size_t bytes, int said = kFloat32,
                  int of_value = kFloat32) {
  tensorflow::TensorProto tensor;
  tensor.set_dtype(static_cast<tensorflow::DataType>(of_value));
  tensor.mutable_tensor_shape()->ParseFromString(dims(sizes));
  tensor.set_tensor_content(std::string(bytes, '\0'));
  return node("c", "Const", {},
              {{"dtype", type_value(said)}, {"value", tensor_value(tensor.SerializeAsString())}});
}

Model alone(const std::string& node) { return as_model(std::vector<std::string>{node}); }

// A reshape by the constant.
Model reshaped(size_t bytes) {
  return as_model(std::vector<std::string>{
      placeholder("x", {0}), zeros({2}, bytes, kInt32, kInt32),
      node("n", "Reshape", {"x", "c"},
           {{"T", type_value(kFloat32)}, {"Tshape", type_value(kInt32)}})});
}

Model noted(const std::vector<std::vector<int64_t>>& shapes) {
  tensorflow::AttrValue value;
  value.mutable_list();
  for (const auto& shape : shapes) {
    value.mutable_list()->add_shape()->ParseFromString(dims(shape));
  }
  return as_model(base_with(
      "out", {node("out", "Identity", {"add"},
                   {{"T", type_value(kFloat32)}, {"_output_shapes", value.SerializeAsString()}})}));
}

Model multiplied(int64_t rows) {
  return as_model(std::vector<std::string>{placeholder("x", {4, 2}), placeholder("w", {rows, 3}),
                                           node("mm", "MatMul", {"x", "w"}, kFloats)});
}

Model read_as(int type) {
  return as_model(std::vector<std::string>{
      variable("v", {2}, "VarHandleOp"),
      node("read", "ReadVariableOp", {"v"}, {{"dtype", type_value(type)}})});
}

// The list of a loop that goes back by `back`, with frames and a limit to choose.
Model loop(const std::string& back = "NextIteration", const std::string& frame = "L",
           const std::string& limit = "limit") {
  const Attrs enter = {{"T", type_value(kFloat32)}, {"frame_name", string_value(frame)}};
  const Attrs two = {{"T", type_value(kFloat32)}, {"N", int_value(2)}};
  return as_model(std::vector<std::string>{
      constant("zero", {0}, {}), constant("ten", {10}, {}), node("enter", "Enter", {"zero"}, enter),
      node("limit", "Enter", {"ten"}, enter), node("merge", "Merge", {"enter", "back"}, two),
      node("less", "Less", {"merge", limit}, kFloats), node("cond", "LoopCond", {"less"}),
      node("switch", "Switch", {"merge", "cond"}, kFloats),
      node("body", "Neg", {"switch:1"}, kFloats), node("back", back, {"body"}, kFloats),
      node("exit", "Exit", {"switch"}, kFloats)});
}

Model merged(const Lines& inputs) {
  const Attrs count = {{"T", type_value(kFloat32)},
                       {"N", int_value(static_cast<int64_t>(inputs.size()))}};
  return as_model(std::vector<std::string>{placeholder("x", {1}), node("m", "Merge", inputs, count),
                                           node("n", "NextIteration", {"m"}, kFloats)});
}

}  // namespace

void add_value_pairs(CodePairs& pairs) {
  const auto shaped = [](const std::vector<int64_t>& sizes) {
    return alone(node("p", "Placeholder", {},
                      {{"dtype", type_value(kFloat32)}, {"shape", shape_value(dims(sizes))}}));
  };
  const Model constant = alone(zeros({2, 3}, 24));
  pairs.push_back(CodePair{"bad-shape", shaped({-2, 2}), shaped({-1, 2})});
  pairs.push_back(CodePair{"const-shape", alone(zeros({-1, 3}, 24)), constant});
  pairs.push_back(CodePair{"const-length", alone(zeros({2, 3}, 20)), constant});
  pairs.push_back(CodePair{"const-type", alone(zeros({2, 3}, 24, kInt32)), constant});
  pairs.push_back(CodePair{"const-no-type", alone(zeros({2, 3}, 24, kFloat32, 0)), constant});
  pairs.push_back(CodePair{"const-not-read", reshaped(4), reshaped(8)});
  pairs.push_back(CodePair{"output-shapes-count", noted({}), noted({{-1, 3}})});
  pairs.push_back(CodePair{"output-shapes-invalid", noted({{-5, 3}}), noted({{-1, 3}})});
  pairs.push_back(CodePair{"output-shapes-wrong", noted({{-1, 7}}), noted({{-1, 3}})});
  pairs.push_back(CodePair{"shape-mismatch", multiplied(3), multiplied(2)});
  pairs.push_back(CodePair{"variable-type", read_as(kInt32), read_as(kFloat32)});
}

void add_loop_pairs(CodePairs& pairs) {
  pairs.push_back(CodePair{"cycle", loop("Identity"), loop()});
  pairs.push_back(CodePair{"enter-without-name", loop("NextIteration", ""), loop()});
  pairs.push_back(CodePair{"mixed-frames", loop("NextIteration", "L", "ten"), loop()});
  pairs.push_back(CodePair{"merge-inputs", merged({"x", "x", "n"}), merged({"x", "n"})});
  const auto left = [](const std::string& op) {
    return as_model(std::vector<std::string>{placeholder("x", {1}), node("e", op, {"x"}, kFloats)});
  };
  pairs.push_back(CodePair{"exit-without-frame", left("Exit"), left("Identity")});
}

}  // namespace cryo
