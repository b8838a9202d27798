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

}  // namespace
}  // namespace cryo
