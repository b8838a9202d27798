#include "passes/weights/weight_names.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/text.h"

namespace cryo {
namespace {

constexpr std::array<std::string_view, 12> kWeightWords = {
    "kernel", "kernels", "weight", "weights", "bias",      "biases",
    "gamma",  "beta",    "alpha",  "prelu",   "embedding", "embeddings"};
constexpr std::array<std::string_view, 4> kAverages = {"moving", "running", "population", "pop"};
constexpr std::array<std::string_view, 8> kMoments = {"mean",   "variance", "var",      "std",
                                                      "stddev", "average",  "averages", "avg"};

// The words of a name's last part, in lower case, without digits: "W_conv1" -> "w", "conv".
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char each : name.substr(name.rfind('/') + 1)) {
    const bool upper = each >= 'A' && each <= 'Z';
    if (upper || (each >= 'a' && each <= 'z')) {
      words.back() += upper ? static_cast<char>(each + ('a' - 'A')) : each;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool is_literal(std::string_view name) {
  const size_t scope = name.rfind('/');
  const std::string_view last = name.substr(scope + 1);
  if (scope != std::string_view::npos && (last == "x" || last == "y")) return true;
  constexpr std::string_view kConst = "Const";
  if (!last.starts_with(kConst)) return false;
  const std::string_view rest = last.substr(kConst.size());
  return rest.empty() ||
         (rest.front() == '_' && rest.find_first_not_of("0123456789", 1) == rest.npos);
}

}  // namespace

NameHint name_hint(std::string_view name) {
  if (is_literal(name)) return NameHint::kLiteral;
  const std::vector<std::string> words = words_of(name);
  const auto has = [&](std::span<const std::string_view> known) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return is_one_of(word, known); });
  };
  if (has(kAverages) && has(kMoments)) return NameHint::kStatistics;
  const auto is_letter = [](const std::string& word) { return word == "w" || word == "b"; };
  const bool letter =
      !words.empty() && words.size() <= 2 && (is_letter(words.front()) || is_letter(words.back()));
  return letter || has(kWeightWords) ? NameHint::kWeight : NameHint::kNone;
}

}  // namespace cryo
