#include "passes/set/set_values.h"

#include <gtest/gtest.h>

#include "checked.h"
#include "graphs.h"

namespace cryo {
namespace {

std::string of_type(DType dtype, std::string_view op = "Placeholder") {
  const auto inputs = op == "PlaceholderWithDefault" ? Lines{"default"} : Lines{};
  return node("p", op, inputs,
              {{"dtype", type_value(static_cast<int>(dtype))}, {"shape", shape_value("")}});
}

Result<Model> set(const std::vector<std::string>& nodes, const Lines& values,
                  const Lines& inputs = {}) {
  Conversions converted;
  Diagnostics diagnostics;
  return with_set_values(model_of(nodes), values, {.inputs = inputs}, true, nullptr, converted,
                         diagnostics);
}

// The content of the constant, or the code of the error.
std::string content(DType dtype, const std::string& value) {
  const auto model = set({of_type(dtype)}, {"p=" + value});
  if (!model) return model.error().code;
  const Node p = find(model->graph, "p");
  EXPECT_EQ(p.op, "Const");
  EXPECT_EQ(type_attr(p, "dtype"), static_cast<int>(dtype));
  EXPECT_FALSE(find_attr(p, "shape"));
  const auto tensor = read_tensor(*tensor_attr(p, "value"), *model->payloads);
  if (!tensor) return tensor.error().code;
  EXPECT_EQ(tensor->dtype, dtype);
  EXPECT_EQ(tensor->shape, Shape{});
  return *tensor->content.read_all();
}

TEST(SetValues, MakesAConstOfEachTypeOfScalar) {
  for (const char* yes : {"true", "True", "1"}) {
    EXPECT_EQ(content(DType::kBool, yes), std::string("\1", 1)) << yes;
  }
  EXPECT_EQ(content(DType::kBool, "false"), std::string("\0", 1));
  EXPECT_EQ(content(DType::kInt8, "-128"), "\x80");
  EXPECT_EQ(content(DType::kUint8, "255"), "\xFF");
  EXPECT_EQ(content(DType::kInt32, "-2"), "\xFE\xFF\xFF\xFF");
  EXPECT_EQ(content(DType::kInt64, "-9223372036854775808"), std::string("\0\0\0\0\0\0\0\x80", 8));
  EXPECT_EQ(content(DType::kUint64, "18446744073709551615"), std::string(8, '\xFF'));
  EXPECT_EQ(content(DType::kFloat, "0.5"), std::string("\0\0\0\x3F", 4));
  EXPECT_EQ(content(DType::kDouble, "-1e0"), std::string("\0\0\0\0\0\0\xF0\xBF", 8));
  EXPECT_EQ(content(DType::kString, "a=b").substr(5), "a=b");
}

TEST(SetValues, TakesListsOfThePlaceholdersShape) {
  const auto value = [](const std::vector<int64_t>& dims, const char* text) {
    const auto made = set({placeholder("p", dims)}, {text});
    if (!made) return cat(made.error().code, ": ", made.error().message);
    const Result<Tensor> tensor =
        read_tensor(tensor_attr(find(made->graph, "p"), "value").value_or(""), *made->payloads);
    std::string shown = to_text(tensor->shape);
    for (const float each : floats(tensor)) shown += cat(" ", static_cast<int>(each));
    return shown;
  };
  EXPECT_EQ(value({2}, "p=[2,6]"), "[2] 2 6");
  EXPECT_EQ(value({-1}, "p=[2, 6, 7]"), "[3] 2 6 7");
  EXPECT_EQ(value({2, 2}, "p=[[1,2],[3,4]]"), "[2,2] 1 2 3 4");
  EXPECT_EQ(value({-1}, "p=[]"), "[0]");
  EXPECT_EQ(value({}, "p=[[1]]"), "[1,1] 1");  // a shape without dimensions may be an unknown one
  EXPECT_EQ(value({2}, "p=[1,2,3]"),
            "wrong-shape: 'p' is of shape [2]; 'p=[1,2,3]' is of shape [3]");
  for (const char* text :
       {"p=[1,2", "p=[1,[2]]", "p=[[1],2]", "p=[1,]", "p=[1]2", "p=[,1]", "p=["}) {
    EXPECT_EQ(value({2}, text).substr(0, 10), "bad-option") << text;
  }
}

// A shape without dimensions is that of a scalar since producer 22.
TEST(SetValues, TakesNoListForAScalar) {
  Parts parts{{placeholder("p", {})}};
  put_varint_field(parts.versions, 1, 22);
  Model model;
  model.graph = graph_of(parts);
  Conversions converted;
  Diagnostics diagnostics;
  const auto made = with_set_values(model, {"p=[1,2]"}, {}, true, nullptr, converted, diagnostics);
  ASSERT_FALSE(made);
  EXPECT_EQ(cat(made.error().code, ": ", made.error().message),
            "wrong-shape: 'p' is of shape []; 'p=[1,2]' is of shape [2]");
}

TEST(SetValues, RefusesWhatIsNoValueOfTheType) {
  for (const char* value : {"", "yes", "TRUE", "2"}) {
    EXPECT_EQ(content(DType::kBool, value), "bad-option") << value;
  }
  for (const char* value :
       {"", "-", "1.5", "2147483648", "-2147483649", "0x1", " 1", "1 ", "--1"}) {
    EXPECT_EQ(content(DType::kInt32, value), "bad-option") << value;
  }
  for (const char* value : {"", "nan", "inf", "1e39", "0.5f", " 1"}) {
    EXPECT_EQ(content(DType::kFloat, value), "bad-option") << value;
  }
  EXPECT_EQ(content(DType::kUint64, "-1"), "bad-option");
  EXPECT_EQ(content(DType::kUint64, "18446744073709551616"), "bad-option");
  EXPECT_EQ(content(DType::kComplex64, "1"), "unsupported-dtype");
}

TEST(SetValues, RefusesWhatIsNotAPlaceholderOfAScalar) {
  const auto code = [](const std::string& node, const Lines& values, const Lines& inputs = {}) {
    return set({node}, values, inputs).error().code;
  };
  EXPECT_EQ(code(of_type(DType::kBool), {"q=true"}), "not-in-graph");
  EXPECT_EQ(code(node("p", "Relu"), {"p=true"}), "not-a-placeholder");
  EXPECT_EQ(code(placeholder("p", {1}), {"p=1"}), "not-a-scalar");
  EXPECT_EQ(code(placeholder("p", {2}), {"p=[1,2,3]"}), "wrong-shape");
  const std::string texts = node(
      "p", "Placeholder", {}, {{"dtype", type_value(7)}, {"shape", shape_value(shape_bytes({2}))}});
  EXPECT_EQ(code(texts, {"p=a text"}), "not-a-scalar");

  for (const char* text : {"p", "", "=true"}) {
    EXPECT_EQ(code(of_type(DType::kBool), {text}), "bad-option") << text;
  }
  EXPECT_EQ(code(of_type(DType::kBool), {"p=true", "p=false"}), "bad-option");
  EXPECT_EQ(code(of_type(DType::kBool), {"p=true"}, {"p:0"}), "bad-option");
}

TEST(SetValues, TakesADefaultAway) {
  const auto model =
      set({node("default", "Const"), of_type(DType::kBool, "PlaceholderWithDefault")}, {"p=true"});
  EXPECT_EQ(described(model->graph), (Lines{"default = Const()", "p = Const()"}));
}

TEST(SetValues, TakesTheInputOutOfTheSignatures) {
  Model model = model_of({of_type(DType::kBool), placeholder("x"), node("y", "Op", {"x", "p"})});
  tensorflow::MetaGraphDef meta;
  auto& signature = *meta.add_signature_def();
  signature.set_key("s");
  for (const char* name : {"x", "p"}) {
    auto& input = *signature.mutable_value()->add_inputs();
    input.set_key(name);
    input.mutable_value()->set_name(cat(name, ":0"));
  }
  set_meta(model, meta);
  Conversions converted;
  Diagnostics diagnostics;
  const auto made = with_set_values(model, {"p=true"}, {}, true, nullptr, converted, diagnostics);
  const auto inputs = parse_meta(*made).signature_def(0).value().inputs();
  ASSERT_EQ(inputs.size(), 1);
  EXPECT_EQ(inputs[0].key(), "x");
  ASSERT_EQ(converted.size(), 1U);
  EXPECT_EQ(converted[0].from + " " + converted[0].to, "Placeholder Const");
}

}  // namespace
}  // namespace cryo
