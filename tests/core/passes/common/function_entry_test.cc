#include "passes/common/function_entry.h"

#include "files.h"
#include "formats/open.h"
#include "functions.h"
#include "model/meta.h"

namespace cryo {
namespace {

// A module without a signature: __call__, logits, and the same of the module `inner`.
Model functions() {
  std::vector<SourcePtr> files;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(fixture("objects/functions"))) {
    if (auto source = file_source(file.path())) files.push_back(std::move(source));
  }
  Diagnostics diagnostics;
  return *open(files, {}, diagnostics);
}

struct Entered {
  explicit Entered(const std::string& function, const Model& model = functions())
      : result(with_function_entry(model, function)) {}

  const tensorflow::SignatureDef& signature() const {
    return parse_meta(*result).signature_def().rbegin()->value();
  }
  std::string call() const { return described(result->graph.nodes().back()); }

  Result<Model> result;
};

template <typename Values>
std::string to_text(const Values& values) {
  std::string text;
  for (const auto& each : values) {
    text += cat(each.key(), "=", each.value().name(), " ",
                cryo::to_text(*read_shape(each.value().tensor_shape())), ";");
  }
  return text;
}

TEST(FunctionEntry, IsTheFunctionOfAnObject) {
  const Entered entered("logits");
  ASSERT_TRUE(entered.result.ok()) << failure_of(entered.result);
  EXPECT_EQ(to_text(entered.signature().inputs()), "image=serving_image:0 [?,4];");
  EXPECT_EQ(to_text(entered.signature().outputs()), "output_0=StatefulPartitionedCall_2:0 [?,3];");
  EXPECT_EQ(parse_meta(*entered.result).signature_def().rbegin()->key(), "logits");
}

// The variables of both modules are named alike: the objects tell which a function captures.
TEST(FunctionEntry, TakesTheVariablesOfItsOwnObject) {
  const std::string outer = Entered("logits").call();
  const std::string inner = Entered("inner/logits").call();
  const std::string before = "StatefulPartitionedCall_2 = StatefulPartitionedCall(serving_image, ";
  EXPECT_TRUE(outer.starts_with(before)) << outer;
  EXPECT_TRUE(inner.starts_with(before)) << inner;
  EXPECT_NE(outer, inner);
}

TEST(FunctionEntry, IsAFunctionOfTheLibraryByItsName) {
  const Model model = functions();
  const Result<Model> unclear = with_function_entry(model, "__call__");
  ASSERT_FALSE(unclear.ok());
  EXPECT_EQ(unclear.error().code, "several-functions");
  int with_training = 0;
  for (const Function& each : model.graph.functions()) {
    const std::string name(each.name);
    if (unclear.error().message.find(cat("= ", name)) == std::string::npos) continue;
    const Entered entered(name, model);
    ASSERT_TRUE(entered.result.ok()) << failure_of(entered.result);
    EXPECT_EQ(to_text(entered.signature().inputs()), "x=serving_x:0 [2,4];");
    const auto outputs = entered.signature().outputs().size();
    EXPECT_TRUE(outputs == 1 || outputs == 3) << outputs;
    with_training += outputs == 3;
  }
  EXPECT_EQ(with_training, 1);
}

TEST(FunctionEntry, OfNoFunctionListsThoseThereAre) {
  const Result<Model> made = with_function_entry(functions(), "encode");
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, "no-such-function");
  for (const char* each : {"__call__(x [2,4], False) -> p", "inner/logits(image [?,4]) -> output_0",
                           "more_0, more_1, p"}) {
    EXPECT_NE(made.error().message.find(each), std::string::npos) << made.error().message;
  }
}

// Nothing tells what a function captures that no object has; its arguments are inputs.
TEST(FunctionEntry, TakesOrdinaryArgumentsOfAPlainFunction) {
  const auto model_with = [](const std::vector<Typed>& arguments) {
    return Model{
        Kind::kGraphDef,
        "model",
        {},
        true,
        graph_of(Parts{{placeholder("x")}, {body("f", arguments, {{"y", kFloat32, "a"}}, {})}})};
  };
  const Entered plain("f", model_with({{"a", kFloat32}}));
  ASSERT_TRUE(plain.result.ok()) << failure_of(plain.result);
  EXPECT_EQ(described(plain.result->graph),
            (Lines{"x = Placeholder()", "serving_a = Placeholder()",
                   "StatefulPartitionedCall = StatefulPartitionedCall(serving_a)"}));
  const Entered captures("f", model_with({{"a", kFloat32}, {"h", kResource}}));
  ASSERT_FALSE(captures.result.ok());
  EXPECT_EQ(captures.result.error().code, "function-captures");
}

}  // namespace
}  // namespace cryo
