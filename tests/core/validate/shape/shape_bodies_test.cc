#include "functions.h"

namespace cryo {
namespace {

// "shape-mismatch F/mm", one for each finding.
Lines places(const std::vector<std::string>& nodes,
             const std::vector<tensorflow::FunctionDef>& functions) {
  Parts parts{nodes, functions};
  put_varint_field(parts.versions, 1, 100);  // in which scalars are scalars
  Lines lines;
  for (const std::string& line : findings(parts)) {
    const std::vector<std::string_view> words = split(line, ' ');
    lines.push_back(cat(words[1], " ", words[2].substr(0, words[2].size() - 1)));
  }
  return lines;
}

// Itself(a) -> r: a matrix by itself.
tensorflow::FunctionDef square(const std::string& name = "Itself") {
  return body(name, {{"a", kFloat32}}, {{"r", kFloat32, "mm:product:0"}},
              {typed("mm", "MatMul", {"a", "a"})});
}

TEST(ShapesInBodies, ArgumentsHaveTheShapesOfTheCallsInputs) {
  const std::string call = call_of("c", "Itself", {"x"}, {kFloat32}, {kFloat32});
  EXPECT_EQ(places({placeholder("x", {2, 2}), call}, {square()}), Lines());
  EXPECT_EQ(places({placeholder("x", {2, 3}), call}, {square()}),
            Lines{"shape-mismatch Itself/mm"});
  EXPECT_EQ(places({placeholder("x", {2, 3}), node("c", "MySquare", {"x"})}, {square("MySquare")}),
            Lines{"shape-mismatch MySquare/mm"});
}

TEST(ShapesInBodies, WhatAFunctionGivesHasTheShapeOfItsReturn) {
  const std::string call = call_of("c", "Itself", {"x"}, {kFloat32}, {kFloat32});
  const auto added = [&](int64_t length) {
    return places({placeholder("x", {2, 2}), placeholder("b", {length}), call,
                   typed("sum", "BiasAdd", {"c", "b"})},
                  {square()});
  };
  EXPECT_EQ(added(2), Lines());
  EXPECT_EQ(added(3), Lines{"shape-mismatch sum"});
}

TEST(ShapesInBodies, ThroughAnyDepthAndToldOnce) {
  const auto outer = body("Outer", {{"a", kFloat32}}, {{"r", kFloat32, "in:output:0"}},
                          {call_of("in", "Itself", {"a"}, {kFloat32}, {kFloat32})});
  const auto calls = [&](int64_t columns) {
    return places(
        {placeholder("x", {2, columns}), call_of("c", "Outer", {"x"}, {kFloat32}, {kFloat32}),
         call_of("d", "Outer", {"x"}, {kFloat32}, {kFloat32})},
        {outer, square()});
  };
  EXPECT_EQ(calls(2), Lines());
  EXPECT_EQ(calls(3), Lines{"shape-mismatch Itself/mm"});
}

TEST(ShapesInBodies, ValuesOfArgumentsCount) {
  const auto reshape = body("R", {{"a", kFloat32}, {"to", kInt32}}, {{"r", kFloat32, "n:output:0"}},
                            {node("n", "Reshape", {"a", "to"},
                                  {{"T", type_value(kFloat32)}, {"Tshape", type_value(kInt32)}})});
  const auto to = [&](int32_t size) {
    return places({placeholder("x", {2, 3}), ints("size", {size}),
                   call_of("c", "R", {"x", "size"}, {kFloat32, kInt32}, {kFloat32})},
                  {reshape});
  };
  EXPECT_EQ(to(6), Lines());
  EXPECT_EQ(to(4), Lines{"shape-mismatch R/n"});
  const auto twice = [&](int32_t second) {
    return places({placeholder("x", {2, 3}), ints("six", {6}), ints("size", {second}),
                   call_of("c", "R", {"x", "six"}, {kFloat32, kInt32}, {kFloat32}),
                   call_of("d", "R", {"x", "size", "^c"}, {kFloat32, kInt32}, {kFloat32})},
                  {reshape});
  };
  EXPECT_EQ(twice(6), Lines());
  EXPECT_EQ(twice(4), Lines{"shape-mismatch R/n"}) << "of the same shapes as the first call";
}

TEST(ShapesInBodies, HandlesCarryWhatIsBehindThem) {
  const auto adding =
      body("Read", {{"v", kResource}}, {{"r", kFloat32, "sum:output:0"}},
           {read_of("value", "v"), typed("sum", "BiasAdd", {"value:value:0", "value:value:0"})});
  const auto of = [&](const std::vector<int64_t>& shape) {
    return places(
        {variable("w", shape, "VarHandleOp"), call_of("c", "Read", {"w"}, {kResource}, {kFloat32})},
        {adding});
  };
  EXPECT_EQ(of({3}), Lines{"shape-mismatch Read/sum"}) << "a vector is no batch";
  const auto wrong =
      body("Read", {{"v", kResource}}, {{"r", kInt32, "value:value:0"}},
           {node("value", "ReadVariableOp", {"v"}, {{"dtype", type_value(kInt32)}})});
  const auto call = call_of("c", "Read", {"w"}, {kResource}, {kInt32});
  EXPECT_EQ(places({variable("w", {3}, "VarHandleOp"), call}, {wrong}),
            Lines{"variable-type Read/value"});
}

TEST(ShapesInBodies, CallsWithOtherVariablesAreToldApart) {
  const auto square_of =
      body("SquareOf", {{"v", kResource}}, {{"r", kFloat32, "mm:product:0"}},
           {read_of("value", "v"), typed("mm", "MatMul", {"value:value:0", "value:value:0"})});
  const auto then_of = [&](const std::vector<int64_t>& shape) {
    return places({variable("w", {2, 2}, "VarHandleOp"), variable("other", shape, "VarHandleOp"),
                   call_of("c", "SquareOf", {"w"}, {kResource}, {kFloat32}),
                   call_of("d", "SquareOf", {"other", "^c"}, {kResource}, {kFloat32})},
                  {square_of});
  };
  EXPECT_EQ(then_of({2, 2}), Lines());
  EXPECT_EQ(then_of({2, 3}), Lines{"shape-mismatch SquareOf/mm"}) << "handles are alike";
}

TEST(ShapesInBodies, ImportDoesNotLookIntoBranches) {
  const std::string branch = node("if", "If", {"p", "x"},
                                  {{"Tcond", type_value(kFloat32)},
                                   {"Tin", type_list_value({kFloat32})},
                                   {"Tout", type_list_value({kFloat32})},
                                   {"then_branch", func_value("Itself")},
                                   {"else_branch", func_value("Itself")}});
  EXPECT_EQ(places({placeholder("p", {1}), placeholder("x", {2, 3}), branch}, {square()}), Lines());
}

TEST(ShapesInBodies, WhatABranchOrALoopNotesOfItsOutputsCounts) {
  const auto branch = [&](const std::vector<std::vector<int64_t>>& noted, int64_t columns) {
    tensorflow::AttrValue shapes;
    shapes.mutable_list();
    for (const auto& shape : noted) {
      shapes.mutable_list()->add_shape()->ParseFromString(shape_bytes(shape));
    }
    const std::string node_if = node("if", "If", {"p", "x"},
                                     {{"Tcond", type_value(kFloat32)},
                                      {"Tin", type_list_value({kFloat32})},
                                      {"Tout", type_list_value({kFloat32})},
                                      {"then_branch", func_value("Itself")},
                                      {"else_branch", func_value("Itself")},
                                      {"output_shapes", shapes.SerializeAsString()}});
    return places({placeholder("p", {1}), placeholder("x", {2, 2}), placeholder("b", {columns}),
                   node_if, typed("sum", "BiasAdd", {"if", "b"})},
                  {square()});
  };
  EXPECT_EQ(branch({}, 3), Lines());
  EXPECT_EQ(branch({{2, 2}}, 2), Lines());
  EXPECT_EQ(branch({{2, 2}}, 3), Lines{"shape-mismatch sum"});
  EXPECT_EQ(branch({{2, 2}, {2}}, 2), Lines{"shape-mismatch if"});
}

// 2^40 calls, which is more than anyone follows.
TEST(ShapesInBodies, FunctionsThatCallTwiceEachTakeNoTimeWithoutEnd) {
  std::vector<tensorflow::FunctionDef> functions = {square("F0")};
  for (int i = 1; i <= 40; ++i) {
    const std::string next = cat("F", i - 1);
    functions.push_back(body(cat("F", i), {{"a", kFloat32}}, {{"r", kFloat32, "two:output:0"}},
                             {call_of("one", next, {"a"}, {kFloat32}, {kFloat32}),
                              call_of("two", next, {"one:output:0"}, {kFloat32}, {kFloat32})}));
  }
  EXPECT_EQ(places({placeholder("x", {2, 2}), call_of("c", "F40", {"x"}, {kFloat32}, {kFloat32})},
                   functions),
            Lines());
}

}  // namespace
}  // namespace cryo
