#include "passes/weights/several_models.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "graphs.h"
#include "passes/weights/extract.h"
#include "tensor/views/combined_source.h"

namespace cryo {
namespace {

template <typename T>
std::string bytes_of(const std::vector<T>& numbers) {
  std::string bytes(numbers.size() * sizeof(T), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

CheckpointEntry entry(std::string key, DType dtype, Shape shape, std::string content) {
  CheckpointEntry made{std::move(key), dtype, std::move(shape), content.size()};
  made.content.append(fresh(std::move(content)));
  return made;
}

Model model_of_entries(std::string name, std::vector<CheckpointEntry> entries) {
  Model model{Kind::kCheckpoint, std::move(name)};
  Checkpoint checkpoint;
  checkpoint.entries = std::move(entries);
  model.checkpoint = std::make_shared<const Checkpoint>(std::move(checkpoint));
  return model;
}

CheckpointEntry floats(std::string key, const std::vector<float>& numbers) {
  const auto count = static_cast<int64_t>(numbers.size());
  return entry(std::move(key), DType::kFloat, {false, {count}}, bytes_of(numbers));
}

CheckpointEntry step(int64_t at) {
  return entry("step", DType::kInt64, {false, {}}, bytes_of(std::vector<int64_t>{at}));
}

struct Made {
  Lines lines = {};  // "name: bytes in hexadecimal", or the error's code and message
  Diagnostics diagnostics = {};
};

// All but the first.
std::vector<const Model*> more_of(const std::vector<Model>& models) {
  std::vector<const Model*> more;
  for (size_t i = 1; i < models.size(); ++i) more.push_back(&models[i]);
  return more;
}

Made made_of(const std::vector<Model>& models, const WeightsOptions& options) {
  Made made;
  const auto weights =
      extract_weights(models.front(), more_of(models), options, nullptr, made.diagnostics);
  if (!weights) {
    made.lines = {weights.error().code, weights.error().message};
    return made;
  }
  for (const CheckpointEntry& each : weights->model.checkpoint->entries)
    made.lines.push_back(each.key);
  return made;
}

std::string content_of(const std::vector<Model>& models, const std::string& name) {
  WeightsOptions options;
  options.average = true;
  Diagnostics diagnostics;
  const auto weights =
      extract_weights(models.front(), more_of(models), options, nullptr, diagnostics);
  if (!weights) return weights.error().code;
  return *weights->model.checkpoint->find(name)->content.read_all();
}

TEST(SeveralModels, PutsDisjointOnesTogether) {
  const Made made = made_of(
      {model_of_entries("a", {floats("x", {1})}), model_of_entries("b", {floats("w", {2})})}, {});
  EXPECT_EQ(made.lines, (Lines{"w", "x"}));
  EXPECT_EQ(codes(made.diagnostics), Lines{"weights-merged"});
}

TEST(SeveralModels, RefusesANameOfTwo) {
  const std::vector<Model> models = {model_of_entries("a", {floats("w", {1}), step(1)}),
                                     model_of_entries("b", {floats("v", {1}), step(2)}),
                                     model_of_entries("c", {floats("u", {1}), step(2)})};
  const Made refused = made_of(models, {});
  EXPECT_EQ(refused.lines, (Lines{"weight-in-several",
                                  "1 name is in more than one model: 'step' in 'a' and in 'b'"}));
  WeightsOptions without;
  without.weights.exclude = {"step"};
  EXPECT_EQ(made_of(models, without).lines, (Lines{"u", "v", "w"}));
}

// Rules and globs may be for the weights of one model alone.
TEST(SeveralModels, NamesWeightsOfAny) {
  const std::vector<Model> models = {model_of_entries("a", {floats("w", {1})}),
                                     model_of_entries("b", {floats("v", {1})})};
  WeightsOptions renamed;
  renamed.rename = {"v=t"};
  EXPECT_EQ(made_of(models, renamed).lines, (Lines{"t", "w"}));
  renamed.rename = {"nothing=t"};
  EXPECT_EQ(made_of(models, renamed).lines.front(), "rename-unused");
  WeightsOptions chosen;
  chosen.variables = {"v"};
  EXPECT_EQ(made_of(models, chosen).lines, Lines{"v"});
}

TEST(SeveralModels, TakesTheMeanRoundedOnce) {
  const float tiny = std::bit_cast<float>(0x33800000U);  // 2^-24: half of a unit of 1
  const std::vector<Model> models = {model_of_entries("a", {floats("w", {1, -0.0F})}),
                                     model_of_entries("b", {floats("w", {tiny, -0.0F})}),
                                     model_of_entries("c", {floats("w", {tiny, -0.0F})})};
  // In float32, 1 + 2^-24 is 1 each time. In float64 the sum is 1 + 2^-23.
  const auto third = static_cast<float>((1.0 + 2 * static_cast<double>(tiny)) / 3);
  EXPECT_NE(third, 1.0F / 3);
  EXPECT_EQ(content_of(models, "w"), bytes_of(std::vector<float>{third, -0.0F}));
}

TEST(SeveralModels, TakesTheLargestWholeNumber) {
  constexpr int64_t kLarge = (int64_t{1} << 62) + 1;  // no double holds it
  const std::vector<Model> models = {model_of_entries("a", {step(kLarge - 1)}),
                                     model_of_entries("b", {step(kLarge)}),
                                     model_of_entries("c", {step(-kLarge)})};
  EXPECT_EQ(content_of(models, "step"), bytes_of(std::vector<int64_t>{kLarge}));
  WeightsOptions options;
  options.average = true;
  EXPECT_EQ(codes(made_of(models, options).diagnostics),
            (Lines{"weights-averaged", "weights-largest"}));
  EXPECT_EQ(codes(made_of({models[0], models[0]}, options).diagnostics), Lines{"weights-averaged"});
}

TEST(SeveralModels, TakesEqualOnesOfOtherTypes) {
  const auto flag = [](const char* name, char value) {
    return model_of_entries(name,
                            {entry("flag", DType::kBool, {false, {}}, std::string(1, value))});
  };
  EXPECT_EQ(content_of({flag("a", 1), flag("b", 1)}, "flag"), std::string(1, 1));
  EXPECT_EQ(content_of({flag("a", 1), flag("b", 0)}, "flag"), "average-mismatch");
}

TEST(SeveralModels, RefusesAMeanOfOthersThanOneModels) {
  WeightsOptions options;
  options.average = true;
  EXPECT_EQ(made_of({model_of_entries("a", {step(1)})}, options).lines.front(), "bad-option");
  const Model a = model_of_entries("a", {floats("w", {1}), floats("x", {1})});
  EXPECT_EQ(
      made_of({a, model_of_entries("b", {floats("w", {1, 2}), floats("y", {1})})}, options).lines,
      (Lines{"average-mismatch",
             "the models cannot be averaged: 'w' is float32 [1] in 'a' and float32 [2] in "
             "'b'; 'b' lacks 'x'; 'a' lacks 'y'"}));
  std::vector<CheckpointEntry> many;
  for (const char* name : {"1", "2", "3", "4", "5", "6", "7"}) many.push_back(floats(name, {1}));
  const std::string message =
      made_of({model_of_entries("a", many), model_of_entries("a", {floats("1", {1})})}, options)
          .lines.back();
  EXPECT_NE(message.find("'a' (number 2) lacks '6'; 1 more"), std::string::npos) << message;
}

// Any part of the elements can be read, on no boundary.
TEST(CombinedSource, ReadsAnyPart) {
  std::vector<double> a(10000);
  std::vector<double> b(10000);
  std::vector<double> mean(10000);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<double>(i);
    b[i] = static_cast<double>(i * i);
    mean[i] = (a[i] + b[i]) / 2;
  }
  const Slice made =
      combined({Splice(fresh(bytes_of(a))), Splice(fresh(bytes_of(b)))}, DType::kDouble);
  const std::string expected = bytes_of(mean);
  for (const auto& [offset, size] : std::vector<std::pair<uint64_t, uint64_t>>{
           {0, 80000}, {3, 7}, {32767, 2}, {32761, 40001}, {79999, 1}}) {
    EXPECT_EQ(*Splice(made).sub(offset, size).read_all(), expected.substr(offset, size)) << offset;
  }
}

}  // namespace
}  // namespace cryo
