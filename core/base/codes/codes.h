#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace cryo {

// A diagnostic's code, its fix (unless each finding has a better one), its explanation, and where
// `validate --fix` repairs it the effect, and the report of one repair: {} is what was changed.
struct CodeInfo {
  std::string_view code;
  std::string_view fix;
  std::string_view explanation;
  std::string_view repair = {};
  std::string_view repaired = {};
};

// The codes of `validate`, sorted: the texts of `--explain CODE`, and the default fixes.
std::span<const CodeInfo> code_table();

// nullptr for a code that is not in the table.
const CodeInfo* find_code(std::string_view code);

// Returns true for the code of a warning that leaves a model unsound: TensorFlow imports the graph,
// and running the node, or restoring the checkpoint, fails.
bool fails_when_run(std::string_view code);

// A code that `validate` does not raise, with its explanation.
struct Explanation {
  std::string_view code;
  std::string_view explanation;
};

// These codes, sorted: of opening files, and of verbs and writing.
std::span<const Explanation> file_explanations();
std::span<const Explanation> verb_explanations();

// Returns the sentence that explains a code, of `validate` or of any other part of core.
// Empty for an unknown code. scripts/check_codes.py checks that every raised
// code has one.
std::string_view explanation_of(std::string_view code);

// Every code of the tables.
std::vector<std::string_view> all_codes();

}  // namespace cryo
