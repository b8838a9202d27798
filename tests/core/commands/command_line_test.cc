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
  const std::string other = line->other.empty() ? "" : cat(" and ", line->other);
  return cat(line->verb->name, " ", line->path, other, " ", to_string(line->options));
}

TEST(CommandLine, HasAVerbItsPlacesAndOptions) {
  EXPECT_EQ(read({"freeze", "m", "--outputs", "a,b", "--outputs", "c", "-o", "f.pb", "--force"}),
            R"(freeze m {"outputs":["a,b","c"],"out":"f.pb","force":true})");
  EXPECT_EQ(read({"list", "m", "nodes"}), R"(list m {"what":"nodes"})");
  EXPECT_EQ(read({"diff", "a", "b"}), "diff a and b {}");
  EXPECT_EQ(read({"transfer", "--from", "a", "--into", "b", "-o", "c"}),
            R"(transfer b and a {"out":"c"})");
  EXPECT_EQ(read({"serve"}), "serve  {}");
}

TEST(CommandLine, WithoutAVerbIsInspect) {
  EXPECT_EQ(read({"model.pb"}), "inspect model.pb {}");
  EXPECT_EQ(read({"--json", "model.pb"}), R"(inspect model.pb {"json":true})");
  EXPECT_EQ(read({"-"}), "inspect - {}");
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
  EXPECT_EQ(read({"inspect", "a", "b"}), "usage: inspect: unexpected argument b");
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
  EXPECT_EQ(read({"validate"}), "usage: validate: PATH is missing");
  EXPECT_EQ(read({"validate", "m", "--fix"}), "usage: validate: -o OUT is missing");
}

TEST(CommandLine, NeedsNoPathWhereAnOptionStandsAlone) {
  EXPECT_EQ(read({"validate", "--explain", "cycle"}), R"(validate  {"explain":"cycle"})");
  EXPECT_EQ(read({"validate", "m", "--explain", "cycle"}), R"(validate m {"explain":"cycle"})");
}

}  // namespace
}  // namespace cryo
