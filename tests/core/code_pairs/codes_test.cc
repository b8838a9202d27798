#include "base/codes/codes.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "base/reference.h"
#include "code_pairs.h"
#include "files.h"
#include "validate/validate.h"

namespace cryo {
namespace {

using Codes = std::set<std::string>;

CodePairs all_pairs() {
  CodePairs pairs;
  add_node_pairs(pairs);
  add_attr_pairs(pairs);
  add_value_pairs(pairs);
  add_loop_pairs(pairs);
  add_function_pairs(pairs);
  add_model_pairs(pairs);
  return pairs;
}

Codes codes_of(const Model& model, const OpRegistry* registry = &ops()) {
  Diagnostics diagnostics;
  validate(model, registry, diagnostics);
  Codes codes;
  for (const Diagnostic& each : diagnostics.all()) codes.insert(each.code);
  return codes;
}

TEST(CodePairs, EveryCodeOfTheValidatorHasOne) {
  Codes paired = {"ops-not-loaded"};  // below
  for (const CodePair& pair : all_pairs()) {
    EXPECT_NE(find_code(pair.code), nullptr) << pair.code;
    EXPECT_TRUE(paired.emplace(pair.code).second) << pair.code << " has two";
  }
  for (const CodeInfo& info : code_table()) {
    EXPECT_EQ(paired.count(std::string(info.code)), 1U)
        << "nothing shows that " << info.code << " is raised, and only where it should be";
  }
}

TEST(CodePairs, TheFaultyModelRaisesTheCodeAndItsNeighbourDoesNot) {
  for (const CodePair& pair : all_pairs()) {
    const std::string code(pair.code);
    EXPECT_EQ(codes_of(pair.faulty).count(code), 1U) << code;
    EXPECT_EQ(codes_of(pair.healthy).count(code), 0U) << code;
  }
}

// Returns a line per code: the code, and what the command prints first of the finding.
std::string example_lines() {
  std::map<std::string, std::string> lines;
  for (const CodePair& pair : all_pairs()) {
    Diagnostics diagnostics;
    validate(pair.faulty, &ops(), diagnostics);
    for (const Diagnostic& each : diagnostics.all()) {
      const std::string text = in_command_words(to_text(each));
      if (each.code == pair.code) lines.emplace(each.code, text.substr(0, text.find('\n')));
    }
  }
  std::ostringstream out;
  for (const auto& [code, line] : lines) out << code << ' ' << line << '\n';
  return out.str();
}

// scripts/check_codes.py shows them in docs/reference/diagnostics.md.
TEST(CodePairs, TheExamplesOfTheDocumentationAreTheirMessages) {
  const std::string lines = example_lines();
  const std::filesystem::path path =
      std::filesystem::path(source_folder()) / "tests/core/code_pairs/examples.txt";
  if (std::getenv("CRYOGRAPH_WRITE_EXAMPLES") != nullptr) std::ofstream(path) << lines;
  EXPECT_EQ(file_bytes(path), lines) << "CRYOGRAPH_WRITE_EXAMPLES=1 writes them";
}

TEST(CodePairs, OpsThatAreNotLoadedAreToldOnlyThen) {
  const Model model = as_model(base_with());
  EXPECT_EQ(codes_of(model, nullptr), Codes{"ops-not-loaded"});
  EXPECT_EQ(codes_of(model).count("ops-not-loaded"), 0U);
}

}  // namespace
}  // namespace cryo
