#include "passes/optimize/small_weights.h"

#include "functions.h"

namespace cryo {
namespace {

constexpr size_t kCount = 512;  // 2 kB of floats: large enough to be quantized

std::string large_constant(std::string_view name) {
  std::vector<float> values(kCount);
  for (size_t i = 0; i < kCount; ++i) values[i] = static_cast<float>(i);
  return constant(name, values, {1, 1, kCount, 1});
}

std::string op_after_quantizing(const Lines& nodes, std::string_view name) {
  GraphChanges changes;
  Diagnostics diagnostics;
  Result<Model> made = with_quantized_constants(model_of(nodes), changes, diagnostics);
  EXPECT_TRUE(made.ok());
  return std::string(find(made->graph, name).op);
}

TEST(QuantizedConstants, AreNotThoseOfDepthwiseConvolutions) {
  const auto layer = [](std::string_view op) {
    return Lines{placeholder("x", {-1, -1, -1, -1}), large_constant("w"),
                 typed("w/read", "Identity", {"w"}), typed("y", op, {"x", "w/read"})};
  };
  EXPECT_EQ(op_after_quantizing(layer("Conv2D"), "w"), "Dequantize");
  EXPECT_EQ(op_after_quantizing(layer("DepthwiseConv2dNative"), "w"), "Const");
}

TEST(QuantizedConstants, InALoopWithoutACondition) {
  const Lines loop = {large_constant("w"), typed("m", "Merge", {"w", "n"}),
                      typed("n", "NextIteration", {"m"})};
  EXPECT_EQ(op_after_quantizing(loop, "w"), "Dequantize");
}

}  // namespace
}  // namespace cryo
