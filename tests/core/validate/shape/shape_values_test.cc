#include "checked.h"

namespace cryo {
namespace {

Attrs with(std::vector<std::pair<std::string, std::string>> more) {
  Attrs attrs = kFloats;
  attrs.insert(attrs.end(), more.begin(), more.end());
  return attrs;
}

TEST(ShapeValues, AShapeMayBePutTogether) {
  const auto filled = [](const std::vector<int64_t>& shape) {
    return found({ints("a", {2}), ints("b", {3}), ints("axis", {0}, true),
                  node("both", "ConcatV2", {"a", "b", "axis"},
                       {{"N", int_value(2)}, {"T", type_value(kInt32)}}),
                  placeholder("x", {}), node("zeros", "Fill", {"both", "x"}, kFloats),
                  placeholder("y", shape),
                  node("n", "AddN", {"zeros", "y"}, with({{"N", int_value(2)}}))});
  };
  EXPECT_EQ(filled({2, 3}), "");
  EXPECT_EQ(filled({3, 2}), "error shape-mismatch");
}

TEST(ShapeValues, AShapeMayBeWorkedOut) {
  const auto filled = [](const std::string& op, const std::vector<int64_t>& shape) {
    const Attrs whole = {{"T", type_value(kInt32)}};
    return found(
        {placeholder("of", {2, 3}), node("rank", "Rank", {"of"}, kFloats),
         node("size", "Size", {"of"}, kFloats), ints("one", {1}, true),
         node("less", op, {"rank", "one"}, whole),
         node("both", "Pack", {"less", "size"}, {{"N", int_value(2)}, {"T", type_value(kInt32)}}),
         placeholder("x", {}), node("zeros", "Fill", {"both", "x"}, kFloats),
         placeholder("y", shape), node("n", "AddN", {"zeros", "y"}, with({{"N", int_value(2)}}))});
  };
  EXPECT_EQ(filled("Sub", {1, 6}), "");
  EXPECT_EQ(filled("Sub", {2, 6}), "error shape-mismatch");
  EXPECT_EQ(filled("AddV2", {3, 6}), "");
  EXPECT_EQ(filled("Mul", {2, 6}), "");
  EXPECT_EQ(filled("Mul", {2, 5}), "error shape-mismatch");
}

// A Reshape of x[4,6] to [Prod(shape of y), -1].
TEST(ShapeValues, AShapeMayBeComputedFromConstants) {
  const Attrs whole = {{"T", type_value(kInt32)}};
  const auto reshaped = [&](const std::string& op, const std::vector<int64_t>& of) {
    return found(
        {placeholder("y", of), node("shape", "Shape", {"y"}, kFloats), ints("zero", {0}),
         node("rows", op, {"shape", "zero"},
              {{"T", type_value(kInt32)}, {"Tidx", type_value(kInt32)}}),
         ints("rest", {-1}, true),
         node("to", "Pack", {"rows", "rest"}, {{"N", int_value(2)}, {"T", type_value(kInt32)}}),
         placeholder("x", {4, 6}), node("n", "Reshape", {"x", "to"}, kFloats)});
  };
  EXPECT_EQ(reshaped("Prod", {2, 3}), "");
  EXPECT_EQ(reshaped("Prod", {5, 1}), "error shape-mismatch");
  EXPECT_EQ(reshaped("Max", {2, 3}), "");
  EXPECT_EQ(reshaped("Max", {2, 5}), "error shape-mismatch");
  EXPECT_EQ(reshaped("Prod", {-1, 5}), "");  // not known while it is imported
}

// One size of a shape is known where another is not; a computation of both is not followed.
TEST(ShapeValues, ASizeMayBeTakenFromAShape) {
  const auto filled = [](int32_t place, int64_t size) {
    return found({placeholder("y", {-1, 5}), node("shape", "Shape", {"y"}, kFloats),
                  ints("begin", {place}), ints("end", {place + 1}), ints("step", {1}),
                  node("size", "StridedSlice", {"shape", "begin", "end", "step"},
                       {{"T", type_value(kInt32)},
                        {"Index", type_value(kInt32)},
                        {"shrink_axis_mask", int_value(1)}}),
                  node("to", "Pack", {"size"}, {{"N", int_value(1)}, {"T", type_value(kInt32)}}),
                  placeholder("zero", {}), node("zeros", "Fill", {"to", "zero"}, kFloats),
                  placeholder("x", {size}), node("n", "AddV2", {"zeros", "x"}, kFloats)});
  };
  EXPECT_EQ(filled(1, 5), "");
  EXPECT_EQ(filled(1, 4), "error shape-mismatch");
  EXPECT_EQ(filled(0, 4), "");
}

}  // namespace
}  // namespace cryo
