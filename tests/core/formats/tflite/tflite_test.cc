#include "formats/tflite/tflite.h"

#include "files.h"
#include "formats/open.h"
#include "formats/tflite/range_source.h"
#include "formats/tflite/tflite_later_rules.h"
#include "formats/tflite/tflite_recurrent_rules.h"
#include "formats/tflite/tflite_rules.h"
#include "formats/tflite/tflite_stablehlo_rules.h"
#include "formats/tflite/translate.h"
#include "graph/tensor_info.h"
#include "graphs.h"
#include "rule_check.h"
#include "tflite_models.h"

namespace cryo {
namespace {

using Floats = std::vector<float>;

Result<Model> opened(const std::string& bytes, Diagnostics& diagnostics) {
  return open({std::make_shared<MemorySource>(bytes, "m.tflite")}, {}, diagnostics);
}

Model opened(const LiteModel& made) {
  Diagnostics diagnostics;
  auto model = opened(made.file(), diagnostics);
  EXPECT_TRUE(model.ok()) << (model ? "" : to_text(model.error()));
  return model ? *model : Model();
}

Lines lines_of(const LiteModel& made) { return described(opened(made).graph); }

Floats values(const Model& model, std::string_view name) {
  const Node constant = find(model.graph, name);
  const auto tensor = read_tensor(tensor_attr(constant, "value").value_or(""), *model.payloads);
  EXPECT_TRUE(tensor.ok());
  const auto content = tensor ? tensor->content.read_all() : Result<std::string>(std::string());
  EXPECT_TRUE(content.ok()) << (content ? "" : to_text(content.error()));
  Floats numbers(content ? content->size() / 4 : 0);
  if (content) std::memcpy(numbers.data(), content->data(), numbers.size() * 4);
  return numbers;
}

std::string bytes_of(const std::vector<int>& numbers) {
  std::string bytes;
  for (const int number : numbers) bytes += static_cast<char>(number);
  return bytes;
}

TEST(Tflite, RulesAreOfOpsAsTheyAreDefined) {
  std::string all;
  for (const std::string_view text : {kTfliteRules, kTfliteLaterRules, kTfliteStablehloRules,
                                      kTfliteRecurrentRules, kRangeRules}) {
    all += text;
  }
  EXPECT_EQ(rule_faults(all), Lines());
}

TEST(Tflite, AnOperatorIsNodesNamedAfterItsOutput) {
  const Model model = opened(made_conv());
  EXPECT_EQ(described(model.graph),
            Lines({"x = Placeholder()", "net/Relu6/kernel = Const()",
                   "net/Relu6/conv = Conv2D(x, net/Relu6/kernel)", "b = Const()",
                   "net/Relu6/conv_1 = BiasAdd(net/Relu6/conv, b)",
                   "net/Relu6 = Relu6(net/Relu6/conv_1)"}));
  const tensorflow::MetaGraphDef& meta = parse_meta(model);
  ASSERT_EQ(meta.signature_def_size(), 1);
  EXPECT_EQ(meta.signature_def(0).key(), "serving_default");
  EXPECT_EQ(meta.signature_def(0).value().inputs(0).value().name(), "x:0");
  EXPECT_EQ(meta.signature_def(0).value().inputs(0).value().tensor_shape().dim(0).size(), -1);
}

TEST(Tflite, AFilterIsTransposedWhileItIsRead) {
  const Model model = opened(made_conv());
  EXPECT_EQ(values(model, "net/Relu6/kernel"), Floats({1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(output_shape(find(model.graph, "net/Relu6/kernel"), 0).dims,
            (std::vector<int64_t>{1, 1, 3, 2}));
}

TEST(Tflite, QuantizedWeightsAreRealNumbers) {
  LiteModel made = made_conv();
  LiteTensor& filter = made.tensors[1];
  filter.type = tflite::Type::kINT8;
  filter.content = bytes_of({1, 2, -3, 4, 5, 6});
  filter.scales = {0.5F, 2};
  filter.zero_points = {0, 1};
  EXPECT_EQ(values(opened(made), "net/Relu6/kernel"), Floats({0.5F, 6, 1, 8, -1.5F, 10}));
  filter.type = tflite::Type::kINT4;
  filter.content = bytes_of({0x21, 0x4D, 0x65});
  EXPECT_EQ(values(opened(made), "net/Relu6/kernel"), Floats({0.5F, 6, 1, 8, -1.5F, 10}));
}

TEST(Tflite, TheRangeOfAQuantizedTensorIsKept) {
  LiteModel made = made_conv();
  LiteTensor& output = made.tensors[3];
  output.type = tflite::Type::kINT8;
  output.scales = {0.5F};
  output.zero_points = {-128};
  const auto last = [&] { return lines_of(made).back(); };
  EXPECT_EQ(last(), "net/Relu6 = Minimum(net/Relu6/Relu, net/Relu6/constant)");
  output.zero_points = {0};
  EXPECT_EQ(last(), "net/Relu6 = Maximum(net/Relu6/Minimum, net/Relu6/constant_1)");
  output.scales = {6.0F / 255};
  output.zero_points = {-128};
  EXPECT_EQ(last(), "net/Relu6 = Relu6(net/Relu6/value)");
}

TEST(Tflite, AnUnknownOperatorIsANodeOfItsName) {
  LiteModel made = made_conv();
  made.operators[0] = {.code = tflite::BuiltinOperator::kCUSTOM,
                       .inputs = {0, -1, 2},
                       .outputs = {3},
                       .custom_code = "TheirOwn"};
  EXPECT_EQ(lines_of(made),
            Lines({"x = Placeholder()", "b = Const()", "net/Relu6 = TheirOwn(x, b)"}));
}

TEST(Tflite, AnOutputThatIsAnInputHasANodeOfItsOwn) {
  LiteModel made = made_conv();
  made.outputs = {3, 0};
  EXPECT_EQ(lines_of(made).back(), "x/output = Identity(x)");
}

LiteModel made_depthwise(uint64_t stride_h) {
  FlatMade options;
  options
      .number(0, 1, 0)  // SAME
      .number(1, 4, 1)
      .number(2, 4, stride_h)
      .number(3, 4, 1);
  return {.tensors = {{.name = "x", .shape = {1, 4, 4, 2}},
                      {.name = "w", .shape = {1, 3, 3, 2}, .content = float_bytes(Floats(18, 1))},
                      {.name = "y", .shape = {1, 2, 4, 2}}},
          .operators = {{.code = tflite::BuiltinOperator::kDEPTHWISECONV2D,
                         .inputs = {0, 1},
                         .outputs = {2},
                         .options_type = 2,
                         .options = options}},
          .inputs = {0},
          .outputs = {2}};
}

TEST(Tflite, ADepthwiseConvolutionWithUnequalStridesSkipsElements) {
  const Model model = opened(made_depthwise(2));
  EXPECT_EQ(described(model.graph).back(),
            "y = StridedSlice(y/conv_1, y/constant_3, y/constant_3, y/strides)");
  const Node dilated = find(model.graph, "y/dilated");
  std::vector<std::string_view> inputs;
  for (const std::string_view input : dilated.inputs()) inputs.push_back(input);
  const Node paddings = find(model.graph, inputs.at(2));
  const auto tensor = read_tensor(*tensor_attr(paddings, "value"), *model.payloads);
  EXPECT_EQ(integers_of(*tensor), (std::vector<int64_t>{0, 1, 1, 1}));
}

// Files of 2018 have no shapes of intermediate tensors.
TEST(Tflite, AnInputOfUnknownShapeHasTheChannelsOfTheMultiplier) {
  LiteModel made = made_depthwise(1);
  made.tensors[0].shape = {};
  const Model model = opened(made);
  EXPECT_EQ(output_shape(find(model.graph, "y/depthwise_kernel"), 0).dims,
            (std::vector<int64_t>{3, 3, 2, 1}));
  made = made_depthwise(2);
  made.tensors[0].shape = {};
  EXPECT_EQ(lines_of(made).back(), "y = DEPTHWISE_CONV_2D(x, w)") << "paddings need sizes";
}

TEST(Tflite, DamageIsADiagnostic) {
  const std::string whole = made_conv().file();
  for (size_t size = 0; size < whole.size(); ++size) {
    Diagnostics diagnostics;
    const auto model = opened(whole.substr(0, size), diagnostics);
    if (!model) EXPECT_NE(model.error().code, "") << size;
  }
  for (size_t at = 8; at < whole.size(); ++at) {
    for (const int flip : {0x01, 0x80, 0xFF}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      Diagnostics diagnostics;
      const auto model = opened(damaged, diagnostics);
      if (!model) EXPECT_NE(model.error().code, "") << at;
    }
  }
}

TEST(Tflite, IndicesOutsideAreRefused) {
  const auto refused = [](const LiteModel& made) {
    Diagnostics diagnostics;
    const auto model = opened(made.file(), diagnostics);
    return model ? "opened" : model.error().message;
  };
  LiteModel made = made_conv();
  made.operators[0].inputs = {0, 9};
  EXPECT_EQ(refused(made), "expected tensors of the graph for 'CONV_2D'");
  made = made_conv();
  made.operators[0].outputs = {0};
  EXPECT_EQ(refused(made), "expected that tensor 0 is made once; found 'CONV_2D' makes it, too");
  made = made_conv();
  made.operators[0].inputs = {0, 1, 3};
  EXPECT_EQ(refused(made), "expected that tensor 3 is made before 'CONV_2D' takes it");
  made = made_conv();
  made.tensors[0].shape = {1, -4};
  EXPECT_EQ(refused(made), "expected a shape; found [1,-4]")
      << "the sizes are those it starts with";
  made = made_conv();
  made.operators[0].code = 999;
  EXPECT_EQ(refused(made), "expected the code of an operator; found 999");
}

// Files of 700 bytes name any shape: its content is a fault, which only reading returns.
TEST(Tflite, AConstantOfAnotherSizeIsAFaultWhenItIsRead) {
  LiteModel made = made_conv();
  made.tensors[2].shape = {3};
  Diagnostics diagnostics;
  const auto model = opened(made.file(), diagnostics);
  ASSERT_TRUE(model.ok());
  ASSERT_EQ(diagnostics.all().size(), 1U);
  EXPECT_EQ(diagnostics.all()[0].message,
            "expected 12 bytes of 'b' by its type and shape; found 8");
}

}  // namespace
}  // namespace cryo
