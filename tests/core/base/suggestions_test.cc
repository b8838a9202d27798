#include "base/suggestions.h"

#include <gtest/gtest.h>

namespace cryo {
namespace {

using Names = std::vector<std::string>;
const std::vector<std::string_view> kNames = {"attr-missing", "attr-empty", "missing-key",
                                              "unknown-colocation", "cycle"};

TEST(NearNames, HaveFewLettersOther) {
  EXPECT_EQ(suggestions("attr-mising", kNames), Names{"attr-missing"});
  EXPECT_EQ(suggestions("cycel", kNames), Names());
  EXPECT_EQ(suggestions("cycl", kNames), Names{"cycle"});
  EXPECT_EQ(suggestions("cycle", kNames), Names{"cycle"});
}

TEST(NearNames, OrHoldTheWholeWord) {
  EXPECT_EQ(suggestions("missing", kNames), (Names{"missing-key", "attr-missing"}));
  EXPECT_EQ(suggestions("colocation", kNames), Names{"unknown-colocation"});
}

TEST(NearNames, AreFewAndSometimesNone) {
  EXPECT_EQ(suggestions("missing", kNames, 1).size(), 1U);
  EXPECT_EQ(suggestions("elephant", kNames), Names());
  EXPECT_EQ(suggestions("", kNames), Names());
  EXPECT_EQ(suggestions(std::string(10000, 'a'), kNames), Names());
}

TEST(NearNames, AreAskedFor) {
  EXPECT_EQ(did_you_mean("missing", kNames), " (did you mean missing-key or attr-missing?)");
  EXPECT_EQ(did_you_mean("elephant", kNames), "");
}

}  // namespace
}  // namespace cryo
