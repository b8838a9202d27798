#include "commands/completion.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "commands/command_table.h"

namespace cryo {
namespace {

// tests/cli runs the scripts in the shells that there are.
TEST(Completion, HasEveryVerbAndOption) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string script = completion_script(shell);
    for (const VerbRow& verb : verb_table()) {
      EXPECT_NE(script.find(verb.name), std::string::npos) << shell << " " << verb.name;
    }
    for (const OptionRow& option : option_table()) {
      const bool named = option.name.starts_with("--");
      const std::string spelled =
          shell == "fish" ? cat(named ? "-l " : "-s ", option.name.substr(named ? 2 : 1))
                          : std::string(option.name);
      EXPECT_NE(script.find(spelled), std::string::npos) << shell << " " << option.name;
    }
  }
  EXPECT_EQ(completion_script("ksh"), "");
}

}  // namespace
}  // namespace cryo
