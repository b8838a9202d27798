#include "commands/command_line.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace cryo {
namespace {

using Words = std::vector<std::string>;

// The command line as it was understood; or what is wrong with it.
std::string read(const Words& arguments) {
  const auto line = parse_command_line(arguments);
  if (!line) return cat(line.error().code, ": ", line.error().message);
  if (line->version) return "the version";
  const std::string other = line->others.empty() ? "" : cat(" and ", join(line->others, " and "));
  const std::string of = line->subject.empty() ? join(line->paths, " ") : line->subject;
  return cat(line->verb->name, " ", of, other, " ", json_of_given(line->options));
}

// Returns the fix of a wrong command line.
std::string fix(const Words& arguments) {
  const auto line = parse_command_line(arguments);
  return line ? "" : line.error().fix;
}

TEST(CommandLine, HasAVerbItsPlacesAndOptions) {
  EXPECT_EQ(read({"freeze", "m", "--outputs", "a,b", "--outputs", "c", "-o", "f.pb", "--force"}),
            R"(freeze m {"outputs":["a,b","c"],"out":"f.pb","force":true})");
  EXPECT_EQ(read({"list", "m", "nodes"}), R"(list m {"what":"nodes"})");
  EXPECT_EQ(read({"diff", "a", "b"}), "diff a and b {}");
  EXPECT_EQ(read({"weights", "a", "b", "c", "-o", "d"}), R"(weights a and b and c {"out":"d"})");
  EXPECT_EQ(read({"transfer", "--from", "a", "--into", "b", "-o", "c"}),
            R"(transfer b and a {"out":"c"})");
  EXPECT_EQ(read({"serve"}), "serve  {}");
}

TEST(CommandLine, WithoutAVerbIsInspect) {
  EXPECT_EQ(read({"model.pb"}), "inspect model.pb {}");
  EXPECT_EQ(read({"--json", "model.pb"}), R"(inspect model.pb {"json":true})");
  EXPECT_EQ(read({"-"}), "inspect - {}");
  EXPECT_EQ(read({"a.pb", "b/"}), "inspect a.pb b/ {}");
}

TEST(CommandLine, OfInspectAndValidateMayHaveSeveralPaths) {
  EXPECT_EQ(read({"inspect", "a", "b"}), "inspect a b {}");
  EXPECT_EQ(read({"validate", "a", "--strict", "b", "c"}), R"(validate a b c {"strict":true})");
  EXPECT_EQ(read({"validate", "a", "b", "--fix", "-o", "c"}),
            "usage: --fix is for one PATH, and there are 2");
  EXPECT_EQ(read({"inspect", "a", "b", "--checkpoint", "c"}),
            "usage: --checkpoint is for one PATH, and there are 2");
  EXPECT_EQ(read({"freeze", "a", "b", "-o", "c"}), "usage: freeze: unexpected argument b");
}

TEST(CommandLine, OfHelpNamesAVerb) {
  EXPECT_EQ(read({}), "help  {}");
  EXPECT_EQ(read({"help"}), "help  {}");
  EXPECT_EQ(read({"help", "freeze"}), "help freeze {}");
  EXPECT_EQ(read({"freeze", "--help"}), "help freeze {}");
  EXPECT_EQ(read({"--json", "freeze", "x.pb", "-h"}), "help freeze {}");
  EXPECT_EQ(read({"help", "frezze"}), "usage: there is no verb 'frezze' (did you mean freeze?)");
  EXPECT_EQ(read({"frezze", "--help"}), "usage: there is no verb 'frezze' (did you mean freeze?)");
  EXPECT_EQ(read({"x.pb", "--help"}), "help  {}");
}

TEST(CommandLine, MayAskForTheVersionOrACompletion) {
  EXPECT_EQ(read({"--version"}), "the version");
  EXPECT_EQ(read({"-V"}), "the version");
  EXPECT_EQ(read({"completion", "zsh"}), "completion zsh {}");
  EXPECT_EQ(read({"completion"}), "usage: completion: SHELL is missing");
  EXPECT_EQ(read({"completion", "ksh"}),
            "usage: no completion for 'ksh'; SHELL is one of bash, zsh, fish");
  EXPECT_EQ(read({"completion", "zsh", "--checkpoint", "m"}),
            "usage: completion has no option --checkpoint");
}

TEST(CommandLine, TakesTheOptionOfTheVerbAndTheValue) {
  EXPECT_EQ(read({"draw", "m", "-o", "m.svg", "--color", "role", "--color", "never"}),
            R"(draw m {"out":"m.svg","color":"role"})");
  EXPECT_EQ(read({"inspect", "m", "--color", "never"}), "inspect m {}");
  EXPECT_EQ(read({"inspect", "m", "--color", "role"}),
            "usage: --color takes one of auto, always, never; found 'role'");
  EXPECT_EQ(read({"unfreeze", "m", "-o", "n", "--style", "new"}),
            "usage: --style takes one of ref, resource; found 'new'");
}

TEST(CommandLine, PrintsOneThingToStandardOutput) {
  EXPECT_EQ(read({"freeze", "m", "-o", "-", "--json"}),
            "usage: --json and -o - both print to standard output; take one of them");
  EXPECT_EQ(read({"validate", "m", "--format", "github", "--json"}),
            "usage: --json and --format github are two formats; take one of them");
}

TEST(CommandLine, SaysHowToPrintWhateverElseIsWrong) {
  const PrintOptions some =
      print_options({"frob", "--json", "--color=always", "--format", "github"});
  EXPECT_TRUE(some.json && some.github && !some.quiet && !some.verbose);
  EXPECT_EQ(some.color, "always");
  const PrintOptions none = print_options({"inspect", "--", "--json", "--color", "always"});
  EXPECT_TRUE(!none.json && none.color == "auto");
}

TEST(CommandLine, MayHaveOptionsAnywhereAndValuesAtOnce) {
  EXPECT_EQ(read({"--json", "freeze", "m", "-of.pb"}), R"(freeze m {"json":true,"out":"f.pb"})");
  EXPECT_EQ(read({"freeze", "m", "--outputs=a=b", "-o", "-"}),
            R"(freeze m {"outputs":["a=b"],"out":"-"})");
  EXPECT_EQ(read({"verify", "a", "b", "--mean", "-1"}), R"(verify a and b {"mean":"-1"})");
  EXPECT_EQ(read({"inspect", "--", "--json"}), "inspect --json {}");
}

TEST(CommandLine, TakesTheLastOfWhatIsNoList) {
  EXPECT_EQ(read({"freeze", "m", "-o", "a", "-o", "b"}), R"(freeze m {"out":"b"})");
}

TEST(CommandLine, OfNoMeaningSaysWhatIsWrong) {
  EXPECT_EQ(read({"freeze"}), "usage: freeze: -o OUT is missing");
  EXPECT_EQ(read({"freeze", "-o", "x"}), "usage: freeze: PATH is missing");
  EXPECT_EQ(read({"list", "m"}), "usage: list: WHAT is missing");
  EXPECT_EQ(read({"diff", "a"}), "usage: diff: B is missing");
  EXPECT_EQ(read({"diff", "a", "b", "c"}), "usage: diff: unexpected argument c");
  EXPECT_EQ(read({"inspect", "a", "-o", "x"}), "usage: inspect has no option -o");
  EXPECT_EQ(read({"inspect", "a", "--jsn"}),
            "usage: there is no option --jsn (did you mean --json?)");
  EXPECT_EQ(read({"inspect", "a", "--json=yes"}), "usage: --json takes no value");
  EXPECT_EQ(read({"freeze", "a", "-o"}), "usage: -o takes a value: -o OUT");
  EXPECT_EQ(read({"freeze", "a", "--outputs", "-o", "x"}),
            "usage: --outputs takes a value: --outputs NAME");
  EXPECT_EQ(read({"transfer", "--into", "a", "-o", "c"}),
            "usage: transfer: --from PATH is missing");
  EXPECT_EQ(read({"frezze", "m", "-o", "z.pb"}),
            "usage: there is no verb 'frezze' (did you mean freeze?)");
  EXPECT_EQ(read({"frezze", "m"}), "usage: there is no verb 'frezze' (did you mean freeze?)");
  EXPECT_EQ(read({"frob", "--force"}), "usage: there is no verb 'frob'");
  EXPECT_EQ(fix({"frezze", "m"}), "see cryograph --help");
  EXPECT_EQ(fix({"freeze", "m"}), "see cryograph freeze --help");
  EXPECT_EQ(read({"validate"}), "usage: validate: PATH is missing");
  EXPECT_EQ(read({"validate", "m", "--fix"}), "usage: validate: -o OUT is missing");
}

TEST(CommandLine, NeedsNoPathWhereAnOptionStandsAlone) {
  EXPECT_EQ(read({"validate", "--explain", "cycle"}), R"(validate  {"explain":"cycle"})");
  EXPECT_EQ(read({"validate", "m", "--explain", "cycle"}), R"(validate m {"explain":"cycle"})");
}

// A word alone may be a file. If there is none, the verb that it is like may be meant.
TEST(CommandLine, OfOneWordRemembersTheVerbThatItIsLike) {
  const Diagnostic error{Severity::kError, "not-found", "no such file", {}, "give one"};
  EXPECT_EQ(with_near_verb(*parse_command_line({"frezze"}), error).fix,
            "give one; or did you mean the verb freeze?");
  EXPECT_EQ(with_near_verb(*parse_command_line({"frezze.pb"}), error).fix, "give one");
  EXPECT_EQ(with_near_verb(*parse_command_line({"elephant"}), error).fix, "give one");
}

}  // namespace
}  // namespace cryo
