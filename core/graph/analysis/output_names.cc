#include "graph/analysis/output_names.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"

namespace cryo {
namespace {

// Words of names that no output has. "pred_id" is the condition of a tf.cond.
constexpr std::array<std::string_view, 17> kLossWords = {
    "pred_id",       "loss",     "cost",   "cross_entropy", "crossentropy", "xent",
    "accuracy",      "metrics",  "metric", "regulariz",     "weight_decay", "confusion_mat",
    "zero_fraction", "mean_iou", "psnr",   "assert",        "learning_rate"};

constexpr std::array<std::string_view, 24> kOutputWords = {
    "output",         "prob",       "predict",       "pred",      "softmax",   "logits",
    "score",          "result",     "final",         "detection", "classes",   "boxes",
    "embedding",      "masks",      "generated",     "decoded",   "sample",    "answer",
    "num_detections", "labels_out", "probabilities", "class_id",  "keypoints", "heatmap"};

std::string lower(std::string_view text) {
  std::string lowered(text);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lowered;
}

template <size_t kCount>
bool holds_one_of(std::string_view text, const std::array<std::string_view, kCount>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

}  // namespace

bool is_named_loss(std::string_view name) { return holds_one_of(lower(name), kLossWords); }

bool has_output_word(std::string_view name) {
  const std::string last = lower(base_name(name));
  return holds_one_of(last, kOutputWords) && !holds_one_of(last, kLossWords);
}

bool is_named_output(std::string_view name) {
  const size_t last = name.rfind('/');
  const size_t scope =
      last == std::string_view::npos || last == 0 ? last : name.rfind('/', last - 1);
  const std::string ending = lower(scope == std::string_view::npos ? name : name.substr(scope + 1));
  return holds_one_of(ending, kOutputWords) && !is_named_loss(name);
}

bool in_discriminator(std::string_view name) {
  const std::string lowered = lower(name.substr(0, name.find('/')));
  return lowered.starts_with("discriminator") || lowered.starts_with("critic");
}

}  // namespace cryo
